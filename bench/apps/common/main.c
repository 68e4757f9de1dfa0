/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where an application in C begins. A file of its own, as Split-C's begin elsewhere (splitc/face.sc).
 */
#include "app.h"

int main(int argc, char **argv)
{
    return app_main(argc, argv);
}
