/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C11 generics: the call is chosen by the type of its first pointer, which
 * may point to const; where the standard has a form with a context in front,
 * by the pointer after it. Each C type appears once (the typedefs are those).
 */
#ifndef MPT_SHMEM_GENERICS_H
#define MPT_SHMEM_GENERICS_H

#define MPT_ARG1(...) MPT_ARG1_(__VA_ARGS__, 0)
#define MPT_ARG2(...) MPT_ARG2_(__VA_ARGS__, 0, 0)
#define MPT_ARG1_(a, ...) a
#define MPT_ARG2_(a, b, ...) b

#define MPT_CASE(op, N, T, C) T * : shmem_##N##_##op, const T * : shmem_##N##_##op,
#define MPT_CASE_CTX(op, N, T, C) T * : shmem_ctx_##N##_##op, const T * : shmem_ctx_##N##_##op,

/* Never defined: to call it is the error a wrong type gets. */
extern const int mpt_no_call_for_this_type;

/* The deprecated families hold no two names of one C type. */
#define MPT_FOR_OLD_C11 MPT_FOR_OLD
#define MPT_FOR_OLX_C11 MPT_FOR_OLX

#define MPT_PICK(F, op, ...) \
    _Generic((MPT_ARG1(__VA_ARGS__)), MPT_FOR_##F##_C11(MPT_CASE, op) default: mpt_no_call_for_this_type)(__VA_ARGS__)
#define MPT_PICK_TEAM(F, op, ...) \
    _Generic((MPT_ARG2(__VA_ARGS__)), MPT_FOR_##F##_C11(MPT_CASE, op) default: mpt_no_call_for_this_type)(__VA_ARGS__)
#define MPT_PICK_CTX(F, op, ...)                                                       \
    _Generic((MPT_ARG1(__VA_ARGS__)),                                                  \
        MPT_FOR_##F##_C11(MPT_CASE, op) shmem_ctx_t: _Generic((MPT_ARG2(__VA_ARGS__)), \
            MPT_FOR_##F##_C11(MPT_CASE_CTX, op) default: mpt_no_call_for_this_type),   \
        default: mpt_no_call_for_this_type)(__VA_ARGS__)

/* 9.6, 9.8: remote memory access and put with signal */
#define shmem_put(...) MPT_PICK_CTX(RMA, put, __VA_ARGS__)
#define shmem_p(...) MPT_PICK_CTX(RMA, p, __VA_ARGS__)
#define shmem_iput(...) MPT_PICK_CTX(RMA, iput, __VA_ARGS__)
#define shmem_ibput(...) MPT_PICK_CTX(RMA, ibput, __VA_ARGS__)
#define shmem_get(...) MPT_PICK_CTX(RMA, get, __VA_ARGS__)
#define shmem_g(...) MPT_PICK_CTX(RMA, g, __VA_ARGS__)
#define shmem_iget(...) MPT_PICK_CTX(RMA, iget, __VA_ARGS__)
#define shmem_ibget(...) MPT_PICK_CTX(RMA, ibget, __VA_ARGS__)
#define shmem_put_nbi(...) MPT_PICK_CTX(RMA, put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) MPT_PICK_CTX(RMA, get_nbi, __VA_ARGS__)
#define shmem_put_signal(...) MPT_PICK_CTX(RMA, put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) MPT_PICK_CTX(RMA, put_signal_nbi, __VA_ARGS__)

/* 9.7: atomics */
#define shmem_atomic_fetch(...) MPT_PICK_CTX(AMX, atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) MPT_PICK_CTX(AMX, atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) MPT_PICK_CTX(AMX, atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) MPT_PICK_CTX(AMX, atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) MPT_PICK_CTX(AMX, atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) MPT_PICK_CTX(AMO, atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) MPT_PICK_CTX(AMO, atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) MPT_PICK_CTX(AMO, atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) MPT_PICK_CTX(AMO, atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) MPT_PICK_CTX(AMO, atomic_add, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) MPT_PICK_CTX(AMO, atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) MPT_PICK_CTX(AMO, atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) MPT_PICK_CTX(AMO, atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) MPT_PICK_CTX(ABT, atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) MPT_PICK_CTX(ABT, atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) MPT_PICK_CTX(ABT, atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) MPT_PICK_CTX(ABT, atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) MPT_PICK_CTX(ABT, atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) MPT_PICK_CTX(ABT, atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) MPT_PICK_CTX(ABT, atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) MPT_PICK_CTX(ABT, atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) MPT_PICK_CTX(ABT, atomic_fetch_xor_nbi, __VA_ARGS__)

/* Deprecated atomics */
#define shmem_fetch(...) MPT_PICK(OLX, fetch, __VA_ARGS__)
#define shmem_set(...) MPT_PICK(OLX, set, __VA_ARGS__)
#define shmem_swap(...) MPT_PICK(OLX, swap, __VA_ARGS__)
#define shmem_cswap(...) MPT_PICK(OLD, cswap, __VA_ARGS__)
#define shmem_finc(...) MPT_PICK(OLD, finc, __VA_ARGS__)
#define shmem_inc(...) MPT_PICK(OLD, inc, __VA_ARGS__)
#define shmem_fadd(...) MPT_PICK(OLD, fadd, __VA_ARGS__)
#define shmem_add(...) MPT_PICK(OLD, add, __VA_ARGS__)

/* 9.10: collectives; the team comes first */
#define shmem_alltoall(...) MPT_PICK_TEAM(RMA, alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) MPT_PICK_TEAM(RMA, alltoalls, __VA_ARGS__)
#define shmem_broadcast(...) MPT_PICK_TEAM(RMA, broadcast, __VA_ARGS__)
#define shmem_collect(...) MPT_PICK_TEAM(RMA, collect, __VA_ARGS__)
#define shmem_fcollect(...) MPT_PICK_TEAM(RMA, fcollect, __VA_ARGS__)
#define shmem_max_reduce(...) MPT_PICK_TEAM(RMA, max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) MPT_PICK_TEAM(RMA, min_reduce, __VA_ARGS__)
#define shmem_and_reduce(...) MPT_PICK_TEAM(RBT, and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) MPT_PICK_TEAM(RBT, or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) MPT_PICK_TEAM(RBT, xor_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) MPT_PICK_TEAM(SUM, sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) MPT_PICK_TEAM(SUM, prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) MPT_PICK_TEAM(SUM, sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) MPT_PICK_TEAM(SUM, sum_exscan, __VA_ARGS__)

/* 9.11: point-to-point synchronization */
#define shmem_wait_until(...) MPT_PICK(P2P, wait_until, __VA_ARGS__)
#define shmem_test(...) MPT_PICK(P2P, test, __VA_ARGS__)
#define shmem_wait_until_all(...) MPT_PICK(AMO, wait_until_all, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) MPT_PICK(AMO, wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any(...) MPT_PICK(AMO, wait_until_any, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) MPT_PICK(AMO, wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some(...) MPT_PICK(AMO, wait_until_some, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) MPT_PICK(AMO, wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all(...) MPT_PICK(AMO, test_all, __VA_ARGS__)
#define shmem_test_all_vector(...) MPT_PICK(AMO, test_all_vector, __VA_ARGS__)
#define shmem_test_any(...) MPT_PICK(AMO, test_any, __VA_ARGS__)
#define shmem_test_any_vector(...) MPT_PICK(AMO, test_any_vector, __VA_ARGS__)
#define shmem_test_some(...) MPT_PICK(AMO, test_some, __VA_ARGS__)
#define shmem_test_some_vector(...) MPT_PICK(AMO, test_some_vector, __VA_ARGS__)

/* These have no type to choose by. */
#define shmem_signal_add(...) \
    _Generic((MPT_ARG1(__VA_ARGS__)), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)(__VA_ARGS__)
#define shmem_signal_set(...) \
    _Generic((MPT_ARG1(__VA_ARGS__)), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)(__VA_ARGS__)
#define shmem_sync(...) \
    _Generic((MPT_ARG1(__VA_ARGS__)), shmem_team_t: shmem_team_sync, default: shmem_sync)(__VA_ARGS__)

#endif
