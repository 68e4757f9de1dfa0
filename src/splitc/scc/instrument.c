/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the compiler is asked for what src/instrument serves, as the other wrappers ask it (tools/wrapper).
 */
#include <string.h>

#include "driver.h"

void scc_words_add_instrument(const struct scc_driver *d, struct scc_words *w)
{
    static const char *const clang[] = {"-Xclang", "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile",
                                        "-include"};
    static const char *const gcc[] = {"-Wno-tsan",           "-fno-builtin-memcpy", "-fno-builtin-memmove",
                                      "-fno-builtin-memset", "-fno-builtin-strcpy", "-fno-builtin-strncpy",
                                      "-fno-builtin-strcat"};

    if (strstr(d->cc, "clang")) {
        for (size_t i = 0; i < sizeof clang / sizeof *clang; i++)
            scc_words_add(w, clang[i]);
        scc_words_add(w, scc_text("%s/mptcheck/memory.h", d->lib));
        return;
    }
    scc_words_add(w, scc_text("-specs=%s/mptcheck/gcc.specs", d->lib));
    scc_words_add(w, scc_text("-Wa,%s/mptcheck/memory.s", d->lib));
    for (size_t i = 0; i < sizeof gcc / sizeof *gcc; i++)
        scc_words_add(w, gcc[i]);
}
