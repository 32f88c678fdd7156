# What `cmake --install` puts where, and the Debian package that `cpack -G DEB` makes of it.
include(GNUInstallDirs)

install(TARGETS cgrep RUNTIME)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Written by the build, from the command table.
foreach(section man1 man5 man7)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man/${section} DESTINATION ${CMAKE_INSTALL_MANDIR})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/completions/cgrep.bash RENAME cgrep
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completions/_cgrep
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_BINARY_DIR}/completions/cgrep.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cgrep)
set(CPACK_PACKAGE_CONTACT "cgrep maintainers <maintainers@users.noreply.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
"cgrep finds what was said to, by and around a coding agent. It reads the
history that Cursor keeps on this machine, without ever writing to it, indexes
it with Xapian, and answers like grep: the best conversation first on a
terminal, one match per line in a pipe.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # needs dpkg-dev and file
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS codesearch)  # it has another /usr/bin/cgrep
include(CPack)
