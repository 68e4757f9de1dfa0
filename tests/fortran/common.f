! SPDX-License-Identifier: BSD-3-Clause
!
! A program as it was written for the T3D: fixed form, COMMON blocks and SAVEd and
! DATA variables as symmetric objects, START_PES, functions declared by hand, one
! call with arguments of different types.
      PROGRAM COMMNS
      IMPLICIT NONE
      INCLUDE 'mpp/shmem.fh'
      INTEGER MY_PE, NUM_PES, SHMEM_SWAP, SHMEM_MY_PE, SHMEM_N_PES
      INTEGER*8 SHMEM_INT8_FINC
      EXTERNAL MY_PE, NUM_PES
      INTEGER N
      PARAMETER (N = 100)
      REAL*8 A, B
      INTEGER*8 KOUNT
      INTEGER IFLAG
      COMMON /WORK/ A(N), B(N), KOUNT, IFLAG
      REAL*8 C(N), WRK(N)
      INTEGER*8 INDEX(N)
      INTEGER PSYNC(SHMEM_REDUCE_SYNC_SIZE)
      SAVE C, WRK, INDEX, PSYNC
      DATA PSYNC /SHMEM_REDUCE_SYNC_SIZE*SHMEM_SYNC_VALUE/
      DATA C /N*-1.0D0/
      INTEGER ME, NPES, NEXT, LAST, I
      LOGICAL OK

      CALL START_PES(0)
      ME = MY_PE()
      NPES = NUM_PES()
      CALL CHECK(ME .EQ. SHMEM_MY_PE(), 'MY_PE')
      CALL CHECK(NPES .EQ. SHMEM_N_PES(), 'NUM_PES')
      NEXT = MOD(ME + 1, NPES)
      LAST = MOD(ME + NPES - 1, NPES)
      DO 10 I = 1, N
         A(I) = 1000*ME + I
         B(I) = 0
         INDEX(I) = N - I
   10 CONTINUE
      KOUNT = 0
      IFLAG = -1
      CALL SHMEM_SET_CACHE_INV
      CALL SHMEM_BARRIER_ALL

      CALL SHMEM_PUT(B, A, N, NEXT)
      CALL SHMEM_PUT(C(1), A(N), 1, NEXT)
      CALL SHMEM_INTEGER_PUT(IFLAG, ME, 1, NEXT)
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_UDCFLUSH
      OK = IFLAG .EQ. LAST .AND. C(1) .EQ. 1000*LAST + N
      OK = OK .AND. C(2) .EQ. -1.0D0
      DO 20 I = 1, N
         OK = OK .AND. B(I) .EQ. 1000*LAST + I
   20 CONTINUE
      CALL CHECK(OK, 'SHMEM_PUT to a COMMON block and to SAVE')

      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_IXGET(B, A, INDEX, N, NEXT)
      OK = .TRUE.
      DO 30 I = 1, N
         OK = OK .AND. B(I) .EQ. 1000*NEXT + N - I + 1
   30 CONTINUE
      CALL CHECK(OK, 'SHMEM_IXGET from a COMMON block')
      CALL SHMEM_IGET(B, A, 2, 3, 10, NEXT)
      OK = .TRUE.
      DO 40 I = 1, 10
         OK = OK .AND. B(2*I - 1) .EQ. 1000*NEXT + 3*I - 2
   40 CONTINUE
      CALL CHECK(OK, 'SHMEM_IGET from a COMMON block')

      I = SHMEM_INT8_FINC(KOUNT, 0)
      CALL SHMEM_BARRIER_ALL
      IF (ME .EQ. 0) CALL CHECK(KOUNT .EQ. NPES, 'SHMEM_INT8_FINC')
      CALL CHECK(SHMEM_SWAP(IFLAG, 4, NEXT) .EQ. ME, 'SHMEM_SWAP')
      CALL SHMEM_REAL8_SUM_TO_ALL(B, A, N, 0, 0, NPES, WRK, PSYNC)
      OK = .TRUE.
      DO 50 I = 1, N
         OK = OK .AND. B(I) .EQ. 500*NPES*(NPES - 1) + I*NPES
   50 CONTINUE
      CALL CHECK(OK, 'SHMEM_REAL8_SUM_TO_ALL of a COMMON block')
      CALL CHECK_FINISH
      END
