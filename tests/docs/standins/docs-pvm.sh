# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
ln -s ~/mpt PREFIX
cp examples/pvm/primes.c hello.c
cat > code.f <<'END'
      program code
      include 'fpvm3.h'
      integer me, info
      call pvmfmytid(me)
      call pvmfexit(info)
      end
END
pvm=(-I PREFIX/include -L PREFIX/lib -lgpvm3 -lpvm3)
cc hello.c -o built-elsewhere "${pvm[@]}"
cc hello.c -o master1 "${pvm[@]}" -Wl,-rpath,"$HOME/mpt/lib"
cc examples/pvm/variance.c -o prog "${pvm[@]}" -lm -Wl,-rpath,"$HOME/mpt/lib"
