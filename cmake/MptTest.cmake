# SPDX-License-Identifier: BSD-3-Clause
#
# How tests are declared. A program is built once and becomes one CTest test for
# each number of PEs; exit status 77 means skipped; every test has a time limit.
# Programs of the OpenSHMEM interface run again with every other PE reached by
# the network: <name>.ofi2 and .ofi4, label ofi.

set(MPT_TEST_ENV "MPT_BUILD=${PROJECT_BINARY_DIR}" "MPT_SOURCE=${PROJECT_SOURCE_DIR}")
if(MPT_SANITIZE)
  # Symmetric memory is one large sparse mapping; leaks at abort are not ours to report.
  list(APPEND MPT_TEST_ENV "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1" "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1"
       "TSAN_OPTIONS=halt_on_error=1")
endif()

find_path(MPT_FABRIC_HEADER rdma/fabric.h)

function(mpt_declare name timeout labels)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} SKIP_RETURN_CODE 77 ENVIRONMENT "${MPT_TEST_ENV}"
                       LABELS "${labels}")
endfunction()

function(mpt_run_with_pes name target pes timeout labels)
  foreach(n IN LISTS pes)
    add_test(NAME ${name}.${n} COMMAND $<TARGET_FILE:mptrun> -n ${n} $<TARGET_FILE:${target}>)
    mpt_declare(${name}.${n} ${timeout} "${labels}")
    if(n GREATER 2)
      set_tests_properties(${name}.${n} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endfunction()

# Environment of the runs over the network.
set(MPT_OFI_ENV "MPT_TRANSPORT=ofi")

function(mpt_run_over_ofi name target pes timeout labels env)
  if(NOT MPT_FABRIC_HEADER OR MPT_SANITIZE MATCHES thread)
    return()
  endif()
  foreach(n IN LISTS pes)
    add_test(NAME ${name}.ofi${n} COMMAND $<TARGET_FILE:mptrun> -n ${n} $<TARGET_FILE:${target}>)
    mpt_declare(${name}.ofi${n} ${timeout} "${labels};ofi")
    set_tests_properties(${name}.ofi${n} PROPERTIES ENVIRONMENT "${MPT_TEST_ENV};${MPT_OFI_ENV};${env}" PROCESSORS 2)
  endforeach()
endfunction()

# mpt_pe_test(name SOURCES f.c [PES 1 2 3 4 8] [LIBS ...] [TIMEOUT s] [LABELS ...]
#             [OFI_PES 2 4 | none] [OFI_ENV A=1 ...] [OFI_LABELS ...])
function(mpt_pe_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;PES;LIBS;LABELS;OFI_PES;OFI_ENV;OFI_LABELS" ${ARGN})
  if(NOT T_PES)
    set(T_PES 1 2 3 4 8)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(target t_${folder}_${name})
  add_executable(${target} ${T_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE mpt::shmem mpt_flags Threads::Threads ${T_LIBS})
  mpt_run_with_pes(${folder}.${name} ${target} "${T_PES}" ${T_TIMEOUT} "${T_LABELS}")
  if(NOT T_OFI_PES)
    set(T_OFI_PES 2 4)
  endif()
  if(NOT T_OFI_PES STREQUAL none)
    mpt_run_over_ofi(${folder}.${name} ${target} "${T_OFI_PES}" ${T_TIMEOUT} "${T_LABELS};${T_OFI_LABELS}" "${T_OFI_ENV}")
  endif()
endfunction()

# mpt_core_test(name SOURCES f.c [PES ...] [TIMEOUT s] [LABELS ...]): against core's internals.
function(mpt_core_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;PES;LIBS;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  set(target t_core_${name})
  add_executable(${target} ${T_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE mpt_core ${T_LIBS})
  if(T_PES)
    mpt_run_with_pes(core.${name} ${target} "${T_PES}" ${T_TIMEOUT} "${T_LABELS}")
  else()
    add_test(NAME core.${name} COMMAND ${target})
    mpt_declare(core.${name} ${T_TIMEOUT} "${T_LABELS}")
  endif()
endfunction()

# mpt_script_test(name SCRIPT x.py [ARGS ...] [TIMEOUT s] [LABELS ...] [OFI [OFI_LABELS ...]]); OFI: also <name>.ofi
# over the network.
function(mpt_script_test name)
  cmake_parse_arguments(T "OFI" "TIMEOUT;SCRIPT" "ARGS;LABELS;OFI_LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  add_test(NAME ${folder}.${name} COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${T_SCRIPT} ${T_ARGS})
  mpt_declare(${folder}.${name} ${T_TIMEOUT} "${T_LABELS}")
  set_tests_properties(${folder}.${name} PROPERTIES PROCESSORS 2)
  if(T_OFI AND MPT_FABRIC_HEADER AND NOT MPT_SANITIZE MATCHES thread)
    add_test(NAME ${folder}.${name}.ofi
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${T_SCRIPT} ${T_ARGS})
    mpt_declare(${folder}.${name}.ofi ${T_TIMEOUT} "${T_LABELS};ofi;${T_OFI_LABELS}")
    set_tests_properties(${folder}.${name}.ofi PROPERTIES ENVIRONMENT "${MPT_TEST_ENV};${MPT_OFI_ENV}" PROCESSORS 2)
  endif()
endfunction()

# mpt_mpi_test(name SOURCES f.c [PES 1 2 3 4] [LIBS ...] [TIMEOUT s] [LABELS ...] [OFI_PES 2 4 | none] [OFI_ENV A=1 ...]):
# a program of the MPI interface, in tests/mpi/CHAPTER: mpi.CHAPTER.name.PES.
function(mpt_mpi_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;PES;LIBS;LABELS;OFI_PES;OFI_ENV" ${ARGN})
  if(NOT T_PES)
    set(T_PES 1 2 3 4)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  get_filename_component(chapter ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(target t_mpi_${chapter}_${name})
  add_executable(${target} ${T_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/mpi)
  target_link_libraries(${target} PRIVATE mpt::mpi mpt_flags Threads::Threads ${T_LIBS})
  mpt_run_with_pes(mpi.${chapter}.${name} ${target} "${T_PES}" ${T_TIMEOUT} "mpi;${T_LABELS}")
  if(NOT T_OFI_PES)
    set(T_OFI_PES 2)
  endif()
  if(NOT T_OFI_PES STREQUAL none)
    mpt_run_over_ofi(mpi.${chapter}.${name} ${target} "${T_OFI_PES}" ${T_TIMEOUT} "mpi;${T_LABELS}" "${T_OFI_ENV}")
  endif()
endfunction()
