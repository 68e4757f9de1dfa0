# SPDX-License-Identifier: BSD-3-Clause
#
# What holds for every program of the laboratory, whatever folder made it: it knows the flags that it was compiled with,
# for its records, and is installed below libexec/mpt/bench, where the installed command mpt finds it. The sources go
# along: mpt bench --vs builds them with other libraries.
set(bench_install libexec/mpt/bench)
set(bench_libdir ${CMAKE_INSTALL_LIBDIR})
if(IS_ABSOLUTE "${bench_libdir}")
  file(RELATIVE_PATH bench_libdir ${CMAKE_INSTALL_PREFIX} ${bench_libdir})
endif()

# Where libraries are, from a folder below the prefix.
function(mpt_bench_rpath out folder)
  file(RELATIVE_PATH up /prefix/${folder} /prefix/${bench_libdir})
  set(${out} "$ORIGIN/${up}" PARENT_SCOPE)
endfunction()

# All targets of a folder and those below.
function(mpt_bench_targets out folder)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    mpt_bench_targets(more ${one})
    list(APPEND found ${more})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Options as words: those that are ours to tell, without the conditions they came with.
function(mpt_bench_words out)
  string(REPLACE ";" " " text "${ARGN}")
  string(REGEX REPLACE "\\$<\\$<[A-Z_]+:[^>]*>:([^>]*)>" "\\1" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The build's flags, the target's own, and those of single files and of the laboratory's libraries that have their own.
function(mpt_bench_flags out target)
  set(own "")
  get_target_property(options ${target} COMPILE_OPTIONS)
  if(options)
    mpt_bench_words(own ${options})
  endif()
  string(STRIP "${bench_flags} ${own}" told)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^[a-z0-9_]+\\.c$")
      get_source_file_property(options ${folder}/${source} DIRECTORY ${folder} COMPILE_OPTIONS)
      if(options)
        mpt_bench_words(own ${options})
        string(APPEND told "; ${source}: ${own}")
      endif()
    endif()
  endforeach()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    if(library MATCHES "^bench_" AND TARGET ${library})
      mpt_bench_flags(theirs ${library})
      if(NOT theirs STREQUAL bench_flags)
        string(REGEX REPLACE "^bench_" "" name ${library})
        string(REPLACE "${bench_flags} " "" theirs "${theirs}")
        string(APPEND told "; ${name}: ${theirs}")
      endif()
    endif()
  endforeach()
  set(${out} "${told}" PARENT_SCOPE)
endfunction()

# bench_flags of common/env.c, in a file that then belongs to a program.
function(mpt_bench_flags_file file flags)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
       "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Written by the build: what this program was compiled with. */
extern const char bench_flags[];\nconst char bench_flags[] = \"${flags}\";\n")
endfunction()

# At the end, when all targets are known.
function(mpt_bench_programs)
  mpt_bench_targets(targets ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "EXECUTABLE" OR target MATCHES "_test$")
      continue()
    endif()
    mpt_bench_flags(flags ${target})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/flags/${target}.c)
    mpt_bench_flags_file(${file} "${flags}")
    target_sources(${target} PRIVATE ${file})
    get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
    file(RELATIVE_PATH below ${PROJECT_BINARY_DIR}/bench ${folder})
    string(REGEX REPLACE "/$" "" folder "${bench_install}/${below}")
    mpt_bench_rpath(rpath ${folder})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
    install(TARGETS ${target} RUNTIME DESTINATION ${folder} OPTIONAL)
  endforeach()
  install(DIRECTORY ./ DESTINATION ${CMAKE_INSTALL_DATADIR}/mpt/bench FILES_MATCHING PATTERN "*.[ch]" PATTERN run_peer.sh
          PATTERN tests EXCLUDE PATTERN apps EXCLUDE)
endfunction()
