/// Loadings written by a peer's program, in each of the formats: r components with finite values,
/// or a message of one line.

#include <array>

#include "fuzz/fuzzing.h"
#include "harness/peers/peer_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  constexpr Index kVariables = 3;
  constexpr Index kComponents = 2;
  for (const char* name : {"loadings.json", "loadings.csv", "loadings.npy", "loadings.mtx"}) {
    const std::filesystem::path file = fuzz::write_file(name, fuzz::text_of(data, size));
    fuzz::accepted([&] {
      const std::vector<Component> components = read_peer_answer(file, kVariables, kComponents);
      fuzz::require(components.size() == kComponents, "every component was read");
      for (const Component& component : components) {
        fuzz::require(component.values.size() == component.cardinality(), "a value for each index");
        fuzz::require(component.values.allFinite(), "the values are finite");
      }
    });
  }
  return 0;
}
