// SPDX-License-Identifier: BSD-3-Clause
// $ cc vexp.c $(pkg-config --cflags benchlib) -L"$HOME/mpt/lib" -Wl,-rpath,"$HOME/mpt/lib" -lmptm -lm -o framed
// $ ./framed
#include <math.h>
#include <mptm.h>

int main(void)
{
    enum { n = 4 };
    double x[n] = {0, 1, 2, 3}, y[n];

    // LISTING
    return fabs(y[1] - exp(1)) > 1e-12;
}
