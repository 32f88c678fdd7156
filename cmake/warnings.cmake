# One interface library that all our targets link: warnings, include root, fmt, threads.
add_library(cgrep_common INTERFACE)
target_include_directories(cgrep_common INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(cgrep_common INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${CGREP_WERROR}>:-Werror>)
target_link_libraries(cgrep_common INTERFACE fmt::fmt-header-only Threads::Threads)
