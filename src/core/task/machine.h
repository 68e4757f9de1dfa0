/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tasks need to know of the processor, for each of those that they run on: names of relocations, where a task's
 * context lies on its stack (machine.c has the switch), and what a signal handler finds. Others have none.c.
 */
#ifndef CORE_TASK_MACHINE_H
#define CORE_TASK_MACHINE_H

#include <elf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Relocations by what is done with them. TLS_OFFSET: a variable's place from the thread pointer; TLS_MODULE and
 * TLS_PLACE: its module, and its place in the module's block; TLS_CALL: a function to call, and its argument. */
enum core_task_relocation {
#if defined(__x86_64__)
    CORE_RELOC_NONE = R_X86_64_NONE,
    CORE_RELOC_COPY = R_X86_64_COPY,
    CORE_RELOC_WORD = R_X86_64_64,
    CORE_RELOC_VARIABLE = R_X86_64_GLOB_DAT,
    CORE_RELOC_FUNCTION = R_X86_64_JUMP_SLOT,
    CORE_RELOC_OWN = R_X86_64_RELATIVE,
    CORE_RELOC_CHOSEN = R_X86_64_IRELATIVE,
    CORE_RELOC_TLS_OFFSET = R_X86_64_TPOFF64,
    CORE_RELOC_TLS_MODULE = R_X86_64_DTPMOD64,
    CORE_RELOC_TLS_PLACE = R_X86_64_DTPOFF64,
    CORE_RELOC_TLS_CALL = R_X86_64_TLSDESC,
#elif defined(__aarch64__)
    CORE_RELOC_NONE = R_AARCH64_NONE,
    CORE_RELOC_COPY = R_AARCH64_COPY,
    CORE_RELOC_WORD = R_AARCH64_ABS64,
    CORE_RELOC_VARIABLE = R_AARCH64_GLOB_DAT,
    CORE_RELOC_FUNCTION = R_AARCH64_JUMP_SLOT,
    CORE_RELOC_OWN = R_AARCH64_RELATIVE,
    CORE_RELOC_CHOSEN = R_AARCH64_IRELATIVE,
    CORE_RELOC_TLS_OFFSET = R_AARCH64_TLS_TPREL,
    CORE_RELOC_TLS_MODULE = R_AARCH64_TLS_DTPMOD,
    CORE_RELOC_TLS_PLACE = R_AARCH64_TLS_DTPREL,
    CORE_RELOC_TLS_CALL = R_AARCH64_TLSDESC,
#endif
};

/* Of a symbol's size, which is the same wherever the object lies. */
static inline bool core_task_is_size(uint32_t relocation)
{
#if defined(__x86_64__)
    return relocation == R_X86_64_SIZE32 || relocation == R_X86_64_SIZE64;
#else
    (void)relocation;
    return false;
#endif
}

/* Of the calling thread. */
static inline uintptr_t core_task_thread_pointer(void)
{
#if defined(__aarch64__)
    return (uintptr_t)__builtin_thread_pointer(); /* it points behind what pthread_self tells */
#else
    return (uintptr_t)pthread_self();
#endif
}

/* What follows may use no thread's variables that it has looked up before. */
static inline void core_task_set_thread_pointer(uintptr_t to)
{
#if defined(__x86_64__)
    enum { SET_FS = 0x1002 };

    syscall(SYS_arch_prctl, SET_FS, to);
#elif defined(__aarch64__)
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(to) : "memory");
#else
    (void)to;
#endif
}

/* Has the processor an instruction that sets the thread pointer, and may we use it? */
static inline bool core_task_sets_pointer(void)
{
#if defined(__x86_64__)
    enum { FSGSBASE = 2 };

    return getauxval(AT_HWCAP2) & FSGSBASE;
#else
    return true;
#endif
}

/* Where a signal has come. */
static inline uintptr_t core_task_interrupted_at(const ucontext_t *c)
{
#if defined(__x86_64__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)c->uc_mcontext.pc;
#endif
}

/* Who has called what is not there, and has built no frame. */
static inline void *core_task_called_from(const ucontext_t *c)
{
#if defined(__x86_64__)
    return *(void **)c->uc_mcontext.gregs[REG_RSP];
#else
    return (void *)c->uc_mcontext.regs[30];
#endif
}

/* What the compiler's library wants to know of the processor takes instructions that are slow in virtual machines. */
static inline void core_task_look_at_processor(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
}

/* Bits of a word that the carrier alone changes, and its signal handlers: what one instruction does, which needs no
 * lock, or what is begun anew where a handler comes in between. */
static inline void core_task_set_bits(uint64_t *word, uint64_t bits)
{
#if defined(__x86_64__)
    __asm__ volatile("orq %1, %0" : "+m"(*word) : "r"(bits) : "cc");
#else
    __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
#endif
}

static inline void core_task_clear_bits(uint64_t *word, uint64_t bits)
{
#if defined(__x86_64__)
    __asm__ volatile("andq %1, %0" : "+m"(*word) : "r"(~bits) : "cc");
#else
    __atomic_fetch_and(word, ~bits, __ATOMIC_RELAXED);
#endif
}

/* ---- contexts (machine.c) ---- */

/* Stores the stack pointer at `save`, and goes on where `stack` was left, with that thread pointer: by an instruction,
 * or else by a system call. */
void core_task_swap(void **save, void *stack, uintptr_t thread, bool by_instruction);
/* Lays a context below `top` (of which nothing is touched): it goes to `entry` with `top` as stack, as the kernel
 * begins a program. Returns what core_task_swap takes. */
void *core_task_lay_entry(uintptr_t *top, uintptr_t entry);
/* Lays one below the context `stack`: call(arg) comes first. */
void *core_task_lay_call(void *stack, void (*call)(void *arg), void *arg);

#endif
