#include "spca/data/readers/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/input_file.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/spca_layout.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/docword.h"
#include "spca/data/readers/gct.h"
#include "spca/data/readers/hdf5.h"
#include "spca/data/readers/known_formats.h"
#include "spca/data/readers/matrix_market.h"
#include "spca/data/readers/npy.h"
#include "spca/data/readers/npz.h"
#include "spca/data/readers/plink.h"
#include "spca/data/readers/read_spca.h"
#include "spca/data/readers/svmlight.h"
#include "spca/data/readers/ten_x_names.h"

namespace spca {
namespace {

/// Number of bytes that are read to recognise the format: more than the header of any format.
constexpr std::size_t kProbeBytes = 4096;
constexpr const char* kAcceptedFormats =
    "CSV, NumPy .npy, Matrix Market, UCI docword, svmlight or GCT, plain or gzipped; .npz, HDF5, "
    "PLINK .bed, .spca";

bool is_integer(std::string_view text) { return parse_integer(trim(text)).has_value(); }

/// Returns true for three lines of one whole number each, then a line of three whole numbers. No
/// CSV file looks like this, because its rows would have different lengths.
bool looks_like_docword(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !is_integer(text.substr(0, end))) {
      return false;
    }
    text.remove_prefix(end + 1);
  }
  const std::vector<std::string_view> fields = split_blanks(text.substr(0, text.find('\n')));
  return fields.size() == 3 && std::all_of(fields.begin(), fields.end(), is_integer);
}

/// Returns the name of the encoding for iconv if the text is UTF-16, else null. Text without a byte
/// order mark is taken for UTF-16 if exactly every second one of its first bytes is zero.
const char* utf16_name(std::string_view text) {
  constexpr std::size_t kFirstBytes = 8;
  const auto has_zeros_at = [&](std::size_t parity) {
    for (std::size_t i = 0; i < kFirstBytes; ++i) {
      if ((text[i] == '\0') != (i % 2 == parity)) {
        return false;
      }
    }
    return true;
  };
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return "UTF-16";
  }
  if (text.size() < kFirstBytes) {
    return nullptr;
  }
  return has_zeros_at(0) ? "UTF-16BE" : has_zeros_at(1) ? "UTF-16LE" : nullptr;
}

}  // namespace

FileFormat format_of(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    refuse_folder(path);
  }
  std::string start(kProbeBytes, '\0');
  {
    ByteStream stream(path);
    start.resize(stream.read(start.data(), start.size()));
  }
  if (start.empty()) {
    throw InputError(fmt::format("{}: is empty; accepted: {}", path.string(), kAcceptedFormats));
  }
  const std::string name = path.filename().string();
  refuse_known_formats(path, start);
  // Formats that are recognised by the first bytes or the name. A gzipped file of them
  // is refused.
  const std::string_view bytes = start;
  if (bytes.starts_with(kSpcaMagic) || name.ends_with(".spca")) {
    return FileFormat::kSpca;
  }
  if (bytes.starts_with("\x89HDF\r\n\x1a\n") || bytes.starts_with("MATLAB 7.3 MAT-file") ||
      name.ends_with(".h5") || name.ends_with(".h5ad") || name.ends_with(".hdf5") ||
      name.ends_with(".loom")) {
    return FileFormat::kHdf5;
  }
  if (bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6") || name.ends_with(".npz")) {
    refuse_other_zip(path);
    return FileFormat::kScipyNpz;
  }
  if (bytes.starts_with("\x6c\x1b") || name.ends_with(".bed")) {
    return FileFormat::kPlink;
  }
  // A known beginning counts under almost any name, because files are renamed more often than they
  // are converted.
  std::string_view view = start;
  if (view.starts_with(kByteOrderMark)) {
    view.remove_prefix(kByteOrderMark.size());
  }
  if (view.starts_with("\x93NUMPY") || name.ends_with(".npy") || name.ends_with(".npy.gz")) {
    return FileFormat::kNpy;
  }
  if (view.starts_with("%%MatrixMarket")) {
    return FileFormat::kMatrixMarket;
  }
  if (const char* const encoding = utf16_name(view)) {
    throw InputError(
        fmt::format("{0}: is text in UTF-16, as some spreadsheets write it; accepted: UTF-8: iconv "
                    "-f {1} -t UTF-8 {0} | spca solve --data -",
                    path.string(), encoding));
  }
  if (view.find('\0') != std::string_view::npos) {
    throw InputError(fmt::format("{}: is a binary file of another kind; accepted: {}",
                                 path.string(), kAcceptedFormats));
  }
  if (name.ends_with(".mtx") || name.ends_with(".mtx.gz")) {
    return FileFormat::kMatrixMarket;
  }
  if (view.starts_with("#1.2\n") || view.starts_with("#1.2\r") || view.starts_with("#1.3\n") ||
      view.starts_with("#1.3\r") || name.ends_with(".gct") || name.ends_with(".gct.gz")) {
    return FileFormat::kGct;
  }
  if (looks_like_svmlight(view)) {
    return FileFormat::kSvmlight;
  }
  if (looks_like_docword(view) || name.starts_with("docword.")) {
    return FileFormat::kDocword;
  }
  return FileFormat::kCsv;
}

FileSelection select_in_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::string text = path.string();
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(path, error) ||
      !std::filesystem::exists(text.substr(0, colon), error)) {
    return {.path = path, .matrix = ""};
  }
  return {.path = text.substr(0, colon), .matrix = text.substr(colon + 1)};
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& whole) {
  const std::filesystem::path path = select_in_file(whole).path;
  std::vector<std::filesystem::path> files = {path};
  const std::string name = path.filename().string();
  const auto add = [&](const std::filesystem::path& other) {
    std::error_code error;
    if (std::filesystem::is_regular_file(other, error)) {
      files.push_back(other);
    }
  };
  if (name.ends_with(".bed")) {
    add(std::filesystem::path(path).replace_extension(".bim"));
    add(std::filesystem::path(path).replace_extension(".fam"));
  }
  const TenXFiles ten_x = ten_x_files(path);
  add(ten_x.features);
  add(ten_x.barcodes);
  constexpr std::string_view kCounts = "docword.";
  if (name.starts_with(kCounts)) {
    const std::string rest = name.substr(kCounts.size());
    const std::string plain = rest.ends_with(".gz") ? rest.substr(0, rest.size() - 3) : rest;
    add(path.parent_path() / ("vocab." + plain));
    add(path.parent_path() / ("vocab." + plain + ".gz"));
  }
  return files;
}

namespace {

/// Replaces numbers that stand for missing values by NaN. Throws InputError for data that are not
/// dense, and for words that are not numbers, because only CSV has those.
void mark_missing_numbers(const std::filesystem::path& path, const std::vector<std::string>& words,
                          FileContent& content) {
  for (const std::string& word : words) {
    const std::optional<double> number = parse_number(word);
    if (!number || content.dense.size() == 0) {
      throw InputError(
          fmt::format("{}: is {}; accepted for `missing_words`: {}", path.string(),
                      content.dense.size() == 0 ? "not dense" : "not CSV",
                      content.dense.size() == 0 ? "CSV, or dense data" : "numbers, or a CSV file"));
    }
    content.dense = (content.dense.array() == *number)
                        .select(std::numeric_limits<double>::quiet_NaN(), content.dense);
  }
}

/// Throws InputError for a gzipped file of a format that is read without unpacking.
void refuse_packed(const std::filesystem::path& file, const std::filesystem::path& path,
                   FileFormat format) {
  const bool is_of_bytes = format == FileFormat::kHdf5 || format == FileFormat::kPlink ||
                           format == FileFormat::kScipyNpz || format == FileFormat::kSpca;
  std::array<char, 2> start = {};
  if (is_of_bytes && std::ifstream(file, std::ios::binary).read(start.data(), start.size()) &&
      start == std::array{'\x1f', '\x8b'}) {
    throw InputError(
        fmt::format("{0}: is packed by gzip, in which this format is not read; "
                    "accepted: the unpacked file: gunzip -k {0}",
                    path.string()));
  }
}

FileContent read_format(const std::filesystem::path& path, const std::string& matrix,
                        FileFormat format, const CsvForm& form);

}  // namespace

FileContent read_file(const std::filesystem::path& whole, const CsvForm& form) {
  const auto& [path, matrix] = select_in_file(whole);
  const InputFile input(path);  // so that a pipe is read once, for the format and the content
  const FileFormat format = format_of(path);
  if (form.has_layout() && format != FileFormat::kCsv) {
    throw InputError(fmt::format(
        "{}: is not CSV; accepted for `separator`, `decimal`, `header` and `row_names`: a CSV file",
        path.string()));
  }
  refuse_packed(input.path(), path, format);
  if (!matrix.empty() && !holds_several(format)) {
    throw InputError(
        fmt::format("{}: {} holds one matrix; accepted: FILE:MATRIX for HDF5 and .npz only",
                    whole.string(), path.string()));
  }
  FileContent content = read_format(path, matrix, format, form);
  if (format != FileFormat::kCsv && !form.missing_words.empty()) {
    mark_missing_numbers(path, form.missing_words, content);
  }
  return content;
}

namespace {

FileContent read_format(const std::filesystem::path& path, const std::string& matrix,
                        FileFormat format, const CsvForm& form) {
  switch (format) {
    case FileFormat::kCsv:
      return read_csv(path, form);
    case FileFormat::kNpy:
      return read_npy(path);
    case FileFormat::kMatrixMarket:
      return read_matrix_market(path);
    case FileFormat::kDocword:
      return read_docword(path);
    case FileFormat::kScipyNpz:
      return read_npz(path, matrix);
    case FileFormat::kHdf5:
      return read_hdf5(path, matrix);
    case FileFormat::kPlink:
      return read_plink(path);
    case FileFormat::kSpca:
      return read_spca(path);
    case FileFormat::kSvmlight:
      return read_svmlight(path);
    case FileFormat::kGct:
      return read_gct(path, form.keeps_missing);
  }
  SPCA_CHECK(false, "a format without a reader");
}

}  // namespace

FileContent read_matrix_file(const std::filesystem::path& path) {
  FileContent content = read_file(path);
  if (content.mapped != nullptr || content.genotypes != nullptr) {
    throw InputError(
        fmt::format("{}: holds data that are not read into memory; accepted here: another format",
                    path.string()));
  }
  return content;
}

}  // namespace spca
