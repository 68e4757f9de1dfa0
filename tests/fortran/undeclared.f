! SPDX-License-Identifier: BSD-3-Clause
!
! Functions that nobody declared, as in programs that begin without IMPLICIT
! NONE: what a letter from I to N begins is an INTEGER, the rest is a REAL.
      program undeclared
      include 'shmem.fh'
      integer, save :: word, lock
      integer*8, save :: wide
      data word /0/, lock /0/, wide /0/

      call start_pes(0)
      me = shmem_my_pe()
      n = shmem_n_pes()
      if (me .ne. my_pe() .or. n .ne. num_pes()) stop 1
      if (shmem_my_pe() .lt. 0 .or. shmem_my_pe() .ge. n) stop 2
      next = mod(me + 1, n)
      call shmem_int4_set(word, 40 + me, next)
      call shmem_int8_set(wide, int(50 + me, 8), next)
      call shmem_barrier_all()
      if (shmem_int4_fetch(word, next) .ne. 40 + me) stop 3
      if (shmem_int8_fetch(wide, next) .ne. 50 + me) stop 4
      k = shmem_int4_finc(word, next)
      if (k .ne. 40 + me) stop 5
      k = shmem_int4_cswap(word, k + 1, -7, next)
      if (k .ne. 41 + me) stop 6
      if (shmem_swap(word, 9, next) .ne. -7) stop 7
      k = shmem_int8_fadd(wide, int(100, 8), next)
      if (k .ne. 50 + me) stop 8
      call shmem_barrier_all()
      if (word .ne. 9 .or. wide .ne. 150 + mod(me + n - 1, n)) stop 9
      if (me .eq. 0) then
        if (shmem_test_lock(lock) .ne. 0) stop 10
      end if
      call shmem_barrier_all()
      if (me .ne. 0) then
        if (shmem_test_lock(lock) .ne. 1) stop 11
      end if
      call shmem_barrier_all()
      if (me .eq. 0) call shmem_clear_lock(lock)
      end
