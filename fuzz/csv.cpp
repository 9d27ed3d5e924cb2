/// CSV of numbers, with and without a given form, and of words.

#include "spca/data/readers/csv.h"
#include "fuzz/fuzzing.h"
#include "spca/data/content/file_content.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::read_both_ways("input.csv", text,
                       [](const std::filesystem::path& path) { return read_csv(path); });
  const std::filesystem::path path = fuzz::write_file("words.csv", text);
  fuzz::accepted([&] { read_csv_rows(path); });
  // The first byte, which stays part of the text, also selects the form, as options of the command
  // would. Its lowest bit selects whether an ambiguous table is an error (CsvForm::asks).
  const unsigned choice = size == 0 ? 0 : data[0];
  CsvForm form = {.keeps_missing = true, .asks = (choice & 1) != 0};
  form.separator = (choice & 2) != 0 ? ';' : '\0';
  form.decimal = (choice & 4) != 0 ? ',' : '\0';
  if ((choice & 8) != 0) {
    form.header = (choice & 16) != 0;
  }
  if ((choice & 32) != 0) {
    form.row_names = (choice & 64) != 0;
  }
  fuzz::accepted([&] {
    const FileContent content = read_csv(path, form);
    const std::size_t rows = content.sample_names.size();
    fuzz::require(rows == 0 || rows == static_cast<std::size_t>(content.dense.rows()),
                  "every row has a name, or none has");
    const std::size_t columns = content.variable_names.size();
    fuzz::require(columns == 0 || columns == static_cast<std::size_t>(content.dense.cols()),
                  "every column has a name, or none has");
    fuzz::require(!content.dense.array().isInf().any(), "numbers are finite or missing");
  });
  return 0;
}
