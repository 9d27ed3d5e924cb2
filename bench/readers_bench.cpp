/// Measures readers in bytes of text per second on one core, unpacking included, and the generator
/// that an experiment calls ten thousand times. Before a reader is timed, its numbers are compared
/// with those that operator>> reads from the same text.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/data/content/file_content.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/read_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// Files that live as long as the program.
class Files {
 public:
  Files() : folder_(fs::temp_directory_path() / ("spca_bench_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text, bool is_packed) const {
    const fs::path path = folder_ / (is_packed ? name + ".gz" : name);
    // Mode "T" of zlib writes the bytes as they are.
    gzFile file = gzopen(path.c_str(), is_packed ? "wb6" : "wbT");
    SPCA_CHECK(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0, "cannot write");
    gzclose(file);
    return path;
  }

 private:
  fs::path folder_;
};

const Files& files() {
  static const Files instance;
  return instance;
}

/// The text of 20,000 documents with 65 different words on average, out of 20,000 words.
const std::string& docword_text() {
  static const std::string text = [] {
    constexpr std::uint64_t kDocuments = 20'000;
    constexpr std::uint64_t kWords = 20'000;
    Random random(1);
    std::string entries;
    int count = 0;
    for (std::uint64_t d = 1; d <= kDocuments; ++d) {
      for (std::uint64_t w = 1 + random.below(600); w <= kWords; w += 1 + random.below(600)) {
        const std::uint64_t times = random.below(4) == 0 ? 2 + random.below(20) : 1;
        entries += fmt::format("{} {} {}\n", d, w, times);
        ++count;
      }
    }
    return fmt::format("{}\n{}\n{}\n", kDocuments, kWords, count) + entries;
  }();
  return text;
}

/// 500 x 500 numbers of 17 digits, as in the published covariance matrices.
const std::string& csv_text() {
  static const std::string text = [] {
    Random random(2);
    std::string rows;
    for (int i = 0; i < 500; ++i) {
      for (int j = 0; j < 500; ++j) {
        rows += fmt::format("{:.17g}{}", 100 * random.normal(), j + 1 < 500 ? ',' : '\n');
      }
    }
    return rows;
  }();
  return text;
}

void check_docword(const fs::path& path) {
  const FileContent content = read_file(path);
  std::istringstream stream(docword_text());
  Index documents, words, entries;
  stream >> documents >> words >> entries;
  std::vector<Eigen::Triplet<double, int>> triplets;
  for (int row, column, count; stream >> row >> column >> count;) {
    triplets.emplace_back(row - 1, column - 1, count);
  }
  SparseRows expected(documents, words);
  expected.setFromTriplets(triplets.begin(), triplets.end());
  SPCA_CHECK(content.sparse->nonZeros() == entries && (*content.sparse - expected).norm() == 0,
             "the reader and operator>> disagree");
}

void check_csv(const fs::path& path) {
  const Matrix matrix = read_file(path).dense;
  std::istringstream stream(csv_text());
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      double value;
      char separator;
      stream >> value;
      stream.get(separator);
      SPCA_CHECK(value == matrix(i, j), "the reader and operator>> disagree");
    }
  }
}

void read_repeatedly(benchmark::State& state, const fs::path& path, std::size_t bytes) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(read_file(path));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void docword(benchmark::State& state) {
  const fs::path path = files().write("docword.bench.txt", docword_text(), state.range(0) != 0);
  check_docword(path);
  read_repeatedly(state, path, docword_text().size());
}
BENCHMARK(docword)->ArgName("gz")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void csv(benchmark::State& state) {
  const fs::path path = files().write("bench.csv", csv_text(), state.range(0) != 0);
  check_csv(path);
  read_repeatedly(state, path, csv_text().size());
}
BENCHMARK(csv)->ArgName("gz")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Measures unpacking alone: no reader of a gzip file can be faster.
void unpack(benchmark::State& state) {
  const std::string& text = state.range(0) != 0 ? docword_text() : csv_text();
  const fs::path path = files().write("unpack", text, true);
  std::vector<char> buffer(1 << 18);
  for (auto _ : state) {
    gzFile file = gzopen(path.c_str(), "rb");
    gzbuffer(file, 1 << 17);
    while (gzread(file, buffer.data(), static_cast<unsigned>(buffer.size())) > 0) {
    }
    gzclose(file);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(unpack)->ArgName("docword")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// Measures the peak memory of reading a docword file and forming its covariance, as a multiple of
/// the CSR arrays. Run it alone (--benchmark_filter=docword_memory), because a process has one
/// peak.
void docword_memory(benchmark::State& state) {
  const fs::path path = files().write("docword.memory.txt", docword_text(), true);
  const auto resident_bytes = [](const char* field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(field)) {
        return 1024.0 * std::atof(line.c_str() + std::string(field).size());
      }
    }
    return 0.0;
  };
  const std::string& text = docword_text();
  const auto nonzeros = static_cast<double>(std::count(text.begin(), text.end(), '\n') - 3);
  for (auto _ : state) {
    malloc_trim(0);                               // freed memory must not be reused
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts again from here
    const double before = resident_bytes("VmRSS:");
    const Dataset dataset = read_dataset({.path = path, .centered = {}});
    state.counters["peak_over_csr"] =
        (resident_bytes("VmHWM:") - before) / (12 * nonzeros + 4 * 20'001);
  }
}
BENCHMARK(docword_memory)->Iterations(1)->Unit(benchmark::kMillisecond);

void normal(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(random.normal());
  }
}
BENCHMARK(normal);

/// The default draw of the spiked experiment, 50 x 500: 25,000 normals.
void spiked(benchmark::State& state) {
  const DatasetEntry* entry = DatasetRegistry::instance().find("spiked");
  const Json options = entry->complete_options(Json::object(), "/options");
  std::uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(entry->load(options, {.data_dir = {}, .seed = ++seed}));
  }
}
BENCHMARK(spiked)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
