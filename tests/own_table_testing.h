#pragma once

/// Tests of a user's own files, read as by `--data` and the data set `file`.

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
