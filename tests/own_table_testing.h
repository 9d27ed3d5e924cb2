#pragma once

/// The fixture for tests of a user's own files, read by the data set `file` as `--data` does.

#include <nlohmann/json.hpp>

#include "spca/data/dataset.h"
#include "tests/temporary_files.h"

namespace spca {

class OwnTableFiles : public TemporaryFiles {
 protected:
  Dataset load(const fs::path& path, Json options = Json::object()) const {
    const DatasetEntry& file = *DatasetRegistry::instance().find("file");
    options["path"] = path.filename().string();
    return file.load(file.complete_options(options, "options"),
                     {.data_dir = {}, .seed = 0, .base_dir = folder_});
  }
};

}  // namespace spca
