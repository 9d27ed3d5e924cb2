#include "spca/data/dataset.h"

#include <utility>

#include "spca/base/options_json.h"

namespace spca {

template class Registry<DatasetEntry>;

bool register_dataset(const char* name, const char* file, const OptionsType& options,
                      ErasedLoader load, const DatasetTraits& traits) {
  return DatasetRegistry::instance().add(
      {.name = name,
       .file = file,
       .traits = traits,
       .complete_options =
           [options](const Json& given, const std::string& where) {
             return complete_options(options, given, where);
           },
       .load =
           [options, load = std::move(load)](const Json& given, const DatasetRequest& request) {
             return load(read_options(options, given, "/options").get(), request);
           },
       .describe = [options] { return describe_options(options); }});
}

}  // namespace spca
