# Every library from outside, found in one place. What is missing is named all at once, each with
# the Debian package that brings it.

# needs(FOUND WHAT PACKAGE): notes that cgrep needs WHAT, unless FOUND.
function(needs found what package)
  if(NOT found)
    string(APPEND missing "cgrep needs ${what}: apt-get install ${package}\n")
    set(missing "${missing}" PARENT_SCOPE)
  endif()
endfunction()

# library(NAME MODULE VERSION TITLE PACKAGE): a library known to pkg-config, as PkgConfig::NAME.
macro(library name module version title package)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module}>=${version})
  endif()
  needs("${${name}_FOUND}" "${title} >= ${version}" ${package})
endmacro()

set(missing "")

set(compiler_found TRUE)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12
   OR CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  set(compiler_found FALSE)
endif()
needs(${compiler_found} "GCC >= 12 or clang >= 14" g++)

find_package(PkgConfig QUIET)
needs("${PKG_CONFIG_FOUND}" "pkg-config" pkg-config)
library(xapian xapian-core 1.4.22 "Xapian" libxapian-dev)
library(sqlite3 sqlite3 3.40 "SQLite" libsqlite3-dev)
library(simdjson simdjson 3.0 "simdjson" libsimdjson-dev)
library(zstd libzstd 1.5 "zstd" libzstd-dev)

# Debian's RE2 does not tell pkg-config its version; the name of the shared library does.
if(PKG_CONFIG_FOUND)
  pkg_check_modules(re2 QUIET IMPORTED_TARGET re2)
endif()
set(re2_recent "${re2_FOUND}")
find_library(re2_shared libre2.so HINTS ${re2_LIBDIR})
if(re2_shared)
  file(REAL_PATH ${re2_shared} re2_file)
  if(re2_file MATCHES "libre2[.]so[.]([0-9]+)" AND CMAKE_MATCH_1 LESS 9)
    set(re2_recent FALSE)
  endif()
endif()
needs("${re2_recent}" "RE2 >= 2020-11-01 (libre2.so.9)" libre2-dev)

find_package(Threads REQUIRED)

# archive(NAME): links the library as an archive, if there is one, with what it needs itself. To load
# a shared library costs a process that lives for a few milliseconds more than its search.
function(archive name)
  if(NOT ${name}_FOUND)
    return()
  endif()
  list(GET ${name}_LIBRARIES 0 own)
  find_library(${name}_archive lib${own}.a HINTS ${${name}_LIBDIR})
  if(${name}_archive)
    set(needed ${${name}_STATIC_LIBRARIES})
    list(REMOVE_ITEM needed ${own})
    set_property(TARGET PkgConfig::${name} PROPERTY INTERFACE_LINK_LIBRARIES
                 ${${name}_archive} ${needed} Threads::Threads)
  endif()
endfunction()
if(CGREP_ARCHIVES)
  archive(sqlite3)
  archive(re2)
  archive(zstd)
endif()
find_package(fmt 9 QUIET)
needs("${fmt_FOUND}" "fmt >= 9" libfmt-dev)
find_package(CLI11 2.1 QUIET)
needs("${CLI11_FOUND}" "CLI11 >= 2.1" libcli11-dev)
if(CGREP_TESTS)
  find_package(GTest 1.12 QUIET)
  needs("${GTest_FOUND}" "GoogleTest >= 1.12 for its tests" libgtest-dev)
endif()

if(missing)
  message(FATAL_ERROR "${missing}or all of them: scripts/install-deps test")
endif()
