/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fiber's stack, and the switch between it and its resumer (fiber.h): what a
 * function must preserve goes to the old stack and comes from the new one. On
 * processors without a switch of their own here the C library's serves.
 *
 * This file is compiled without control-flow protection: a shadow stack would have
 * to be switched, too, and so the library does not claim to work with one.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/page.h"
#include "core/wait/fiber.h"

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define FIBER_TSAN 1
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
#define FIBER_UCONTEXT 1
#include <ucontext.h>
#endif

#ifdef FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
enum { STACK = 1 << 20 };
#ifdef FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

struct core_fiber {
    void *own, *other; /* stack pointers: the fiber's, and the resumer's */
#ifdef FIBER_UCONTEXT
    ucontext_t own_context, other_context;
#endif
    void (*body)(void *arg);
    void *arg;
    bool ended;
    char *stack; /* a page that nobody may touch, and STACK bytes */
#ifdef FIBER_ASAN
    void *fake; /* the sanitizer's, of the one that is not running */
    const void *other_stack;
    size_t other_size;
#endif
#ifdef FIBER_TSAN
    void *own_tsan, *other_tsan;
#endif
};

static size_t guard(void)
{
    return core_page_size();
}

/* ---- what sanitizers want to know ---- */

static inline void leave_for_fiber(struct core_fiber *f)
{
    (void)f;
#ifdef FIBER_ASAN
    __sanitizer_start_switch_fiber(&f->fake, f->stack + guard(), STACK);
#endif
#ifdef FIBER_TSAN
    f->other_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f->own_tsan, 0);
#endif
}

static inline void arrive_from_fiber(struct core_fiber *f)
{
    (void)f;
#ifdef FIBER_ASAN
    __sanitizer_finish_switch_fiber(f->fake, NULL, NULL);
#endif
}

static inline void *leave_fiber(struct core_fiber *f)
{
    void *fake = NULL;

    (void)f;
#ifdef FIBER_ASAN
    __sanitizer_start_switch_fiber(&fake, f->other_stack, f->other_size);
#endif
#ifdef FIBER_TSAN
    __tsan_switch_to_fiber(f->other_tsan, 0);
#endif
    return fake;
}

static inline void arrive_in_fiber(struct core_fiber *f, void *fake)
{
    (void)f;
    (void)fake;
#ifdef FIBER_ASAN
    __sanitizer_finish_switch_fiber(fake, &f->other_stack, &f->other_size);
#endif
}

/* ---- the switch ---- */

/* A body's end is a switch back; the next body begins behind it. */
static void __attribute__((used, noreturn)) run(struct core_fiber *f);

#ifdef FIBER_UCONTEXT

static void begin(unsigned high, unsigned low)
{
    run((struct core_fiber *)((uintptr_t)high << 16 << 16 | low));
}

static void prepare(struct core_fiber *f)
{
    getcontext(&f->own_context);
    f->own_context.uc_stack.ss_sp = f->stack + guard();
    f->own_context.uc_stack.ss_size = STACK;
    f->own_context.uc_link = NULL;
    makecontext(&f->own_context, (void (*)(void))begin, 2, (unsigned)((uintptr_t)f >> 16 >> 16),
                (unsigned)(uintptr_t)f);
}

static void to_fiber(struct core_fiber *f)
{
    swapcontext(&f->other_context, &f->own_context);
}

static void to_other(struct core_fiber *f)
{
    swapcontext(&f->own_context, &f->other_context);
}

#else

/* *from = this stack; go on where `to` was left. */
void core_fiber_switch(void **from, void *to) __attribute__((visibility("hidden")));
/* Where a new stack returns to. It has the fiber in a register; the unwinder ends here. */
void core_fiber_begin(void) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".globl core_fiber_switch\n.hidden core_fiber_switch\n.type core_fiber_switch, @function\n"
        "core_fiber_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size core_fiber_switch, . - core_fiber_switch\n"
        ".globl core_fiber_begin\n.hidden core_fiber_begin\n.type core_fiber_begin, @function\n"
        "core_fiber_begin:\n"
        "    .cfi_startproc\n    .cfi_undefined rip\n"
        "    movq %r15, %rdi\n"
        "    call *%r14\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size core_fiber_begin, . - core_fiber_begin\n");

enum { FRAME = 7, FIBER_AT = 0, RUN_AT = 1, RETURN_AT = 6 }; /* in words */
#else
__asm__(".text\n"
        ".p2align 4\n"
        ".globl core_fiber_switch\n.hidden core_fiber_switch\n.type core_fiber_switch, %function\n"
        "core_fiber_switch:\n"
        "    stp x19, x20, [sp, #-160]!\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x2, sp\n    str x2, [x0]\n    mov sp, x1\n"
        "    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n    ldp d12, d13, [sp, #128]\n    ldp d14, d15, [sp, #144]\n"
        "    ldp x19, x20, [sp], #160\n"
        "    ret\n"
        ".size core_fiber_switch, . - core_fiber_switch\n"
        ".globl core_fiber_begin\n.hidden core_fiber_begin\n.type core_fiber_begin, %function\n"
        "core_fiber_begin:\n"
        "    .cfi_startproc\n    .cfi_undefined x30\n"
        "    mov x0, x19\n    blr x20\n    brk #1\n"
        "    .cfi_endproc\n"
        ".size core_fiber_begin, . - core_fiber_begin\n");

enum { FRAME = 20, FIBER_AT = 0, RUN_AT = 1, RETURN_AT = 11 }; /* in words */
#endif

/* As if it had been left just before `core_fiber_begin`. */
static void prepare(struct core_fiber *f)
{
    void **sp = (void **)(void *)(f->stack + guard() + STACK);

    sp -= FRAME + 2; /* 16-byte aligned once the frame is gone */
    sp[FIBER_AT] = f;
    sp[RUN_AT] = (void *)(uintptr_t)run;
    sp[RETURN_AT] = (void *)(uintptr_t)core_fiber_begin;
    f->own = sp;
}

static void to_fiber(struct core_fiber *f)
{
    core_fiber_switch(&f->other, f->own);
}

static void to_other(struct core_fiber *f)
{
    core_fiber_switch(&f->own, f->other);
}

#endif

static void run(struct core_fiber *f)
{
    arrive_in_fiber(f, NULL);
    for (;;) {
        f->body(f->arg);
        f->ended = true;
        core_fiber_yield();
    }
}

/* ---- the face ---- */

struct core_fiber *core_fiber_new(void)
{
    struct core_fiber *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    f->stack = mmap(NULL, guard() + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (f->stack == MAP_FAILED) {
        free(f);
        return NULL;
    }
    if (mprotect(f->stack + guard(), STACK, PROT_READ | PROT_WRITE) != 0) {
        munmap(f->stack, guard() + STACK);
        free(f);
        return NULL;
    }
#ifdef FIBER_TSAN
    f->own_tsan = __tsan_create_fiber(0);
#endif
    f->ended = true;
    prepare(f);
    return f;
}

void core_fiber_free(struct core_fiber *f)
{
    if (!f)
        return;
#ifdef FIBER_TSAN
    __tsan_destroy_fiber(f->own_tsan);
#endif
    munmap(f->stack, guard() + STACK);
    free(f);
}

void core_fiber_set(struct core_fiber *f, void (*body)(void *arg), void *arg)
{
    f->body = body;
    f->arg = arg;
    f->ended = false;
}

bool core_fiber_resume(struct core_fiber *f)
{
    core_thread.wait.fiber = f;
    leave_for_fiber(f);
    to_fiber(f);
    arrive_from_fiber(f);
    return f->ended;
}

/* The thread that goes on may be another one: nothing of a thread is read behind the switch. And not inlined, as
 * callers' code would keep the place of the thread's variables, where that takes a register (arm64). */
__attribute__((noinline)) void core_fiber_yield(void)
{
    struct core_fiber *f = core_thread.wait.fiber;
    void *fake;

    core_thread.wait.fiber = NULL;
    fake = leave_fiber(f);
    to_other(f);
    arrive_in_fiber(f, fake);
}
