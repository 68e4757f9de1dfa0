! SPDX-License-Identifier: BSD-3-Clause
!
! The constants of shmem.fh are those of shmem.h (constants.c), and what the
! library tells of itself.
program info
    use shmem
    implicit none
    interface
        integer function c_constant(number)
            integer, value :: number
        end function
    end interface
    integer, save :: global
    integer :: major, minor
    character(SHMEM_MAX_NAME_LEN) :: name
    character(200) :: long_name
    character(5) :: short_name
    call check_start()
    call same(1, SHMEM_MAJOR_VERSION, 'SHMEM_MAJOR_VERSION')
    call same(2, SHMEM_MINOR_VERSION, 'SHMEM_MINOR_VERSION')
    call same(3, SHMEM_MAX_NAME_LEN, 'SHMEM_MAX_NAME_LEN')
    call same(4, SHMEM_CMP_EQ, 'SHMEM_CMP_EQ')
    call same(5, SHMEM_CMP_NE, 'SHMEM_CMP_NE')
    call same(6, SHMEM_CMP_GT, 'SHMEM_CMP_GT')
    call same(7, SHMEM_CMP_GE, 'SHMEM_CMP_GE')
    call same(8, SHMEM_CMP_LT, 'SHMEM_CMP_LT')
    call same(9, SHMEM_CMP_LE, 'SHMEM_CMP_LE')
    call same(10, SHMEM_SYNC_VALUE, 'SHMEM_SYNC_VALUE')
    call same(11, SHMEM_REDUCE_MIN_WRKDATA_SIZE, 'SHMEM_REDUCE_MIN_WRKDATA_SIZE')
    call check(SHMEM_SYNC_SIZE * 4 >= c_constant(12) * 8 + 4, 'SHMEM_SYNC_SIZE has room to align')
    call same(13, len(SHMEM_VENDOR_STRING), 'length of SHMEM_VENDOR_STRING')

    call shmem_info_get_version(major, minor)
    call check(major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION, 'shmem_info_get_version')
    call shmem_info_get_name(name)
    call check(name == SHMEM_VENDOR_STRING, 'shmem_info_get_name: '//name)
    long_name = repeat('x', 200)
    call shmem_info_get_name(long_name)
    call check(long_name == name, 'a longer variable is filled with blanks')
    call shmem_info_get_name(short_name)
    call check(short_name == name(:5), 'a shorter variable is filled')

    call check(shmem_pe_accessible(0) .and. shmem_pe_accessible(shmem_n_pes() - 1), 'pe_accessible')
    call check(.not. shmem_pe_accessible(shmem_n_pes()) .and. .not. shmem_pe_accessible(-1), 'no such PE')
    call check(my_pe() == shmem_my_pe() .and. num_pes() == shmem_n_pes(), 'my_pe, num_pes')

    ! Cache control does nothing here, but is there.
    call shmem_set_cache_inv()
    call shmem_set_cache_line_inv(global)
    call shmem_udcflush()
    call shmem_udcflush_line(global)
    call shmem_clear_cache_line_inv(global)
    call shmem_clear_cache_inv()
    call shmem_sync_all()
    call check_finish()

contains

    subroutine same(number, ours, name)
        integer, intent(in) :: number, ours
        character(*), intent(in) :: name
        call check_equal(int(ours, 8), int(c_constant(number), 8), name)
    end subroutine
end program
