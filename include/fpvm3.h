! SPDX-License-Identifier: BSD-3-Clause
!
! PVM 3.4 in Fortran: the constants of the procedures pvmf... Written so
! that both source forms can include it. Link with -lfpvm3 -lgpvm3
! -lpvm3. Values are those of pvm3.h; only PvmDupEntry means another
! code here than in C, as it always has.
!
! Every task of a stand-alone program is in the group PVMALL:
!     CHARACTER*8 PVMALL
!     COMMON /PVMALL/ PVMALL

! pvmfspawn: where tasks start, and how
      integer PVMTASKDEFAULT
      integer PVMTASKHOST
      integer PVMTASKARCH
      integer PVMTASKDEBUG
      integer PVMTASKTRACE
      integer PVMMPPFRONT
      integer PVMHOSTCOMPL
      integer PVMNOSPAWNPARENT
      parameter (PVMTASKDEFAULT   = 0)
      parameter (PVMTASKHOST      = 1)
      parameter (PVMTASKARCH      = 2)
      parameter (PVMTASKDEBUG     = 4)
      parameter (PVMTASKTRACE     = 8)
      parameter (PVMMPPFRONT      = 16)
      parameter (PVMHOSTCOMPL     = 32)
      parameter (PVMNOSPAWNPARENT = 64)

! The same under the names of PVM 3.2
      integer PVMHOST
      integer PVMARCH
      integer PVMDEBUG
      integer PVMTRACE
      parameter (PVMHOST  = 1)
      parameter (PVMARCH  = 2)
      parameter (PVMDEBUG = 4)
      parameter (PVMTRACE = 8)

! Encodings of a buffer
      integer PVMDATADEFAULT
      integer PVMDATARAW
      integer PVMDATAINPLACE
      integer PVMDATATRACE
      integer PVMDEFAULT
      integer PVMRAW
      integer PVMINPLACE
      parameter (PVMDATADEFAULT = 0)
      parameter (PVMDATARAW     = 1)
      parameter (PVMDATAINPLACE = 2)
      parameter (PVMDATATRACE   = 4)
      parameter (PVMDEFAULT     = 0)
      parameter (PVMRAW         = 1)
      parameter (PVMINPLACE     = 2)

! Types of pvmfpack, pvmfpsend, pvmfreduce ...
      integer STRING
      integer BYTE1
      integer INTEGER2
      integer INTEGER4
      integer REAL4
      integer COMPLEX8
      integer REAL8
      integer COMPLEX16
      integer INTEGER8
      parameter (STRING    = 0)
      parameter (BYTE1     = 1)
      parameter (INTEGER2  = 2)
      parameter (INTEGER4  = 3)
      parameter (REAL4     = 4)
      parameter (COMPLEX8  = 5)
      parameter (REAL8     = 6)
      parameter (COMPLEX16 = 7)
      parameter (INTEGER8  = 8)

! pvmfnotify
      integer PVMTASKEXIT
      integer PVMHOSTDELETE
      integer PVMHOSTADD
      integer PVMROUTEADD
      integer PVMROUTEDELETE
      integer PVMNOTIFYCANCEL
      parameter (PVMTASKEXIT     = 1)
      parameter (PVMHOSTDELETE   = 2)
      parameter (PVMHOSTADD      = 3)
      parameter (PVMROUTEADD     = 4)
      parameter (PVMROUTEDELETE  = 5)
      parameter (PVMNOTIFYCANCEL = 256)

! Options of pvmfsetopt and pvmfgetopt
      integer PVMROUTE
      integer PVMDEBUGMASK
      integer PVMAUTOERR
      integer PVMOUTPUTTID
      integer PVMOUTPUTCODE
      integer PVMTRACETID
      integer PVMTRACECODE
      integer PVMTRACEBUFFER
      integer PVMTRACEOPTIONS
      integer PVMFRAGSIZE
      integer PVMRESVTIDS
      integer PVMSOUTPUTTID
      integer PVMSOUTPUTCODE
      integer PVMSTRACETID
      integer PVMSTRACECODE
      integer PVMSTRACEBUFFER
      integer PVMSTRACEOPTIONS
      integer PVMSHOWTIDS
      integer PVMPOLLTYPE
      integer PVMPOLLTIME
      integer PVMOUTPUTCTX
      integer PVMTRACECTX
      integer PVMSOUTPUTCTX
      integer PVMSTRACECTX
      integer PVMNORESET
      integer PVM_DATA_MAX
      parameter (PVMROUTE         = 1)
      parameter (PVMDEBUGMASK     = 2)
      parameter (PVMAUTOERR       = 3)
      parameter (PVMOUTPUTTID     = 4)
      parameter (PVMOUTPUTCODE    = 5)
      parameter (PVMTRACETID      = 6)
      parameter (PVMTRACECODE     = 7)
      parameter (PVMTRACEBUFFER   = 8)
      parameter (PVMTRACEOPTIONS  = 9)
      parameter (PVMFRAGSIZE      = 10)
      parameter (PVMRESVTIDS      = 11)
      parameter (PVMSOUTPUTTID    = 12)
      parameter (PVMSOUTPUTCODE   = 13)
      parameter (PVMSTRACETID     = 14)
      parameter (PVMSTRACECODE    = 15)
      parameter (PVMSTRACEBUFFER  = 16)
      parameter (PVMSTRACEOPTIONS = 17)
      parameter (PVMSHOWTIDS      = 18)
      parameter (PVMPOLLTYPE      = 19)
      parameter (PVMPOLLTIME      = 20)
      parameter (PVMOUTPUTCTX     = 21)
      parameter (PVMTRACECTX      = 22)
      parameter (PVMSOUTPUTCTX    = 23)
      parameter (PVMSTRACECTX     = 24)
      parameter (PVMNORESET       = 25)
      parameter (PVM_DATA_MAX     = 26)

! Their values
      integer PVMDONTROUTE
      integer PVMALLOWDIRECT
      integer PVMROUTEDIRECT
      integer PVMTRACEFULL
      integer PVMTRACETIME
      integer PVMTRACECOUNT
      integer PVMPOLLCONSTANT
      integer PVMPOLLSLEEP
      parameter (PVMDONTROUTE    = 1)
      parameter (PVMALLOWDIRECT  = 2)
      parameter (PVMROUTEDIRECT  = 3)
      parameter (PVMTRACEFULL    = 1)
      parameter (PVMTRACETIME    = 2)
      parameter (PVMTRACECOUNT   = 3)
      parameter (PVMPOLLCONSTANT = 1)
      parameter (PVMPOLLSLEEP    = 2)

! Flags of the mailbox
      integer PVMMBOXDEFAULT
      integer PVMMBOXPERSISTENT
      integer PVMMBOXMULTIINSTANCE
      integer PVMMBOXOVERWRITABLE
      integer PVMMBOXFIRSTAVAIL
      integer PVMMBOXREADANDDELETE
      integer PVMMBOXWAITFORINFO
      parameter (PVMMBOXDEFAULT       = 0)
      parameter (PVMMBOXPERSISTENT    = 1)
      parameter (PVMMBOXMULTIINSTANCE = 2)
      parameter (PVMMBOXOVERWRITABLE  = 4)
      parameter (PVMMBOXFIRSTAVAIL    = 8)
      parameter (PVMMBOXREADANDDELETE = 16)
      parameter (PVMMBOXWAITFORINFO   = 32)

! Error codes
      integer PvmOk
      integer PvmBadParam
      integer PvmMismatch
      integer PvmOverflow
      integer PvmNoData
      integer PvmNoHost
      integer PvmNoFile
      integer PvmDenied
      integer PvmNoMem
      integer PvmBadMsg
      integer PvmSysErr
      integer PvmNoBuf
      integer PvmNoSuchBuf
      integer PvmNullGroup
      integer PvmDupGroup
      integer PvmNoGroup
      integer PvmNotInGroup
      integer PvmNoInst
      integer PvmHostFail
      integer PvmNoParent
      integer PvmNotImpl
      integer PvmDSysErr
      integer PvmBadVersion
      integer PvmOutOfRes
      integer PvmDupHost
      integer PvmCantStart
      integer PvmAlready
      integer PvmNoTask
      integer PvmNotFound
      integer PvmExists
      integer PvmHostrNMstr
      integer PvmParentNotSet
      integer PvmIPLoopback
      integer PvmNoEntry
      integer PvmDupEntry
      parameter (PvmOk           = 0)
      parameter (PvmBadParam     = -2)
      parameter (PvmMismatch     = -3)
      parameter (PvmOverflow     = -4)
      parameter (PvmNoData       = -5)
      parameter (PvmNoHost       = -6)
      parameter (PvmNoFile       = -7)
      parameter (PvmDenied       = -8)
      parameter (PvmNoMem        = -10)
      parameter (PvmBadMsg       = -12)
      parameter (PvmSysErr       = -14)
      parameter (PvmNoBuf        = -15)
      parameter (PvmNoSuchBuf    = -16)
      parameter (PvmNullGroup    = -17)
      parameter (PvmDupGroup     = -18)
      parameter (PvmNoGroup      = -19)
      parameter (PvmNotInGroup   = -20)
      parameter (PvmNoInst       = -21)
      parameter (PvmHostFail     = -22)
      parameter (PvmNoParent     = -23)
      parameter (PvmNotImpl      = -24)
      parameter (PvmDSysErr      = -25)
      parameter (PvmBadVersion   = -26)
      parameter (PvmOutOfRes     = -27)
      parameter (PvmDupHost      = -28)
      parameter (PvmCantStart    = -29)
      parameter (PvmAlready      = -30)
      parameter (PvmNoTask       = -31)
      parameter (PvmNotFound     = -32)
      parameter (PvmExists       = -33)
      parameter (PvmHostrNMstr   = -34)
      parameter (PvmParentNotSet = -35)
      parameter (PvmIPLoopback   = -36)
      parameter (PvmNoEntry      = -32)
      parameter (PvmDupEntry     = -33)
