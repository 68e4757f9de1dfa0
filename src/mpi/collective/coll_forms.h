/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From one function of a collective its three procedures: blocking, nonblocking
 * (I...) and persistent (..._init).
 */
#ifndef MPI_COLL_FORMS_H
#define MPI_COLL_FORMS_H

/* Last parameters of the one function. */
#define MPII_COLL_HOW enum mpii_coll_form form, MPI_Info info, MPI_Request *request, const char *call
#define MPII_COLL_HOW_BRIEF enum mpii_coll_form form, MPI_Info info, MPI_Request *request

#define MPII_COLL_LIST(...) __VA_ARGS__

/* parameters and arguments: lists in parentheses */
#define MPII_COLL_FORMS(Name, name, parameters, arguments)                                                \
    int mpii_##Name(MPII_COLL_LIST parameters)                                                            \
    {                                                                                                     \
        return name(MPII_COLL_LIST arguments, MPII_COLL_NOW, MPI_INFO_NULL, NULL, "MPI_" #Name);          \
    }                                                                                                     \
    int mpii_I##name(MPII_COLL_LIST parameters, MPI_Request *request)                                     \
    {                                                                                                     \
        return name(MPII_COLL_LIST arguments, MPII_COLL_STARTED, MPI_INFO_NULL, request, "MPI_I" #name);  \
    }                                                                                                     \
    int mpii_##Name##_init(MPII_COLL_LIST parameters, MPI_Info info, MPI_Request *request)                \
    {                                                                                                     \
        return name(MPII_COLL_LIST arguments, MPII_COLL_PERSISTENT, info, request, "MPI_" #Name "_init"); \
    }

/* The same of procedures whose arrays have two widths. */
#define MPII_COLL_FORMS_WIDE(Name, name, parameters, arguments)                                                 \
    int mpii_##Name(MPII_COLL_LIST parameters, int wide)                                                        \
    {                                                                                                           \
        return name(MPII_COLL_LIST arguments, wide, MPII_COLL_NOW, MPI_INFO_NULL, NULL, "MPI_" #Name);          \
    }                                                                                                           \
    int mpii_I##name(MPII_COLL_LIST parameters, MPI_Request *request, int wide)                                 \
    {                                                                                                           \
        return name(MPII_COLL_LIST arguments, wide, MPII_COLL_STARTED, MPI_INFO_NULL, request, "MPI_I" #name);  \
    }                                                                                                           \
    int mpii_##Name##_init(MPII_COLL_LIST parameters, MPI_Info info, MPI_Request *request, int wide)            \
    {                                                                                                           \
        return name(MPII_COLL_LIST arguments, wide, MPII_COLL_PERSISTENT, info, request, "MPI_" #Name "_init"); \
    }

#endif
