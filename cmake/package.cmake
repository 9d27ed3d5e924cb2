# The Debian package that scripts/package makes: all installed files, below /usr. dpkg-shlibdeps
# finds the required libraries from the program itself. The recommended Python packages are needed
# only for figures and reports. The suggested Python packages are needed for files that spca fetch
# makes, the other suggested ones for writing solvers.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${PROJECT_NAME} RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${PROJECT_NAME})
set(CPACK_PACKAGE_CONTACT "The spca-bench authors <spca-bench@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, python3-jinja2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, make, libeigen3-dev, libfmt-dev, nlohmann-json3-dev, zlib1g-dev, libcurl4-openssl-dev, liblinear-dev, libsvm-dev, \
libsqlite3-dev, coinor-libclp-dev, libhdf5-dev, python3-numpy, python3-scipy, python3-h5py")
include(CPack)
