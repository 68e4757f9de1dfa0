! SPDX-License-Identifier: BSD-3-Clause
!
! What the Fortran tests share: checks that name the PE, and one verdict for the
! whole job. External procedures, so that fixed-form programs can call them too.
module check_count
    implicit none
    integer(4), save, target :: failures = 0 ! PE 0's counts all
end module

subroutine check_start()
    use shmem
    implicit none
    call shmem_init()
    call shmem_barrier_all()
end subroutine

! Note a failure and go on.
subroutine check(ok, text)
    use shmem
    use check_count
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
    logical, intent(in) :: ok
    character(*), intent(in) :: text
    if (ok) return
    call shmem_int4_inc(failures, 0)
    write (error_unit, '(a,i0,a,i0,2a)') 'FAIL PE ', shmem_my_pe(), ' of ', shmem_n_pes(), ': ', text
    flush (error_unit)
end subroutine

! Compare whole numbers and show both.
subroutine check_equal(seen, expected, text)
    implicit none
    integer(8), intent(in) :: seen, expected
    character(*), intent(in) :: text
    character(80) :: numbers
    write (numbers, '(a,i0,a,i0)') ': ', seen, ', expected ', expected
    call check(seen == expected, text//trim(numbers))
end subroutine

! Ends the program: with status 1 on all PEs if a check failed on any.
subroutine check_finish()
    use shmem
    use check_count
    implicit none
    integer(4) :: all
    call shmem_barrier_all()
    all = shmem_int4_fetch(failures, 0)
    call shmem_finalize()
    if (all /= 0) stop 1
end subroutine
