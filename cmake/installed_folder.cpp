// Compiled into every program that links the CMake package: where experiments/ and the rest were
// installed.
#include "spca/io/resources.h"

[[maybe_unused]] static const bool spca_installed_folder_added =
    spca::add_installed_folder(SPCA_INSTALLED_FOLDER);
