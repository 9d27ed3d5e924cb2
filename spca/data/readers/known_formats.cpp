#include "spca/data/readers/known_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/zip_archive.h"

namespace spca {
namespace {

using namespace std::string_view_literals;

struct KnownFormat {
  std::string_view bytes;  // empty: recognised by the name only
  std::size_t at;          // offset of the bytes
  std::string_view ending;
  const char* what;
  const char* instead;  // FILE stands for the path
  bool is_text = false;
};

constexpr const char* kSaveCsv = "CSV, as which the program that wrote it saves it";
constexpr const char* kFromExcel =
    "CSV: in Python, pandas.read_excel(\"FILE\").to_csv(\"x.csv\", index=False)";
constexpr const char* kFromParquet =
    "CSV: in Python, pandas.read_parquet(\"FILE\").to_csv(\"x.csv.gz\", index=False)";
constexpr const char* kFromFeather =
    "CSV: in Python, pandas.read_feather(\"FILE\").to_csv(\"x.csv.gz\", index=False)";
constexpr const char* kFromRds =
    "CSV: Rscript -e 'write.csv(readRDS(\"FILE\"), \"x.csv\", row.names = FALSE)'";
constexpr const char* kFromRData =
    "CSV: Rscript -e 'write.csv(get(load(\"FILE\")[1]), \"x.csv\", row.names = FALSE)'";
constexpr const char* kFromPickle =
    "NumPy: in Python, numpy.save(\"x.npy\", numpy.asarray(pandas.read_pickle(\"FILE\")))";
constexpr const char* kFromSpss =
    "CSV: Rscript -e 'write.csv(haven::read_sav(\"FILE\"), \"x.csv\", row.names = FALSE)'";
constexpr const char* kFromStata =
    "CSV: in Python, pandas.read_stata(\"FILE\", convert_categoricals=False).to_csv(\"x.csv\", "
    "index=False)";
constexpr const char* kFromSas =
    "CSV: in Python, pandas.read_sas(\"FILE\").to_csv(\"x.csv\", index=False)";
constexpr const char* kFromMatlab =
    "HDF5: in MATLAB, load FILE and save('x.mat', 'NAME', '-v7.3'); or NumPy: in Python, "
    "numpy.save(\"x.npy\", scipy.io.loadmat(\"FILE\")[\"NAME\"])";
constexpr const char* kFromVcf = "PLINK: plink2 --vcf FILE --make-bed --out x, and then x.bed";
constexpr const char* kFromBcf = "PLINK: plink2 --bcf FILE --make-bed --out x, and then x.bed";
constexpr const char* kFromBgen =
    "PLINK: plink2 --bgen FILE ref-first --make-bed --out x, and then x.bed";
constexpr const char* kFromPgen = "PLINK 1: plink2 --pfile NAME --make-bed --out x, and then x.bed";
constexpr const char* kFromArff =
    "CSV: in Python, pandas.DataFrame(scipy.io.arff.loadarff(\"FILE\")[0]).to_csv(\"x.csv\", "
    "index=False)";
constexpr const char* kFromGeo =
    "CSV with a sample in each row: in Python, pandas.read_csv(\"FILE\", sep=\"\\t\", "
    "comment=\"!\", "
    "index_col=0).T.to_csv(\"x.csv\")";
constexpr const char* kFromNetcdf =
    "NumPy: in Python, numpy.save(\"x.npy\", xarray.open_dataset(\"FILE\")[\"NAME\"].values)";

constexpr std::array kFormats = {
    KnownFormat{"PAR1", 0, ".parquet", "Parquet, for which this system has no C++ library",
                kFromParquet},
    KnownFormat{"ARROW1", 0, ".feather", "Feather", kFromFeather},
    KnownFormat{"FEA1", 0, ".feather", "Feather", kFromFeather},
    KnownFormat{"", 0, ".xlsx", "a spreadsheet", kFromExcel},
    KnownFormat{"", 0, ".ods", "a spreadsheet", kSaveCsv},
    KnownFormat{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "",
                "a file of an older Microsoft Office, such as an Excel spreadsheet", kFromExcel},
    KnownFormat{"RDX2\n", 0, ".RData", "a file of R's save", kFromRData},
    KnownFormat{"RDX3\n", 0, ".rda", "a file of R's save", kFromRData},
    KnownFormat{"RDA2\nA\n", 0, "", "a file of R's save", kFromRData, true},
    KnownFormat{"RDA3\nA\n", 0, "", "a file of R's save", kFromRData, true},
    KnownFormat{"X\n\0\0\0"sv, 0, ".rds", "a file of R's saveRDS", kFromRds},
    KnownFormat{"", 0, ".RDS", "a file of R's saveRDS", kFromRds},
    KnownFormat{"\x80\x02", 0, ".pkl", "a pickle of Python", kFromPickle},
    KnownFormat{"\x80\x03", 0, ".pickle", "a pickle of Python", kFromPickle},
    KnownFormat{"\x80\x04\x95", 0, "", "a pickle of Python", kFromPickle},
    KnownFormat{"\x80\x05\x95", 0, "", "a pickle of Python", kFromPickle},
    KnownFormat{"$FL2", 0, ".sav", "a file of SPSS", kFromSpss},
    KnownFormat{"$FL3", 0, ".zsav", "a file of SPSS", kFromSpss},
    KnownFormat{"<stata_dta>", 0, ".dta", "a file of Stata", kFromStata},
    KnownFormat{"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60"sv, 0, ".sas7bdat", "a file of SAS",
                kFromSas},
    KnownFormat{"HEADER RECORD*******LIB", 0, ".xpt", "a transport file of SAS", kFromSas, true},
    KnownFormat{"MATLAB 5.0 MAT-file", 0, "", "a file of MATLAB before 7.3", kFromMatlab},
    KnownFormat{"##fileformat=VCF", 0, "", "VCF", kFromVcf, true},
    KnownFormat{"BCF\2", 0, "", "BCF", kFromBcf},
    KnownFormat{"bgen", 16, "", "BGEN", kFromBgen},
    KnownFormat{"\x6c\x1b\x02", 0, "", "PLINK 2", kFromPgen},
    KnownFormat{"\x6c\x1b\x10", 0, "", "PLINK 2", kFromPgen},
    KnownFormat{"!Series_", 0, "", "a series matrix of GEO", kFromGeo, true},
    KnownFormat{"!Sample_", 0, "", "a series matrix of GEO", kFromGeo, true},
    KnownFormat{"^DATABASE", 0, "", "SOFT of GEO",
                "the series matrix of the same record, and of it the table", true},
    KnownFormat{"CDF\1", 0, "", "NetCDF", kFromNetcdf},
    KnownFormat{"CDF\2", 0, "", "NetCDF", kFromNetcdf},
    KnownFormat{"SQLite format 3", 0, "", "a database of SQLite",
                "CSV: sqlite3 -header -csv FILE 'select * from NAME' > x.csv"},
    KnownFormat{"ORC", 0, ".orc", "ORC",
                "CSV: in Python, pandas.read_orc(\"FILE\").to_csv(\"x.csv.gz\", index=False)"},
    KnownFormat{"Obj\1", 0, ".avro", "Avro", kSaveCsv},
    KnownFormat{"BZh", 0, "", "packed by bzip2", "bzip2 -dc FILE | spca solve --data -"},
    KnownFormat{"\xfd"
                "7zXZ",
                0, "", "packed by xz", "xz -dc FILE | spca solve --data -"},
    KnownFormat{"\x28\xb5\x2f\xfd", 0, "", "packed by Zstandard",
                "zstd -dc FILE | spca solve --data -"},
    KnownFormat{"7z\xbc\xaf\x27\x1c", 0, "", "a 7z archive", "the file in it: 7z x FILE"},
    KnownFormat{"Rar!", 0, "", "a rar archive", "the file in it: unrar x FILE"},
    KnownFormat{"ustar", 257, "", "a tar archive", "the file in it: tar -xf FILE"},
    KnownFormat{"\x89PNG", 0, "", "a picture", "a table of numbers"},
    KnownFormat{"\xff\xd8\xff", 0, "", "a picture", "a table of numbers"},
    KnownFormat{"%PDF-", 0, "", "a PDF document", "a table of numbers", true},
};

/// Returns true if there is no control character but tabs and line ends, which tables have.
bool is_plain_text(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char character) {
    return character < ' ' && character != '\t' && character != '\n' && character != '\r';
  });
}

[[noreturn]] void refuse_format(const std::filesystem::path& path, std::string_view what,
                                std::string instead) {
  constexpr std::string_view kFile = "FILE";
  for (std::size_t at = instead.find(kFile); at != std::string::npos;
       at = instead.find(kFile, at + path.string().size())) {
    instead.replace(at, kFile.size(), path.string());
  }
  throw InputError(fmt::format("{}: is {}; accepted: {}", path.string(), what, instead));
}

/// Returns the first line that is neither empty nor a comment of ARFF.
std::string_view first_declaration(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    if (!line.empty() && line[0] != '%') {
      return line;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

}  // namespace

void refuse_known_formats(const std::filesystem::path& path, std::string_view start) {
  if (start.starts_with(kByteOrderMark)) {
    start.remove_prefix(kByteOrderMark.size());
  }
  const std::string name = path.filename().string();
  const bool is_text = is_plain_text(start);
  for (const KnownFormat& known : kFormats) {
    const bool has_bytes = !known.bytes.empty() && start.size() >= known.at &&
                           start.substr(known.at).starts_with(known.bytes);
    const bool has_name = !known.ending.empty() && name.ends_with(known.ending);
    // A text that begins with the gene ORC1 is not an ORC file, and a table is a table under any
    // name.
    if ((has_bytes && (has_name || !is_text || known.is_text)) || (has_name && !is_text)) {
      refuse_format(path, known.what, known.instead);
    }
  }
  for (const auto& [ending, instead] :
       {std::pair(".ped", "the binary form: plink --file NAME --make-bed --out x, and then x.bed"),
        std::pair(".tped",
                  "the binary form: plink --tfile NAME --make-bed --out x, and then x.bed"),
        std::pair(".bim", "the .bed file beside it"),
        std::pair(".fam", "the .bed file beside it")}) {
    if (is_text && name.ends_with(ending)) {
      refuse_format(path, "a text file of PLINK", instead);
    }
  }
  if (name.ends_with(".mat") && !is_text && !start.starts_with("MATLAB 7.3") &&
      !start.starts_with("\x89HDF")) {
    refuse_format(path, "a file of MATLAB before 7.3", kFromMatlab);
  }
  if (start.starts_with("\"!Series_") || start.starts_with("\"!Sample_")) {
    refuse_format(path, "a series matrix of GEO", kFromGeo);
  }
  const std::string first = lower_case(first_declaration(start.substr(0, start.find('\0'))));
  if (first.starts_with("@relation")) {
    refuse_format(path, "ARFF", kFromArff);
  }
  if (first.starts_with("<!doctype html") || first.starts_with("<html")) {
    refuse_format(path, "a web page, and not the linked file", "the file itself, downloaded anew");
  }
  if (first.starts_with("<?xml")) {
    refuse_format(path, "XML", kSaveCsv);
  }
  if (first.starts_with('{') || first.starts_with("[{") || first.starts_with("[[")) {
    refuse_format(path, "JSON",
                  "CSV: in Python, pandas.read_json(\"FILE\").to_csv(\"x.csv\", index=False)");
  }
}

void refuse_other_zip(const std::filesystem::path& path) {
  const ZipArchive archive(path);
  std::vector<std::string> others;
  for (const ZipMember& member : archive.members()) {
    const bool is_of_the_archive =
        member.name.ends_with('/') || member.name.starts_with("__MACOSX/");
    if (!member.name.ends_with(".npy") && !is_of_the_archive) {
      others.push_back(member.name);
    }
  }
  if (others.empty()) {
    return;
  }
  const auto has = [&](const char* name) { return archive.find(name) != nullptr; };
  if (has("xl/workbook.xml")) {
    refuse_format(path, "a spreadsheet of Excel", kFromExcel);
  }
  if (has("word/document.xml")) {
    refuse_format(path, "a document of Word", "a table of numbers, as CSV");
  }
  if (has("mimetype") && has("content.xml")) {
    refuse_format(path, "a spreadsheet or document of LibreOffice", kSaveCsv);
  }
  if (std::any_of(others.begin(), others.end(),
                  [](const std::string& name) { return name.ends_with("data.pkl"); })) {
    refuse_format(path, "a file of PyTorch",
                  "NumPy: in Python, numpy.save(\"x.npy\", torch.load(\"FILE\").numpy())");
  }
  constexpr std::size_t kListed = 5;
  const std::size_t count = others.size();
  others.resize(std::min(count, kListed));
  refuse_format(
      path,
      fmt::format("a zip archive of {}{}", printable(join(others)), count > kListed ? ", ..." : ""),
      count == 1
          ? fmt::format("its file: unzip -p FILE '{}' | spca solve --data -", printable(others[0]))
          : "one of its files: unzip FILE");
}

void refuse_folder(const std::filesystem::path& path) {
  std::error_code error;
  for (const char* mark : {".zgroup", ".zarray", "zarr.json", ".zattrs"}) {
    if (std::filesystem::exists(path / mark, error)) {
      refuse_format(path, "Zarr",
                    "HDF5: in Python, anndata.read_zarr(\"FILE\").write_h5ad(\"x.h5ad\"); or "
                    "numpy.save(\"x.npy\", zarr.open(\"FILE\")[\"NAME\"][:])");
    }
  }
  for (const char* name : {"matrix.mtx", "matrix.mtx.gz"}) {
    if (std::filesystem::exists(path / name, error)) {
      refuse_format(path, "a folder", (path / name).string());
    }
  }
  refuse_format(path, "a folder", "a file");
}

}  // namespace spca
