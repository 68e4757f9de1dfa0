! SPDX-License-Identifier: BSD-3-Clause
!
! The Fortran module: all that shmem.fh declares, and the functions and the
! subroutines without arguments of any type, so that every call is checked. For
! the default kinds it is compiled with; with others (-fdefault-integer-8) the
! compiler reports the difference, and shmem.fh is to be used.
!
! SHMEM_PTR's result is a Cray pointer's value; transfer(shmem_ptr(x, pe),
! c_null_ptr) makes a TYPE(C_PTR) of it.
module shmem
    implicit none
    include 'shmem.fh'

    abstract interface
        subroutine shmem_i_plain()
        end subroutine

        subroutine shmem_i_number(n)
            integer :: n
        end subroutine

        subroutine shmem_i_version(major, minor)
            integer :: major, minor
        end subroutine

        subroutine shmem_i_name(name)
            character(*) :: name
        end subroutine

        integer function shmem_i_query()
        end function

        integer function shmem_i_test_lock(lock)
            integer, target :: lock
        end function

        ! Atomic functions: dest is an integer or real of the kind that the name tells.
        integer function shmem_i_swap(dest, value, pe)
            integer, target :: dest
            integer :: value, pe
        end function

        integer(4) function shmem_i_fetch_int4(source, pe)
            integer(4), target :: source
            integer :: pe
        end function

        integer(8) function shmem_i_fetch_int8(source, pe)
            integer(8), target :: source
            integer :: pe
        end function

        real(4) function shmem_i_fetch_real4(source, pe)
            real(4), target :: source
            integer :: pe
        end function

        real(8) function shmem_i_fetch_real8(source, pe)
            real(8), target :: source
            integer :: pe
        end function

        integer(4) function shmem_i_swap_int4(dest, value, pe)
            integer(4), target :: dest
            integer(4) :: value
            integer :: pe
        end function

        integer(8) function shmem_i_swap_int8(dest, value, pe)
            integer(8), target :: dest
            integer(8) :: value
            integer :: pe
        end function

        real(4) function shmem_i_swap_real4(dest, value, pe)
            real(4), target :: dest
            real(4) :: value
            integer :: pe
        end function

        real(8) function shmem_i_swap_real8(dest, value, pe)
            real(8), target :: dest
            real(8) :: value
            integer :: pe
        end function

        ! cond: what dest must be (cswap), or the bits that may change (mswap).
        integer(4) function shmem_i_cswap_int4(dest, cond, value, pe)
            integer(4), target :: dest
            integer(4) :: cond, value
            integer :: pe
        end function

        integer(8) function shmem_i_cswap_int8(dest, cond, value, pe)
            integer(8), target :: dest
            integer(8) :: cond, value
            integer :: pe
        end function
    end interface

    procedure(shmem_i_number) :: start_pes, shmem_global_exit
    procedure(shmem_i_plain) :: shmem_init, shmem_finalize
    procedure(shmem_i_query) :: shmem_my_pe, shmem_n_pes, my_pe, num_pes
    procedure(shmem_i_version) :: shmem_info_get_version
    procedure(shmem_i_name) :: shmem_info_get_name
    procedure(shmem_i_plain) :: shmem_barrier_all, shmem_sync_all, shmem_fence, shmem_quiet
    procedure(shmem_i_plain) :: shmem_set_cache_inv, shmem_clear_cache_inv, shmem_udcflush
    procedure(shmem_i_test_lock) :: shmem_test_lock

    procedure(shmem_i_fetch_int4) :: shmem_int4_fetch, shmem_int4_finc
    procedure(shmem_i_fetch_int8) :: shmem_int8_fetch, shmem_int8_finc
    procedure(shmem_i_fetch_real4) :: shmem_real4_fetch
    procedure(shmem_i_fetch_real8) :: shmem_real8_fetch
    procedure(shmem_i_swap) :: shmem_swap
    procedure(shmem_i_swap_int4) :: shmem_int4_swap, shmem_int4_fadd
    procedure(shmem_i_swap_int8) :: shmem_int8_swap, shmem_int8_fadd
    procedure(shmem_i_swap_real4) :: shmem_real4_swap
    procedure(shmem_i_swap_real8) :: shmem_real8_swap
    procedure(shmem_i_cswap_int4) :: shmem_int4_cswap, shmem_int4_mswap
    procedure(shmem_i_cswap_int8) :: shmem_int8_cswap, shmem_int8_mswap
end module
