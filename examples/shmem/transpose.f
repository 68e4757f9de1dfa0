! SPDX-License-Identifier: BSD-3-Clause
!
! A matrix is transposed in the manner of the T3D: fixed form, the matrix in COMMON
! and its columns dealt out to the PEs, one strided put for each column and PE.
!
!   oshfort -O2 transpose.f -o transpose && oshrun -np 4 ./transpose
      PROGRAM TRANSP
      INCLUDE 'mpp/shmem.fh'
      INTEGER SHMEM_MY_PE, SHMEM_N_PES
C     Up to NMAX columns a PE; the matrix has NMAX*NPES rows.
      INTEGER NMAX, PEMAX
      PARAMETER (NMAX = 32, PEMAX = 64)
      REAL*8 A, B
      COMMON /MATRIX/ A(NMAX*PEMAX, NMAX), B(NMAX*PEMAX, NMAX)
      INTEGER ME, NPES, N, I, J, K, NWRONG

      CALL START_PES(0)
      ME = SHMEM_MY_PE()
      NPES = SHMEM_N_PES()
      IF (NPES .GT. PEMAX) THEN
         PRINT *, 'this program is for up to ', PEMAX, ' PEs'
         CALL SHMEM_GLOBAL_EXIT(1)
      END IF
      N = NMAX*NPES
      DO 20 J = 1, NMAX
         DO 10 I = 1, N
            A(I, J) = I + 10000.0D0*(ME*NMAX + J)
   10    CONTINUE
   20 CONTINUE

C     Rows K*NMAX+1... of column J become row ME*NMAX+J of PE K's columns.
C     To start with the next PE keeps all from putting to the same one.
      CALL SHMEM_BARRIER_ALL
      DO 40 I = 1, NPES
         K = MOD(ME + I, NPES)
         DO 30 J = 1, NMAX
            CALL SHMEM_IPUT8(B(ME*NMAX + J, 1), A(K*NMAX + 1, J),
     &                       NMAX*PEMAX, 1, NMAX, K)
   30    CONTINUE
   40 CONTINUE
      CALL SHMEM_BARRIER_ALL

      NWRONG = 0
      DO 60 J = 1, NMAX
         DO 50 I = 1, N
            IF (B(I, J) .NE. ME*NMAX + J + 10000.0D0*I)
     &         NWRONG = NWRONG + 1
   50    CONTINUE
   60 CONTINUE
      IF (NWRONG .GT. 0) THEN
         PRINT *, 'PE', ME, ': ', NWRONG, ' elements are wrong'
         CALL SHMEM_GLOBAL_EXIT(1)
      END IF
      IF (ME .EQ. 0) PRINT '(A,I5,A,I5,A,I3,A)', ' a matrix of', N,
     &   ' rows and', N, ' columns transposed by', NPES, ' PEs'
      END
