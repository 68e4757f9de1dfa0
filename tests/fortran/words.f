! SPDX-License-Identifier: BSD-3-Clause
!
! Words as the T3D had them: compiled with 8-byte default INTEGER and REAL. Counts
! and PE numbers are read by their low halves, function results fill a register;
! calls that name their size do what they did there.
      PROGRAM WORDS
      INCLUDE 'mpp/shmem.fh'
      INTEGER SHMEM_MY_PE, SHMEM_N_PES, SHMEM_INT8_FADD, SHMEM_INT8_SWAP
      LOGICAL OK
      PARAMETER (N = 64)
      COMMON /BLOCK/ IA(N), IB(N), RA(N), RB(N), KOUNT, LOCK
      DIMENSION IWRK(N), RWRK(N), IPSYNC(SHMEM_REDUCE_SYNC_SIZE)
      DIMENSION INDEX(N)
      SAVE IWRK, RWRK, IPSYNC
      DATA IPSYNC /SHMEM_REDUCE_SYNC_SIZE*SHMEM_SYNC_VALUE/
      CALL START_PES(0)
      ME = SHMEM_MY_PE()
      NPES = SHMEM_N_PES()
      NEXT = MOD(ME + 1, NPES)
      LAST = MOD(ME + NPES - 1, NPES)
      KOUNT = 0
      LOCK = 0
      DO 10 I = 1, N
         IA(I) = (ME + 1)*2**40 + I
         RA(I) = 0.5*ME + I
         INDEX(I) = N - I
   10 CONTINUE
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_PUT(IB, IA, N, NEXT)
      CALL SHMEM_BARRIER_ALL
      OK = .TRUE.
      DO 20 I = 1, N
         OK = OK .AND. IB(I) .EQ. (LAST + 1)*2**40 + I
   20 CONTINUE
      CALL VERIFY(OK, 1)
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_IXGET(IB, IA, INDEX, N, NEXT)
      CALL VERIFY(IB(1) .EQ. (NEXT + 1)*2**40 + N, 2)
      CALL SHMEM_GET8(RB, RA, N, NEXT)
      CALL VERIFY(RB(N) .EQ. 0.5*NEXT + N, 3)
      K = SHMEM_INT8_FADD(KOUNT, 2**33, 0)
      CALL SHMEM_SET_LOCK(LOCK)
      CALL SHMEM_CLEAR_LOCK(LOCK)
      CALL SHMEM_BARRIER_ALL
      IF (ME .EQ. 0) CALL VERIFY(KOUNT .EQ. NPES*2**33, 4)
      CALL SHMEM_BARRIER(0, 0, NPES, IPSYNC)
      CALL SHMEM_INT8_SUM_TO_ALL(IB, IA, N, 0, 0, NPES, IWRK, IPSYNC)
      CALL VERIFY(IB(N) .EQ. NPES*(NPES + 1)/2*2**40 + N*NPES, 5)
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_REAL8_MAX_TO_ALL(RB, RA, N, 0, 0, NPES, RWRK, IPSYNC)
      CALL VERIFY(RB(1) .EQ. 0.5*(NPES - 1) + 1, 6)
      CALL SHMEM_BARRIER_ALL
      CALL VERIFY(SHMEM_INT8_SWAP(KOUNT, ME, ME) .GE. 0, 7)
      CALL SHMEM_INT8_WAIT_UNTIL(KOUNT, SHMEM_CMP_EQ, ME)
      CALL SHMEM_FINALIZE
      END

! Everything here has 8 bytes, so the other tests' checks don't fit.
      SUBROUTINE VERIFY(OK, NUMBER)
      LOGICAL OK
      IF (OK) RETURN
      PRINT *, 'FAIL: check ', NUMBER
      CALL SHMEM_GLOBAL_EXIT(1)
      END
