/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The switch between tasks (machine.h): what a function must preserve goes to the old stack and comes from the new one,
 * how it rounds included.
 */
#include "core/task/machine.h"

#include <string.h>

void core_task_enter(void);
void core_task_resumed(void); /* calls one register with another one, and goes on with the context above */

#if defined(__x86_64__)
__asm__(".text\n.globl core_task_swap\n.hidden core_task_swap\n.type core_task_swap,@function\n"
        "core_task_swap:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  subq $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
        "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
        "  testb %cl, %cl\n  jz 1f\n"
        "  wrfsbase %rdx\n"
        "2:\n"
        "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n  addq $8, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        "1:\n"
        "  movl $158, %eax\n  movl $0x1002, %edi\n  movq %rdx, %rsi\n  syscall\n  jmp 2b\n"
        ".size core_task_swap,.-core_task_swap\n"
        ".globl core_task_resumed\n.hidden core_task_resumed\n.type core_task_resumed,@function\n"
        "core_task_resumed:\n  movq %r13, %rdi\n  callq *%r12\n  jmp 2b\n"
        ".size core_task_resumed,.-core_task_resumed\n"
        ".globl core_task_enter\n.hidden core_task_enter\n.type core_task_enter,@function\n"
        "core_task_enter:\n  xorl %edx, %edx\n  xorl %ebp, %ebp\n  jmpq *%r12\n"
        ".size core_task_enter,.-core_task_enter\n");

/* Words of a context: control words, r15 to r12, rbx, rbp, and where to go on. */
enum { ROUNDING, ARG = 3, CALL = 4, GO_ON = 7, WORDS };
static const uintptr_t usual_rounding = 0x37full << 32 | 0x1f80; /* of x87, and of vectors */

#elif defined(__aarch64__)
/* Writing to the control register is slow, so only what differs is written. */
__asm__(".text\n.globl core_task_swap\n.hidden core_task_swap\n.type core_task_swap,%function\n"
        "core_task_swap:\n"
        "  sub sp, sp, #176\n"
        "  mrs x9, fpcr\n"
        "  str x9, [sp]\n"
        "  stp x19, x20, [sp, #16]\n  stp x21, x22, [sp, #32]\n  stp x23, x24, [sp, #48]\n"
        "  stp x25, x26, [sp, #64]\n  stp x27, x28, [sp, #80]\n  stp x29, x30, [sp, #96]\n"
        "  stp d8, d9, [sp, #112]\n  stp d10, d11, [sp, #128]\n  stp d12, d13, [sp, #144]\n"
        "  stp d14, d15, [sp, #160]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  msr tpidr_el0, x2\n"
        "2:\n"
        "  ldr x9, [sp]\n"
        "  mrs x10, fpcr\n"
        "  cmp x9, x10\n  b.eq 1f\n  msr fpcr, x9\n"
        "1:\n"
        "  ldp x19, x20, [sp, #16]\n  ldp x21, x22, [sp, #32]\n  ldp x23, x24, [sp, #48]\n"
        "  ldp x25, x26, [sp, #64]\n  ldp x27, x28, [sp, #80]\n  ldp x29, x30, [sp, #96]\n"
        "  ldp d8, d9, [sp, #112]\n  ldp d10, d11, [sp, #128]\n  ldp d12, d13, [sp, #144]\n"
        "  ldp d14, d15, [sp, #160]\n"
        "  add sp, sp, #176\n"
        "  ret\n"
        ".size core_task_swap,.-core_task_swap\n"
        ".globl core_task_resumed\n.hidden core_task_resumed\n.type core_task_resumed,%function\n"
        "core_task_resumed:\n  mov x0, x20\n  blr x19\n  b 2b\n"
        ".size core_task_resumed,.-core_task_resumed\n"
        ".globl core_task_enter\n.hidden core_task_enter\n.type core_task_enter,%function\n"
        "core_task_enter:\n  mov x16, x19\n  mov x0, #0\n  mov x29, #0\n  mov x30, #0\n  br x16\n"
        ".size core_task_enter,.-core_task_enter\n");

/* Words of a context: the control register, a word left free, x19 to x30, d8 to d15. */
enum { ROUNDING, CALL = 2, ARG = 3, GO_ON = 13, WORDS = 22 };
static const uintptr_t usual_rounding = 0;
#endif

static uintptr_t *lay(uintptr_t *top, uintptr_t rounding, void (*go_on)(void))
{
    uintptr_t *at = top - WORDS;

    memset(at, 0, WORDS * sizeof *at);
    at[ROUNDING] = rounding;
    at[GO_ON] = (uintptr_t)go_on;
    return at;
}

void *core_task_lay_entry(uintptr_t *top, uintptr_t entry)
{
    uintptr_t *at = lay(top, usual_rounding, core_task_enter);

    at[CALL] = entry;
    return at;
}

void *core_task_lay_call(void *stack, void (*call)(void *arg), void *arg)
{
    uintptr_t *above = stack, *at = lay(above, above[ROUNDING], core_task_resumed);

    at[CALL] = (uintptr_t)call;
    at[ARG] = (uintptr_t)arg;
    return at;
}
