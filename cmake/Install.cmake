# SPDX-License-Identifier: BSD-3-Clause
#
# What `make install` puts where: libraries, headers, launcher, wrappers, man
# pages, pkg-config files and the CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS mpt mpt_static EXPORT mptTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(EXISTS ${PROJECT_SOURCE_DIR}/man)
  file(GLOB man1 man/*.1)
  file(GLOB man7 man/*.7)
  install(FILES ${man1} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${man7} DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
endif()

foreach(name shmem mpt)
  configure_file(cmake/mpt.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
# MPI for build systems that ask pkg-config: by plain names, and by those of Open MPI, the only ones that Meson asks for. In
# /usr these belong to its packages.
set(mpi_libs_c "-lmpi_abi")
set(mpi_libs_cxx "-lmpi_abi")
set(mpi_libs_fort "-lmpifort_abi -lmpi_abi")
foreach(language c cxx fort)
  set(MPI_LIBS "${mpi_libs_${language}}")
  foreach(family mpi ompi)
    set(name ${family}-${language})
    configure_file(cmake/mpi.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    if(family STREQUAL mpi OR NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
      install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    endif()
  endforeach()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/mpi-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig RENAME mpi.pc)
foreach(name pvm3 am benchlib mptm)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# gdb looks for what belongs to a library beside it, under the name of its file, and in a folder of its own below /usr.
set(gdb_script libmpt.so.${PROJECT_VERSION}-gdb.py)
configure_file(tools/debug/gdb_tasks.py ${PROJECT_BINARY_DIR}/lib/${gdb_script} COPYONLY)
install(FILES ${PROJECT_BINARY_DIR}/lib/${gdb_script} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_BINARY_DIR}/lib/${gdb_script}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR})

install(EXPORT mptTargets NAMESPACE mpt:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mpt)
configure_package_config_file(cmake/mptConfig.cmake.in ${PROJECT_BINARY_DIR}/mptConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mpt)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mptConfig.cmake ${PROJECT_BINARY_DIR}/mptConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mpt)

# To read, to copy from, and for shells and module systems.
install(FILES README.md CHANGELOG.md LICENSE CONTRIBUTING.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "picture/*" PATTERN "adr" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/completion/mptrun.bash DESTINATION ${completions} RENAME mptrun)
foreach(name mpiexec mpirun oshrun)
  install(CODE "file(CREATE_LINK mptrun \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${completions}/${name}\" SYMBOLIC)
list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${completions}/${name}\")")
endforeach()
install(FILES tools/completion/mpt.bash DESTINATION ${completions} RENAME mpt)
install(FILES tools/completion/_mptrun tools/completion/_mpt DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
# fish looks for the file of a command, and all of the launcher's names have the same.
set(completions ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
foreach(name mptrun mpiexec mpirun oshrun)
  install(FILES tools/completion/mptrun.fish DESTINATION ${completions} RENAME ${name}.fish)
endforeach()
install(FILES tools/completion/mpt.fish DESTINATION ${completions})
configure_file(cmake/modulefile.lua.in ${PROJECT_BINARY_DIR}/modulefile.lua @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/mpt
        RENAME ${PROJECT_VERSION}.lua)
