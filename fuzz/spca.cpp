/// The mapped file. Its checksums are corrected, as a malicious program would do: the contents must
/// then be rejected, or be data that products can use.

#include <cstring>

#include "fuzz/fuzzing.h"
#include "spca/data/content/spca_layout.h"
#include "spca/data/files/read_dataset.h"

namespace {

using namespace spca;

template <class Item>
void put(std::string& bytes, std::size_t at, const Item& item) {
  std::memcpy(bytes.data() + at, &item, sizeof item);
}

/// Returns the bytes with correct checksums. Those of the contents are corrected only if the header
/// is consistent.
std::string with_checksums(std::string bytes) {
  if (bytes.size() < kSpcaHeaderBytes) {
    return bytes;
  }
  SpcaHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_bytes = bytes.size();
  if (is_plausible(header) && layout_of(header).end == bytes.size()) {
    const SpcaLayout layout = layout_of(header);
    const char* const start = bytes.data();
    header.facts_checksum = checksum_of(start + layout.facts, start + layout.content);
    header.content_checksum = checksum_of(start + layout.content, start + layout.end);
  }
  put(bytes, 0, header);
  const std::size_t end = kSpcaHeaderBytes - sizeof(std::uint32_t);
  put(bytes, end, checksum_of(bytes.data(), bytes.data() + end));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(fuzz::text_of(data, size));
  for (const std::string& input : {bytes, with_checksums(bytes)}) {
    const std::filesystem::path path = fuzz::write_file("input.spca", input);
    fuzz::accepted([&] {
      const Dataset dataset = read_dataset({.path = path, .centered = std::nullopt});
      const Index p = dataset.covariance->variables();
      Matrix product;
      dataset.covariance->multiply_block(Matrix::Ones(p, 2), product);
      dataset.covariance->columns({0});
      fuzz::require(product.rows() == p, "a product has an entry for each variable");
    });
  }
  return 0;
}
