# Makes manual pages from the help of the program by help2man: spca.1, and spca-COMMAND.1 for each
# subcommand. This runs at installation, so that a build does not wait for it. Without help2man it
# makes no pages and prints a message.
#
#   cmake -DPROGRAM=build/release/spca -DOUTPUT=build/release/man -P cmake/man.cmake
cmake_minimum_required(VERSION 3.22)
find_program(HELP2MAN help2man)
if(NOT HELP2MAN)
  message(STATUS "no manual pages: help2man is missing (scripts/bootstrap --package)")
  return()
endif()
file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT})
execute_process(COMMAND ${PROGRAM} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "spca " "" version "${version}")
execute_process(COMMAND ${PROGRAM} completion words -- "" OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\t[^\n]*" "" names "${commands}")
string(REPLACE "\n" ";" names "${names}")
list(REMOVE_ITEM names "")

function(write_page page name words)
  # The fixed date makes pages from the same sources identical.
  execute_process(COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=0 LC_ALL=C.UTF-8 ${HELP2MAN} --no-info --section=1
                          --version-string=${version} "--name=${name}" --output=${OUTPUT}/${page}.1 "${words}"
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# help2man splits its argument at blanks into the program and its arguments, so the folder of the
# program, which may contain blanks, is added to PATH.
get_filename_component(folder ${PROGRAM} DIRECTORY)
get_filename_component(program ${PROGRAM} NAME)
set(ENV{PATH} "${folder}:$ENV{PATH}")
write_page(spca "sparse principal component analysis" ${program})
foreach(command IN LISTS names)
  string(REGEX MATCH "(^|\n)${command}\t([^\n]*)" line "${commands}")
  write_page(spca-${command} "${CMAKE_MATCH_2}" "${program} ${command}")
endforeach()
