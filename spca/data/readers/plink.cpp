/// PLINK 1 binary genotypes: FILE.bed, with the variants in FILE.bim and the samples in FILE.fam.
/// Source  C. C. Chang et al., Second-generation PLINK, GigaScience 4:7, 2015; the format is that of
///         https://www.cog-genomics.org/plink/1.9/formats#bed

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/readers/byte_stream.h"
#include "spca/data/readers/read_rows.h"
#include "spca/data/readers/readers.h"
#include "spca/data/readers/sparse_entries.h"

namespace spca {
namespace {

constexpr std::size_t kFields = 6;  // of a line of .bim and of .fam
constexpr std::size_t kMagicBytes = 3;

/// The file beside a .bed file.
std::filesystem::path beside(std::filesystem::path bed, const char* extension) {
  return bed.replace_extension(extension);
}

/// Calls on_fields for each line that is not blank. Returns how many there are.
template <class OnFields>
Index read_table(const std::filesystem::path& path, const char* what, const OnFields& on_fields) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(
        fmt::format("{}: is missing; accepted: FILE.bed, FILE.bim and FILE.fam in one "
                    "folder, one line of {} for each of the {}",
                    path.string(), path.extension().string(), what));
  }
  Lines lines(path);
  Index count = 0;
  for (std::string_view line; lines.next(line);) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.empty()) {
      continue;
    }
    if (fields.size() != kFields || count == kLargestInt) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}, at most {} lines",
                                   path.string(), lines.number(), fields.size(), kFields,
                                   kLargestInt));
    }
    ++count;
    on_fields(fields);
  }
  if (count == 0) {
    throw InputError(
        fmt::format("{}: has no line; accepted: one for each of the {}", path.string(), what));
  }
  return count;
}

/// Fills the names of `content`. Nothing is counted.
std::shared_ptr<Genotypes> open_plink(const std::filesystem::path& path, FileContent& content) {
  auto genotypes = std::make_shared<Genotypes>();
  // Chromosome, name, centimorgans, base pair, A1, A2.
  genotypes->variants = read_table(
      beside(path, ".bim"), "variants", [&](const std::vector<std::string_view>& fields) {
        content.variable_names.push_back(
            fields[1] == "." ? fmt::format("{}:{}", fields[0], fields[3]) : std::string(fields[1]));
      });
  genotypes->samples =
      read_table(beside(path, ".fam"), "samples", [](const std::vector<std::string_view>&) {});
  const auto file = std::make_shared<const MappedFile>(path);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(file->data());
  if (file->size() < kMagicBytes || bytes[0] != 0x6c || bytes[1] != 0x1b) {
    throw InputError(fmt::format(
        "{}: does not begin with 6c 1b; accepted: PLINK 1 binary genotypes", path.string()));
  }
  if (bytes[2] != 1) {
    throw InputError(
        fmt::format("{}: found the layout {}; accepted: 1, variant by variant (plink "
                    "--make-bed writes it)",
                    path.string(), bytes[2]));
  }
  const std::uint64_t expected =
      kMagicBytes + static_cast<std::uint64_t>(genotypes->variants) *
                        static_cast<std::uint64_t>(genotypes->variant_bytes());
  if (file->size() != expected) {
    throw InputError(fmt::format(
        "{}: has {} bytes; accepted: {}, for the {} variants of .bim and "
        "the {} samples of .fam",
        path.string(), file->size(), expected, genotypes->variants, genotypes->samples));
  }
  genotypes->bytes = bytes + kMagicBytes;
  genotypes->file = file;
  genotypes->memory = file;
  return genotypes;
}

}  // namespace

FileContent read_plink(const std::filesystem::path& path) {
  FileContent content;
  const std::shared_ptr<Genotypes> genotypes = open_plink(path, content);
  genotypes->counts = count_genotypes(*genotypes);
  content.genotypes = genotypes;
  return content;
}

RowsOfFile read_plink_rows(const std::filesystem::path& path, const RowShare& share) {
  RowsOfFile rows;
  rows.content.genotypes = open_plink(path, rows.content);
  rows.samples = rows.content.genotypes->samples;
  rows.held = share.of(rows.samples);
  return rows;
}

}  // namespace spca
