/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events and their sources (15.3.8): this library raises none, so every index
 * and handle is one that does not exist.
 */
#include "mpi/tool/tool.h"

static int none(int *number)
{
    TOOL_READY();
    if (!number)
        return MPI_T_ERR_INVALID;
    *number = 0;
    return MPI_SUCCESS;
}

static int no_such(int code)
{
    TOOL_READY();
    return code;
}

#define UNUSED_2(a_, b_) (void)(a_), (void)(b_)
#define UNUSED_4(a_, b_, c_, d_) UNUSED_2(a_, b_), UNUSED_2(c_, d_)

int mpii_T_source_get_num(int *num_sources)
{
    return none(num_sources);
}

int mpii_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len,
                           MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks,
                           MPI_Info *info)
{
    UNUSED_4(source_index, name, name_len, desc);
    UNUSED_4(desc_len, ordering, ticks_per_second, max_ticks);
    (void)info;
    return no_such(MPI_T_ERR_INVALID_INDEX);
}

int mpii_T_source_get_timestamp(int source_index, MPI_Count *timestamp)
{
    UNUSED_2(source_index, timestamp);
    return no_such(MPI_T_ERR_INVALID_INDEX);
}

int mpii_T_event_get_num(int *num_events)
{
    return none(num_events);
}

int mpii_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype array_of_datatypes[],
                          MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, MPI_Info *info,
                          char *desc, int *desc_len, int *bind)
{
    UNUSED_4(event_index, name, name_len, verbosity);
    UNUSED_4(array_of_datatypes, array_of_displacements, num_elements, enumtype);
    UNUSED_4(info, desc, desc_len, bind);
    return no_such(MPI_T_ERR_INVALID_INDEX);
}

int mpii_T_event_get_index(const char *name, int *event_index)
{
    TOOL_READY();
    return name && event_index ? MPI_T_ERR_INVALID_NAME : MPI_T_ERR_INVALID;
}

int mpii_T_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info,
                              MPI_T_event_registration *event_registration)
{
    UNUSED_4(event_index, obj_handle, info, event_registration);
    return no_such(MPI_T_ERR_INVALID_INDEX);
}

int mpii_T_event_handle_free(MPI_T_event_registration event_registration, void *user_data,
                             MPI_T_event_free_cb_function free_cb_function)
{
    UNUSED_2(event_registration, user_data);
    (void)free_cb_function;
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info *info_used)
{
    UNUSED_2(event_registration, info_used);
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info)
{
    UNUSED_2(event_registration, info);
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                   MPI_Info info, void *user_data, MPI_T_event_cb_function event_cb_function)
{
    UNUSED_4(event_registration, cb_safety, info, user_data);
    (void)event_cb_function;
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                   MPI_Info *info_used)
{
    UNUSED_2(event_registration, cb_safety);
    (void)info_used;
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                   MPI_Info info)
{
    UNUSED_2(event_registration, cb_safety);
    (void)info;
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_set_dropped_handler(MPI_T_event_registration event_registration,
                                     MPI_T_event_dropped_cb_function dropped_cb_function)
{
    (void)event_registration;
    (void)dropped_cb_function;
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_read(MPI_T_event_instance event_instance, int element_index, void *buffer)
{
    UNUSED_2(event_instance, element_index);
    (void)buffer;
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_copy(MPI_T_event_instance event_instance, void *buffer)
{
    UNUSED_2(event_instance, buffer);
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count *event_timestamp)
{
    UNUSED_2(event_instance, event_timestamp);
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}

int mpii_T_event_get_source(MPI_T_event_instance event_instance, int *source_index)
{
    UNUSED_2(event_instance, source_index);
    return no_such(MPI_T_ERR_INVALID_HANDLE);
}
