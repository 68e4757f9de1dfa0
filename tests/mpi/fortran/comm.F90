! SPDX-License-Identifier: BSD-3-Clause
!
! Groups, communicators, attributes with Fortran's callbacks, topologies.
#include "forms.h"
module keys
  implicit none
  integer :: copies = 0, deletes = 0
contains
  subroutine copy(oldcomm, keyval, extra_state, value_in, value_out, flag, ierror)
    USES
    implicit none
    INCLUDES
    COMM_T :: oldcomm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, value_in, value_out
    logical :: flag
    copies = copies + 1
    value_out = value_in + extra_state
    flag = value_in > 0
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, keyval, value, extra_state, ierror)
    USES
    implicit none
    INCLUDES
    COMM_T :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra_state
    deletes = deletes + 1
    ierror = MPI_SUCCESS
    if (value == 666) ierror = MPI_ERR_OTHER
  end subroutine

#if FORM != 8
  subroutine copy_old(oldcomm, keyval, extra_state, value_in, value_out, flag, ierror)
    integer :: oldcomm, keyval, extra_state, value_in, value_out, ierror
    logical :: flag
    value_out = value_in * extra_state
    flag = .true.
    ierror = 0
  end subroutine
#endif
end module

program comm
  use fcheck
  USES
  implicit none
  INCLUDES
  integer :: ierr, size, i
  logical :: flag
#include "start.h"
  call groups()
  call communicators()
  call attributes()
#if FORM != 8
  call old_attributes()
#endif
  call type_attributes()
  call grids()
  call graphs()
  call MPI_Finalize(ierr)
  call finish()

contains

  subroutine groups()
    GROUP_T :: world, evens, rest, both
    integer :: n, rank, result, there(2)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_range_incl(world, 1, reshape([0, size - 1, 2], [3, 1]), evens, ierr)
    call good(ierr, 'range_incl')
    call MPI_Group_size(evens, n, ierr)
    call check(n == (size + 1) / 2, 'every second')
    call MPI_Group_difference(world, evens, rest, ierr)
    call MPI_Group_union(evens, rest, both, ierr)
    call MPI_Group_compare(both, world, result, ierr)
    call check(result == MPI_IDENT .or. (result == MPI_SIMILAR .and. size > 2), 'union of both halves')
    call MPI_Group_rank(world, rank, ierr)
    call check(rank == my_rank, 'rank in the group')
    call MPI_Group_translate_ranks(both, 2, [0, MPI_PROC_NULL], world, there, ierr)
    call check(all(there == [0, MPI_PROC_NULL]), 'translated')
    call MPI_Group_free(world, ierr)
    call MPI_Group_free(evens, ierr)
    if (rest /= MPI_GROUP_EMPTY) call MPI_Group_free(rest, ierr)
    call MPI_Group_free(both, ierr)
    call check(both == MPI_GROUP_NULL, 'group is null')
  end subroutine

  subroutine communicators()
    COMM_T :: half, copy, between, merged
    REQUEST_T :: request
    integer :: n, rank, result
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Comm_split(MPI_COMM_WORLD, mod(my_rank, 2), -my_rank, half, ierr)
    call MPI_Comm_size(half, n, ierr)
    call check(n == (size + 1 - mod(my_rank, 2)) / 2, 'size of the half')
    call MPI_Comm_dup(half, copy, ierr)
    call MPI_Comm_compare(half, copy, result, ierr)
    call check(result == MPI_CONGRUENT, 'dup is congruent')
    call MPI_Comm_set_name(copy, '  my copy', ierr)
    call MPI_Comm_get_name(copy, name, n, ierr)
    call check(n == 9 .and. name == '  my copy', 'name')
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, n, ierr)
    call check(name == 'MPI_COMM_WORLD', 'name of world')
    call MPI_Comm_free(copy, ierr)
    call check(copy == MPI_COMM_NULL, 'comm is null')
    call MPI_Comm_idup(half, copy, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Barrier(copy, ierr)
    call good(ierr, 'barrier of what idup made')
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, copy, ierr)
    call MPI_Comm_test_inter(copy, flag, ierr)
    call check(.not. flag, 'no intercommunicator')
    call MPI_Comm_free(copy, ierr)
    if (size > 1) then
      call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(size - 1 - mod(size, 2), size - 2 + mod(size, 2), mod(my_rank, 2) == 0), &
                                5, between, ierr)
      call good(ierr, 'intercomm_create')
      call MPI_Comm_test_inter(between, flag, ierr)
      call check(flag, 'an intercommunicator')
      call MPI_Comm_remote_size(between, n, ierr)
      call check(n == (size + mod(my_rank, 2)) / 2, 'remote size')
      call MPI_Intercomm_merge(between, mod(my_rank, 2) == 1, merged, ierr)
      call MPI_Comm_size(merged, n, ierr)
      call MPI_Comm_rank(merged, rank, ierr)
      call check(n == size .and. (rank >= (size + 1) / 2 .eqv. mod(my_rank, 2) == 1), 'merged')
      call MPI_Comm_free(merged, ierr)
      call MPI_Comm_free(between, ierr)
    end if
    call MPI_Comm_free(half, ierr)
  end subroutine

  subroutine attributes()
    use keys
    COMM_T :: a, b
    integer :: key, key2, class
    integer(kind=MPI_ADDRESS_KIND) :: value
    call MPI_Comm_create_keyval(copy, delete, key, 100_MPI_ADDRESS_KIND, ierr)
    call good(ierr, 'create_keyval')
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key2, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_dup(MPI_COMM_SELF, a, ierr)
    call MPI_Comm_get_attr(a, key, value, flag, ierr)
    call check(.not. flag, 'no attribute yet')
    call MPI_Comm_set_attr(a, key, 5000000000_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(a, key2, -3_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_dup(a, b, ierr)
    call MPI_Comm_get_attr(b, key, value, flag, ierr)
    call check(flag .and. value == 5000000100_MPI_ADDRESS_KIND .and. copies == 1, 'copied with extra state')
    call MPI_Comm_get_attr(b, key2, value, flag, ierr)
    call check(flag .and. value == -3, 'copied by DUP_FN')
    call MPI_Comm_set_attr(a, key, -1_MPI_ADDRESS_KIND, ierr)
    call check(deletes == 1, 'overwriting deletes')
    call MPI_Comm_free(b, ierr)
    call check(deletes == 2, 'freeing deletes')
    call MPI_Comm_dup(a, b, ierr)
    call MPI_Comm_get_attr(b, key, value, flag, ierr)
    call check(.not. flag .and. copies == 2, 'copy says no')
    call MPI_Comm_free(b, ierr)
    call MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_set_attr(a, key, 666_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_delete_attr(a, key, ierr)
    call MPI_Error_class(ierr, class, i)
    call check(class == MPI_ERR_OTHER, 'delete says no')
    call MPI_Comm_get_attr(a, key, value, flag, ierr)
    if (flag) call check(value == 666, 'the attribute is still there')
    call MPI_Comm_free_keyval(key, ierr)
    call check(key == MPI_KEYVAL_INVALID, 'keyval is invalid')
    call MPI_Comm_free_keyval(key2, ierr)
  end subroutine

#if FORM != 8
  subroutine old_attributes()
    use keys
    integer :: key, a, b, value
    call MPI_Keyval_create(copy_old, MPI_NULL_DELETE_FN, key, 3, ierr)
    call good(ierr, 'keyval_create')
    call MPI_Comm_dup(MPI_COMM_SELF, a, ierr)
    call MPI_Attr_put(a, key, -7, ierr)
    call MPI_Comm_dup(a, b, ierr)
    call MPI_Attr_get(b, key, value, flag, ierr)
    call check(flag .and. value == -21, 'copied')
    call MPI_Attr_delete(b, key, ierr)
    call MPI_Attr_get(b, key, value, flag, ierr)
    call check(.not. flag, 'deleted')
    call MPI_Attr_get(a, MPI_TAG_UB, value, flag, ierr)
    call check(flag .and. value >= 32767, 'tag_ub')
    call MPI_Comm_free(a, ierr)
    call MPI_Comm_free(b, ierr)
    call MPI_Keyval_free(key, ierr)
  end subroutine
#endif

  subroutine type_attributes()
    TYPE_T :: a, b
    integer :: key
    integer(kind=MPI_ADDRESS_KIND) :: value
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Type_contiguous(3, MPI_REAL, a, ierr)
    call MPI_Type_set_attr(a, key, 33_MPI_ADDRESS_KIND, ierr)
    call MPI_Type_dup(a, b, ierr)
    call MPI_Type_get_attr(b, key, value, flag, ierr)
    call check(flag .and. value == 33, 'attribute of a datatype')
    call MPI_Type_free(a, ierr)
    call MPI_Type_free(b, ierr)
    call MPI_Type_free_keyval(key, ierr)
  end subroutine

  subroutine grids()
    COMM_T :: grid, line
    integer :: dims(2), coords(2), rank, n, status
    logical :: periods(2)
    dims = 0
    call MPI_Dims_create(size, 2, dims, ierr)
    call check(product(dims) == size, 'dims_create')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, ierr)
    call MPI_Topo_test(grid, status, ierr)
    call check(status == MPI_CART, 'a grid')
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierr)
    call check(periods(1) .and. .not. periods(2), 'periods')
    call MPI_Cart_rank(grid, coords, rank, ierr)
    call check(rank == my_rank, 'cart_rank')
    call MPI_Cart_sub(grid, [.false., .true.], line, ierr)
    call MPI_Comm_size(line, n, ierr)
    call check(n == dims(2), 'cart_sub')
    call MPI_Comm_free(line, ierr)
    call MPI_Comm_free(grid, ierr)
  end subroutine

  subroutine graphs()
    COMM_T :: graph
    integer :: n, m, sources(1), destinations(1), weights(1), others(1)
    logical :: weighted
    integer :: right, left
    right = mod(my_rank + 1, size)
    left = mod(my_rank + size - 1, size)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
                                        graph, ierr)
    call good(ierr, 'dist_graph_create_adjacent')
    call MPI_Dist_graph_neighbors_count(graph, n, m, weighted, ierr)
    call check(n == 1 .and. m == 1 .and. .not. weighted, 'unweighted')
    call MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED, ierr)
    call check(sources(1) == left .and. destinations(1) == right, 'neighbours')
    call MPI_Comm_free(graph, ierr)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [my_rank], [1], [right], [my_rank + 5], MPI_INFO_NULL, .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, n, m, weighted, ierr)
    call check(weighted, 'weighted')
    call MPI_Dist_graph_neighbors(graph, 1, sources, weights, 1, destinations, others, ierr)
    call check(weights(1) == left + 5 .and. others(1) == my_rank + 5, 'weights')
    call MPI_Comm_free(graph, ierr)
    if (size == 1) return
    call MPI_Graph_create(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .false., graph, ierr)
    call check((graph == MPI_COMM_NULL) .eqv. my_rank > 1, 'graph_create')
    if (graph == MPI_COMM_NULL) return
    call MPI_Graphdims_get(graph, n, m, ierr)
    call check(n == 2 .and. m == 2, 'graphdims')
    call MPI_Graph_neighbors(graph, my_rank, 1, sources, ierr)
    call check(sources(1) == 1 - my_rank, 'graph_neighbors')
    call MPI_Comm_free(graph, ierr)
  end subroutine
end program
