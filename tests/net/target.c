/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job that uses all ways of the network until the file that its argument names
 * is there, and looks at every byte: what it was given, and memory that nobody of
 * the job writes to. The first PE prints "right end".
 */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STILL = 1 << 16, WORDS = 64, LONG = 1 << 18 };

static unsigned char global[STILL] = {1};
static long counter, signal_word_of_nobody;
static uint64_t arrived;
static int me, npes;

static void expect(int ok, const char *what, long round)
{
    if (ok)
        return;
    fprintf(stderr, "target: PE %d, round %ld: wrong %s\n", me, round, what);
    shmem_global_exit(9);
}

static void still(const unsigned char *heap, long round)
{
    for (int i = 0; i < STILL; i++) {
        expect(heap[i] == (unsigned char)(i * 7 + me), "heap", round);
        expect(global[i] == (unsigned char)(i * 5 + me), "global variables", round);
    }
    expect(signal_word_of_nobody == 0, "word", round);
}

static void words(long *box, long round)
{
    int right = (me + 1) % npes, left = (me + npes - 1) % npes;
    long v[WORDS];
    for (int i = 0; i < WORDS; i++)
        v[i] = round * WORDS + i + me;
    shmem_long_put(box, v, WORDS, right);
    shmem_long_iput(box + WORDS, v, 2, 1, WORDS / 2, right);
    shmem_long_put_signal(box + 3 * WORDS, v, WORDS, &arrived, 1, SHMEM_SIGNAL_ADD, right);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, (uint64_t)round);
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++) {
        expect(box[i] == round * WORDS + i + left, "put", round);
        expect(i % 2 || box[WORDS + i] == round * WORDS + i / 2 + left, "strided put", round);
        expect(box[3 * WORDS + i] == round * WORDS + i + left, "put with signal", round);
    }
    shmem_long_iget(v, box + WORDS, 1, 2, WORDS / 2, right);
    for (int i = 0; i < WORDS / 2; i++)
        expect(v[i] == round * WORDS + i + me, "strided get", round);
    shmem_long_atomic_inc(&counter, 0);
    shmem_barrier_all();
    expect(shmem_long_atomic_fetch(&counter, 0) == round * npes, "sum of atomics", round);
    shmem_barrier_all();
}

static void messages(unsigned char *out, unsigned char *in, size_t n, long round)
{
    int right = (me + 1) % npes, left = (me + npes - 1) % npes;
    for (size_t i = 0; i < n; i++)
        out[i] = (unsigned char)(i * 3 + (size_t)round + (size_t)me);
    MPI_Sendrecv(out, (int)n, MPI_BYTE, right, 1, in, (int)n, MPI_BYTE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (size_t i = 0; i < n; i++)
        expect(in[i] == (unsigned char)(i * 3 + (size_t)round + (size_t)left), "message", round);
}

static int is_over(const char *file)
{
    static int over;
    if (me == 0)
        over = access(file, F_OK) == 0;
    MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return over;
}

int main(int argc, char **argv)
{
    shmem_init();
    MPI_Init(&argc, &argv);
    me = shmem_my_pe();
    npes = shmem_n_pes();
    unsigned char *heap = shmem_malloc(STILL), *out = malloc(LONG), *in = malloc(LONG);
    long *box = shmem_calloc(4 * WORDS, sizeof *box), round = 0;
    for (int i = 0; i < STILL; i++) {
        heap[i] = (unsigned char)(i * 7 + me);
        global[i] = (unsigned char)(i * 5 + me);
    }
    shmem_barrier_all();
    printf("process %d\n", (int)getpid());
    fflush(stdout);
    do {
        round++;
        words(box, round);
        messages(out, in, 100, round);
        messages(out, in, 20000, round);
        messages(out, in, LONG, round);
        still(heap, round);
    } while (!is_over(argv[1]));
    if (me == 0)
        printf("right end after %ld rounds\n", round);
    fflush(stdout);
    MPI_Finalize();
    shmem_finalize();
    return 0;
}
