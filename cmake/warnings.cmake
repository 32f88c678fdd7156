# One interface library that all our targets link: warnings, include root, fmt, threads. fmt's code is
# compiled into what is installed, to load a library less; in the builds for tests, where it would take a
# quarter of the time, it is not.
add_library(cgrep_common INTERFACE)
target_include_directories(cgrep_common INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(cgrep_common INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${CGREP_WERROR}>:-Werror>)
target_link_libraries(cgrep_common INTERFACE
  $<IF:$<CONFIG:Debug>,fmt::fmt,fmt::fmt-header-only> Threads::Threads)

# GCC 12 takes moved-from variants for uninitialised when sanitizers are on.
if(CGREP_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cgrep_common INTERFACE -Wno-maybe-uninitialized)
endif()

# Saves a third of the time of an unoptimised build.
function(cgrep_precompile target)
  if(CGREP_PCH)
    target_precompile_headers(${target} PRIVATE <algorithm> <filesystem> <functional> <map> <memory>
      <optional> <string> <string_view> <unordered_map> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()
