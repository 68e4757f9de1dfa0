! SPDX-License-Identifier: BSD-3-Clause
!
! Groups in fixed form, as programs of the T3E were written: PVMALL without
! joining, then a group of everybody, all collective calls, own operations.
      SUBROUTINE COMBINE(TYPE, X, Y, N, INFO)
      INTEGER TYPE, N, INFO, X(N), Y(N), I
      DO 10 I = 1, N
   10 X(I) = IEOR(X(I), Y(I))
      INFO = TYPE - TYPE
      END

      PROGRAM GROUPS
      INCLUDE 'fpvm3.h'
      EXTERNAL PVMSUM, PVMMAX, PVMMIN, PVMPRODUCT, COMBINE
      CHARACTER*8 PVMALL, OTHER
      COMMON /PVMALL/ PVMALL
      INTEGER TID, ME, N, INFO, I, V(2), ALL(64), MINE, SUM, X
      DOUBLE PRECISION D
      CALL PVMFMYTID(TID)
      CALL PVMFSETOPT(PVMAUTOERR, 0, INFO)
      CALL PVMFGETPE(TID, ME)
      CALL PVMFGSIZE(PVMALL, N)
      CALL CHECK(N .GE. 1 .AND. ME .LT. N, 'PVMALL has a size')
      OTHER = PVMALL
      CALL PVMFGSIZE(OTHER, I)
      CALL GIVES(I, N, 'PVMFGSIZE of a copy of PVMALL')
      CALL PVMFGETINST(PVMALL, TID, I)
      CALL GIVES(I, ME, 'PVMFGETINST')
      CALL PVMFGETTID(PVMALL, ME, I)
      CALL GIVES(I, TID, 'PVMFGETTID')
      CALL PVMFBARRIER(PVMALL, N, INFO)
      CALL GIVES(INFO, 0, 'PVMFBARRIER of PVMALL')
! Tasks by their PE numbers
      CALL PVMFINITSEND(PVMRAW, INFO)
      CALL PVMFPACK(INTEGER4, ME, 1, 1, INFO)
      CALL PVMFSEND(MOD(ME + 1, N), 1, INFO)
      CALL GIVES(INFO, 0, 'PVMFSEND to a PE')
      CALL PVMFRECV(MOD(ME + N - 1, N), 1, INFO)
      CALL PVMFUNPACK(INTEGER4, I, 1, 1, INFO)
      CALL GIVES(I, MOD(ME + N - 1, N), 'PVMFRECV from a PE')
      IF (ME .EQ. 0) THEN
         CALL PVMFINITSEND(PVMDEFAULT, INFO)
         CALL PVMFPACK(INTEGER4, 99, 1, 1, INFO)
         CALL PVMFBCAST(PVMALL, 2, INFO)
         CALL GIVES(INFO, 0, 'PVMFBCAST')
      ELSE
         CALL PVMFRECV(0, 2, INFO)
         CALL PVMFUNPACK(INTEGER4, I, 1, 1, INFO)
         CALL GIVES(I, 99, 'PVMFBCAST to all')
      END IF
      CALL PVMFJOINGROUP('blanks behind   ', MINE)
      CALL CHECK(MINE .GE. 0 .AND. MINE .LT. N, 'PVMFJOINGROUP')
      CALL PVMFJOINGROUP('blanks behind', INFO)
      CALL GIVES(INFO, PvmDupGroup, 'PVMFJOINGROUP again')
      CALL PVMFFREEZEGROUP('blanks behind', N, INFO)
      CALL GIVES(INFO, N, 'PVMFFREEZEGROUP')
      SUM = N * (N + 1) / 2
      V(1) = MINE + 1
      V(2) = -MINE
      CALL PVMFREDUCE(PVMSUM, V, 2, INTEGER4, 3, 'blanks behind', 0,
     &                INFO)
      CALL GIVES(INFO, 0, 'PVMFREDUCE')
      IF (MINE .EQ. 0) CALL GIVES(V(1), SUM, 'PVMSUM')
      IF (MINE .EQ. 0) CALL GIVES(V(2), N - SUM, 'second of PVMSUM')
      D = MINE
      CALL PVMFREDUCE(PVMMAX, D, 1, REAL8, 4, 'blanks behind', 0, INFO)
      IF (MINE .EQ. 0) CALL CHECK(D .EQ. N - 1, 'PVMMAX')
      D = MINE + 1
      CALL PVMFREDUCE(PVMMIN, D, 1, REAL8, 5, 'blanks behind', 0, INFO)
      IF (MINE .EQ. 0) CALL CHECK(D .EQ. 1, 'PVMMIN')
      D = 2
      CALL PVMFREDUCE(PVMPRODUCT, D, 1, REAL8, 6, 'blanks behind', 0,
     &                INFO)
      IF (MINE .EQ. 0) CALL CHECK(D .EQ. 2D0**N, 'PVMPRODUCT')
      V(1) = MINE
      CALL PVMFREDUCE(COMBINE, V, 1, INTEGER4, 7, 'blanks behind', 0,
     &                INFO)
      X = 0
      DO 20 I = 0, N - 1
   20 X = IEOR(X, I)
      IF (MINE .EQ. 0) CALL GIVES(V(1), X, 'an own operation')
      V(1) = 10 * MINE
      CALL PVMFGATHER(ALL, V, 1, INTEGER4, 8, 'blanks behind', N - 1,
     &                INFO)
      CALL GIVES(INFO, 0, 'PVMFGATHER')
      IF (MINE .EQ. N - 1) THEN
         DO 30 I = 1, N
   30    CALL GIVES(ALL(I), 10 * (I - 1), 'PVMFGATHER')
      END IF
      CALL PVMFBARRIER('blanks behind', -1, INFO)
      DO 40 I = 1, N
   40 ALL(I) = 100 * I
      CALL PVMFSCATTER(V, ALL, 1, INTEGER4, 9, 'blanks behind', 0,
     &                 INFO)
      CALL GIVES(V(1), 100 * (MINE + 1), 'PVMFSCATTER')
      CALL PVMFBARRIER('blanks behind', N, INFO)
      CALL PVMFLVGROUP('blanks behind', INFO)
      CALL GIVES(INFO, 0, 'PVMFLVGROUP')
      CALL PVMFLVGROUP('blanks behind', INFO)
      CALL CHECK(INFO .LT. 0, 'PVMFLVGROUP again')
      CALL PVMFJOINGROUP('   ', INFO)
      CALL GIVES(INFO, PvmNullGroup, 'PVMFJOINGROUP of no name')
      CALL FINISH()
      END
