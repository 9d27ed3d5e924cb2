# Writes OUTPUT, a C++ source with a table (spca/io/revision.h) of the parts of the sources below
# SOURCE_DIR: for each part its SHA-256 and the parts that it reaches. These digests are in the key
# of a finished cell, so that an edit leaves a cell valid if its solver and data set do not reach
# the edited part.
#
# A part is a module (a folder), the file of a plugin, or a row of datasets/from-files.json; two
# modules are divided further, below. A part reaches the parts that its #include lines name, the
# parts that these reach, and so on. A header stands for its whole module, because any .cpp of the
# module may define what the header declares.

cmake_minimum_required(VERSION 3.22)

# In these modules every header has one source of its name, and a data set needs only some of them:
# each pair is a part.
set(modules_by_stem spca/data)
# In this module every file is also a part by itself, because a data set needs only the reader of
# its own format.
set(modules_by_file spca/data/readers)

# Returns the part that contains the file `path`, relative to the root. The folder detail/ of a module
# belongs to the module.
function(part_of path result)
  get_filename_component(folder ${path} DIRECTORY)
  string(REGEX REPLACE "/detail$" "" folder ${folder})
  if(folder IN_LIST modules_by_stem)
    string(REGEX REPLACE "\\.[^.]*$" "" folder ${path})
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# Returns the parts that the #include lines of `file` name. A header outside the modules
# (spca/plugin.h) stands for the headers that it includes.
function(included_parts file result)
  file(STRINGS ${SOURCE_DIR}/${file} lines REGEX "^#include \"(spca|harness)/")
  set(parts "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included "${line}")
    if(included MATCHES "^[^/]*/[^/]*$")
      included_parts(${included} more)
      list(APPEND parts ${more})
    else()
      part_of(${included} part)
      list(APPEND parts ${part})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES parts)
  set(${result} "${parts}" PARENT_SCOPE)
endfunction()

# The files of each module, and the parts that they include.
file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/spca/*.cpp ${SOURCE_DIR}/spca/*.h
     ${SOURCE_DIR}/harness/*.cpp ${SOURCE_DIR}/harness/*.h)
list(FILTER files EXCLUDE REGEX "^[^/]*/[^/]*$")
list(SORT files)
set(modules "")
set(single_files "")
foreach(file IN LISTS files)
  part_of(${file} part)
  list(APPEND modules ${part})
  file(SHA256 ${SOURCE_DIR}/${file} digest)
  string(APPEND content_${part} "${file} ${digest}\n")
  included_parts(${file} included)
  list(APPEND reach_${part} ${included})
  get_filename_component(folder ${file} DIRECTORY)
  if(folder IN_LIST modules_by_file)
    list(APPEND single_files ${file})
    set(digest_${file} ${digest})
  endif()
endforeach()
list(REMOVE_DUPLICATES modules)
foreach(module IN LISTS modules)
  string(SHA256 digest_${module} "${content_${module}}")
endforeach()

# The transitive closure of these includes.
set(grows TRUE)
while(grows)
  set(grows FALSE)
  foreach(module IN LISTS modules)
    set(reached ${reach_${module}})
    foreach(other IN LISTS reach_${module})
      list(APPEND reached ${reach_${other}})
    endforeach()
    list(REMOVE_DUPLICATES reached)
    list(REMOVE_ITEM reached ${module})
    list(LENGTH reached count)
    if(NOT "${count}" STREQUAL "${count_${module}}")
      set(grows TRUE)
    endif()
    set(count_${module} ${count})
    set(reach_${module} ${reached})
  endforeach()
endwhile()

# The plugins. The digest of a plugin includes the JSON file of the same name, if there is one, such
# as that with the numbers of a data set.
set(file_of_rows datasets/from-files.json)
file(GLOB plugins RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/solvers/*.cpp ${SOURCE_DIR}/solvers/linked/*.cpp
     ${SOURCE_DIR}/datasets/*.cpp ${SOURCE_DIR}/metrics/*.cpp ${SOURCE_DIR}/tests/plugins/*.cpp)
list(SORT plugins)
foreach(file IN LISTS plugins)
  file(SHA256 ${SOURCE_DIR}/${file} digest)
  string(REGEX REPLACE "\\.cpp$" ".json" numbers ${file})
  if(EXISTS ${SOURCE_DIR}/${numbers} AND NOT numbers STREQUAL file_of_rows)
    file(SHA256 ${SOURCE_DIR}/${numbers} numbers_digest)
    string(SHA256 digest "${digest}\n${numbers_digest}\n")
  endif()
  set(digest_${file} ${digest})
  included_parts(${file} reached)
  foreach(other IN LISTS reached)
    list(APPEND reached ${reach_${other}})
  endforeach()
  list(REMOVE_DUPLICATES reached)
  set(reach_${file} ${reached})
endforeach()

# The data sets that are rows of one file: an edit of one row leaves the cells of the others valid.
set(reader_of_rows datasets/from-files.cpp)
file(READ ${SOURCE_DIR}/${file_of_rows} document)
string(JSON count LENGTH "${document}" datasets)
math(EXPR last "${count} - 1")
set(dataset_rows "")
foreach(number RANGE ${last})
  string(JSON name MEMBER "${document}" datasets ${number})
  string(JSON row GET "${document}" datasets ${name})
  set(part ${file_of_rows}/${name})
  list(APPEND dataset_rows ${part})
  string(SHA256 digest_${part} "${digest_${reader_of_rows}}\n${row}\n")
  set(reach_${part} ${reach_${reader_of_rows}})
endforeach()

set(rows "")
set(parts ${modules} ${single_files} ${plugins} ${dataset_rows})
list(SORT parts)
foreach(part IN LISTS parts)
  set(row ${part} ${digest_${part}})
  set(reached ${reach_${part}})
  list(SORT reached)
  list(APPEND row ${reached})
  list(JOIN row " " row)
  string(APPEND rows "${row}\n")
endforeach()
# One text instead of a C++ table, which would take five seconds to compile after every edit.
set(text "// Generated by cmake/revision.cmake.\n#include \"spca/io/revision.h\"\n
const char* spca::source_table() {\n  return R\"table(${rows})table\";\n}\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} previous)
endif()
if(NOT "${previous}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
