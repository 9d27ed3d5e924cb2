// Adds the folder in which experiments/ and the rest were installed. It is compiled into every
// program that links spca::program.
#include "spca/io/resources.h"

[[maybe_unused]] static const bool spca_installed_folder_added =
    spca::add_installed_folder(SPCA_INSTALLED_FOLDER);
