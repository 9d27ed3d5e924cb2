#include "spca/data/dataset.h"

#include <utility>

#include "spca/base/options_json.h"

namespace spca {

template class Registry<DatasetEntry>;

bool register_dataset(const char* name, const char* file, ErasedLoader loader,
                      const DatasetTraits& traits) {
  const OptionsType options = loader.options;
  return DatasetRegistry::instance().add(
      {.name = name,
       .file = file,
       .traits = traits,
       .complete_options =
           [options](const Json& given, const std::string& where) {
             return complete_options(options, given, where);
           },
       .load =
           [options, load = std::move(loader.load)](const Json& given,
                                                    const DatasetRequest& request) {
             return load(read_options(options, given, "/options").get(), request);
           },
       .describe = [options] { return describe_options(options); }});
}

}  // namespace spca
