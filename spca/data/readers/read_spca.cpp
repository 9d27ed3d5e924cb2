#include "spca/data/readers/read_spca.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "spca/base/error.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/naming.h"
#include "spca/data/content/spca_layout.h"

namespace spca {
namespace {

constexpr const char* kAcceptedSpca = "accepted: a whole file as `spca convert` writes it";

[[noreturn]] void refuse(const std::string& what) {
  throw InputError(fmt::format("{}; {}", what, kAcceptedSpca));
}

/// A mapped file whose header and facts are verified.
class SpcaFile {
 public:
  explicit SpcaFile(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {
    static_assert(std::endian::native == std::endian::little, "the file is mapped as it is");
    read_header();
    layout_ = layout_of(header_);
    if (layout_.end != header_.file_bytes || file_->size() != header_.file_bytes) {
      refuse(fmt::format("has {} bytes, and should have {}", file_->size(), layout_.end));
    }
    if (checksum_of(at<std::byte>(layout_.facts), at<std::byte>(layout_.content)) !=
        header_.facts_checksum) {
      refuse("the facts of its columns do not have the checksum of the header");
    }
  }

  const SpcaHeader& header() const { return header_; }
  std::vector<std::string> names() const;
  MappedSparse sparse() const;
  std::shared_ptr<const Genotypes> genotypes() const;
  void check_content() const;

 private:
  template <class Item>
  const Item* at(std::uint64_t offset) const {
    return reinterpret_cast<const Item*>(file_->data() + offset);
  }
  void read_header();
  SparseArrays arrays(const SpcaLayout::Lines& parts, std::uint64_t lines) const {
    return {.lines = static_cast<Index>(lines),
            .starts = at<std::int64_t>(parts.starts),
            .indices = at<int>(parts.indices),
            .values = at<double>(parts.values)};
  }
  void check_lines(const SparseArrays& arrays, std::int64_t others, const char* what) const;

  std::shared_ptr<const MappedFile> file_;
  SpcaHeader header_;
  SpcaLayout layout_;
};

void SpcaFile::read_header() {
  if (file_->size() < kSpcaHeaderBytes ||
      std::memcmp(file_->data(), kSpcaMagic.data(), kSpcaMagic.size()) != 0) {
    refuse("does not begin with the header of a .spca file");
  }
  std::memcpy(&header_, file_->data(), sizeof header_);
  if (header_.version != kSpcaVersion && header_.version != kSpcaShiftedVersion) {
    refuse(fmt::format("has version {} of the format, and this program knows {} and {}",
                       header_.version, kSpcaVersion, kSpcaShiftedVersion));
  }
  const std::uint64_t end = kSpcaHeaderBytes - sizeof(std::uint32_t);
  std::uint32_t checksum = 0;
  std::memcpy(&checksum, file_->data() + end, sizeof checksum);
  if (checksum_of(file_->data(), file_->data() + end) != checksum) {
    refuse("its header does not have its checksum");
  }
  const bool is_known = header_.kind == SpcaKind::kSparse || header_.kind == SpcaKind::kGenotypes;
  const bool has_shifts = header_.version == kSpcaShiftedVersion;
  if (!is_known || !is_plausible(header_) || (has_shifts && header_.kind == SpcaKind::kGenotypes)) {
    refuse("its header announces impossible contents");
  }
}

std::vector<std::string> SpcaFile::names() const {
  std::vector<std::string> names;
  std::uint64_t offset = layout_.names;
  const std::uint64_t end = layout_.names + header_.name_bytes;
  while (header_.has_names != 0 && names.size() < header_.p) {
    std::uint32_t length = 0;
    if (end - offset < sizeof length) {
      refuse("its names end early");
    }
    std::memcpy(&length, at<std::byte>(offset), sizeof length);
    offset += sizeof length;
    if (end - offset < length) {
      refuse("its names end early");
    }
    names.emplace_back(at<char>(offset), length);
    offset += length;
  }
  if (offset != end) {
    refuse("it has more names than columns");
  }
  return names;
}

MappedSparse SpcaFile::sparse() const {
  const auto p = static_cast<Index>(header_.p);
  const double* const facts = at<double>(layout_.facts);
  const bool has_shifts = header_.version == kSpcaShiftedVersion;
  return {.rows = arrays(layout_.rows, header_.n),
          .columns = arrays(layout_.columns, header_.p),
          .facts = {.sums = Eigen::Map<const Vector>(facts, p),
                    .squares = Eigen::Map<const Vector>(facts + p, p),
                    .centered_squares = Eigen::Map<const Vector>(facts + 2 * p, p)},
          .shifts = Eigen::Map<const Vector>(facts + 3 * p, has_shifts ? p : 0),
          .file = file_};
}

std::shared_ptr<const Genotypes> SpcaFile::genotypes() const {
  auto genotypes = std::make_shared<Genotypes>();
  genotypes->samples = static_cast<Index>(header_.n);
  genotypes->variants = static_cast<Index>(header_.p);
  genotypes->bytes = at<std::uint8_t>(layout_.content);
  genotypes->counts.resize(header_.p);
  std::memcpy(genotypes->counts.data(), at<std::byte>(layout_.facts),
              header_.p * sizeof(GenotypeCounts));
  genotypes->memory = file_;
  genotypes->file = file_;
  return genotypes;
}

/// Checks the properties of starts, indices and values on which products rely.
void SpcaFile::check_lines(const SparseArrays& arrays, std::int64_t others,
                           const char* what) const {
  const auto entries = static_cast<std::int64_t>(header_.entries);
  // All starts are checked before they are used to read an entry.
  if (arrays.starts[0] != 0 || arrays.starts[arrays.lines] != entries ||
      !std::is_sorted(arrays.starts, arrays.starts + arrays.lines + 1)) {
    refuse(fmt::format("the starts of its {} do not ascend from 0 to {}", what, entries));
  }
  file_->release_all();
  for (Index line = 0; line < arrays.lines; ++line) {
    std::int64_t previous = -1;
    for (std::int64_t e = arrays.starts[line]; e < arrays.starts[line + 1]; ++e) {
      if (arrays.indices[e] <= previous || arrays.indices[e] >= others) {
        refuse(fmt::format("entry {} of its {} has the index {}", e, what, arrays.indices[e]));
      }
      if (!std::isfinite(arrays.values[e])) {
        refuse(fmt::format("entry {} of its {} is {}", e, what, arrays.values[e]));
      }
      previous = arrays.indices[e];
      if (e % static_cast<std::int64_t>(kMappedWindow / sizeof(double)) == 0) {
        file_->release_all();
      }
    }
  }
  file_->release_all();
}

void SpcaFile::check_content() const {
  std::uint32_t checksum = 0;
  // In windows that are released after use: the file may be larger than memory.
  for (std::uint64_t begin = layout_.content; begin < layout_.end;) {
    const std::uint64_t end = std::min(begin + kMappedWindow, layout_.end);
    checksum = continued_checksum(checksum, at<std::byte>(begin), at<std::byte>(end));
    file_->release(at<std::byte>(begin), at<std::byte>(end));
    begin = end;
  }
  if (checksum != header_.content_checksum) {
    refuse("its content does not have the checksum of the header");
  }
  if (header_.kind == SpcaKind::kGenotypes) {
    const auto stored = genotypes();
    if (count_genotypes(*stored) != stored->counts) {
      refuse("its counts do not match its genotypes");
    }
    return;
  }
  const MappedSparse data = sparse();
  if (!data.shifts.allFinite()) {
    refuse("its shifts are not finite");
  }
  check_lines(data.rows, static_cast<std::int64_t>(header_.p), "rows");
  check_lines(data.columns, static_cast<std::int64_t>(header_.n), "columns");
}

}  // namespace

FileContent read_spca(const std::filesystem::path& path) {
  const auto mapped = std::make_shared<const MappedFile>(path);
  return naming(path.string(), [&] {
    const SpcaFile file(mapped);
    if (file.header().file_bytes <= kCheckedAtOpen) {
      file.check_content();
    }
    FileContent content;
    content.variable_names = file.names();
    content.is_bag_of_words = file.header().is_bag_of_words != 0;
    if (file.header().kind == SpcaKind::kGenotypes) {
      content.genotypes = file.genotypes();
    } else {
      content.mapped = std::make_shared<const MappedSparse>(file.sparse());
    }
    return content;
  });
}

void check_spca(const std::filesystem::path& path) {
  const auto mapped = std::make_shared<const MappedFile>(path);
  naming(path.string(), [&] {
    const SpcaFile file(mapped);
    file.names();
    file.check_content();
  });
}

}  // namespace spca
