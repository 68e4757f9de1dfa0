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
