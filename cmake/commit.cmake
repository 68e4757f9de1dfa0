# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the header that tells the commit the sources are at: run at each build with SOURCE and HEADER, it touches
# the header only when that changed. Outside git the commit is empty.
execute_process(COMMAND git -C "${SOURCE}" describe --tags --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT EXISTS "${SOURCE}/.git")
  set(commit "")
  file(READ "${SOURCE}/cmake/commit.txt" archived)
  if(archived MATCHES "^[0-9a-f]+")
    string(SUBSTRING "${CMAKE_MATCH_0}" 0 12 commit)
  endif()
endif()
set(text "/* SPDX-License-Identifier: BSD-3-Clause */\n#define MPT_COMMIT \"${commit}\"\n")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE "${HEADER}" "${text}")
endif()
