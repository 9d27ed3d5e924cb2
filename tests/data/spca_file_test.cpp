/// Tests of .spca files, which are mapped: their content, the detection of damage, and that a
/// failure leaves no file.

#include "spca/data/content/file_content.h"
#include "spca/data/files/write_spca.h"
#include "spca/data/readers/read_file.h"
#include "spca/data/readers/read_spca.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/files/write_docword.h"
#include "tests/temporary_files.h"

namespace spca::spca_file_test {
namespace {

class SpcaFiles : public TemporaryFiles {
 protected:
  fs::path converted(const fs::path& from) const {
    const fs::path to = folder_ / "out.spca";
    convert_to_spca({.path = from}, to);
    return to;
  }

  /// Writes a corpus as docword files. With the defaults, the .spca file made of it is small enough
  /// to be checked whole at every opening.
  fs::path corpus(Index documents = 300, Index nonzeros = 6000) const {
    ZipfCorpusOptions options;
    options.documents = documents;
    options.words = 500;
    options.nonzeros = nonzeros;
    ZipfCorpus drawn(options, 4);
    const fs::path path = folder_ / "docword.c.txt";
    write_docword(drawn, path);
    return path;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
};

/// Expects equal results of the functions of S, to the last bit.
void expect_same(const Covariance& a, const Covariance& b) {
  const Index p = a.variables();
  ASSERT_EQ(p, b.variables());
  ASSERT_EQ(a.samples(), b.samples());
  Random random(2);
  Matrix block(p, 5);
  for (Index e = 0; e < block.size(); ++e) {
    block(e % p, e / p) = random.normal();
  }
  const Component sparse{.support = {0, p - 1}, .values = block.col(1).head(2)};
  const Vector u = Vector::LinSpaced(a.samples(), -1, 2);
  std::vector<Index> some;
  for (Index i = 0; i < a.samples(); i += 2) {
    some.push_back(i);
  }
  const auto results = [&](const Covariance& s) {
    Vector dense, product;
    Matrix many;
    s.multiply(Vector(block.col(0)), dense);
    s.multiply(sparse, product);
    s.multiply_block(block, many);
    return std::vector<Matrix>{dense,
                               product,
                               many,
                               s.diagonal(),
                               s.columns(sparse.support),
                               s.submatrix(sparse.support),
                               s.transpose_product(u),
                               s.data_product(sparse),
                               s.squared_sample_norms(),
                               *s.gram(),
                               s.of_samples(some)->diagonal(),
                               Matrix::Constant(1, 1, s.quadratic_form(sparse))};
  };
  const std::vector<Matrix> first = results(a);
  const std::vector<Matrix> second = results(b);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i], second[i]) << "result " << i;
  }
}

TEST_F(SpcaFiles, GiveTheSameBytesAsTheFileThatTheyWereMadeOf) {
  const fs::path from = corpus();
  const fs::path to = converted(from);
  for (const std::optional<bool> centered : {std::optional<bool>(), std::optional(true)}) {
    for (const Scale scale : {Scale::kSamples, Scale::kSamplesMinusOne, Scale::kNone}) {
      const Dataset read = read_dataset({.path = from, .centered = centered, .scale = scale});
      const Dataset mapped = read_dataset({.path = to, .centered = centered, .scale = scale});
      expect_same(*read.covariance, *mapped.covariance);
      EXPECT_EQ(read.covariance->is_centered(), mapped.covariance->is_centered());
      EXPECT_EQ(read.variable_names, mapped.variable_names);
    }
  }
  check_spca(to);
}

TEST_F(SpcaFiles, GiveTheSameProductsOnSeveralThreads) {
  const fs::path from = corpus(8000, 700'000);
  const auto read = read_dataset({.path = from}).covariance;
  const auto mapped = read_dataset({.path = converted(from)}).covariance;
  const Matrix block = Matrix::NullaryExpr(
      500, 5, [](Index i, Index j) { return std::sin(static_cast<double>(i + 500 * j)); });
  Component few{.support = {}, .values = block.col(4).head(100)};
  for (Index j = 0; j < 100; ++j) {
    few.support.push_back(5 * j);
  }
  const auto products = [&](const Covariance& s) {
    Vector dense, sparse;
    Matrix many;
    s.multiply(Vector(block.col(0)), dense);
    s.multiply(few, sparse);
    s.multiply_block(block, many);
    return std::vector<Matrix>{dense, sparse, many,
                               s.transpose_product(Vector::LinSpaced(8000, -1, 2)),
                               s.squared_sample_norms()};
  };
  const std::vector<Matrix> expected = products(*read);
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    const ThreadAllowance allowance(threads);
    const std::vector<Matrix> found = products(*mapped);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(expected[i], found[i]) << "result " << i;
    }
  }
}

TEST_F(SpcaFiles, AreTheSameForAnyOrderOfTheEntries) {
  write("vocab.a.txt", "x\ny\nz\n");
  write("vocab.b.txt", "x\ny\nz\n");
  write("vocab.c.txt", "x\ny\nz\n");
  const std::string sorted =
      bytes_of(converted(write("docword.a.txt", "4\n3\n5\n1 1 2\n1 3 1\n2 2 43\n4 1 1\n4 2 7\n")));
  EXPECT_EQ(
      sorted,
      bytes_of(converted(write("docword.b.txt", "4\n3\n5\n4 2 7\n1 3 1\n2 2 43\n1 1 2\n4 1 1\n"))));
  EXPECT_EQ(sorted, bytes_of(converted(write_gz("docword.c.txt.gz",
                                                "4\n3\n5\n1 3 1\n1 1 2\n2 2 43\n4 2 7\n4 1 1\n"))));
  EXPECT_EQ(sorted, bytes_of([&] {
              fs::rename(folder_ / "out.spca", folder_ / "in.spca");
              return converted(folder_ / "in.spca");
            }()));
}

TEST_F(SpcaFiles, KeepTheContentOfOtherFormats) {
  const fs::path dense = write("t.csv", "a,b,c\n1,0,2\n0,0,3\n4,5,0\n");
  const Dataset mapped = read_dataset({.path = converted(dense), .centered = {}});
  EXPECT_EQ(mapped.variable_names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(mapped.covariance->is_centered());
  const Dataset read = read_dataset({.path = dense, .centered = {}});
  EXPECT_LE((mapped.covariance->columns({0, 1, 2}) - read.covariance->columns({0, 1, 2}))
                .cwiseAbs()
                .maxCoeff(),
            1e-14);  // the dense S sums up in another order
  write("g.bim", "1 a 0 1 A C\n1 b 0 2 A C\n");
  write("g.fam", "f 1 0 0 1 0\nf 2 0 0 1 0\nf 3 0 0 1 0\nf 4 0 0 1 0\nf 5 0 0 1 0\n");
  const fs::path bed = write("g.bed", std::string("\x6c\x1b\x01\xe4\x02\x8b\x03", 7));
  const fs::path genotypes = converted(bed);
  expect_same(*read_dataset({.path = bed, .centered = {}}).covariance,
              *read_dataset({.path = genotypes, .centered = {}}).covariance);
  EXPECT_EQ(read_file(genotypes).variable_names, (std::vector<std::string>{"a", "b"}));
  check_spca(genotypes);
}

/// Returns 200 rows in Matrix Market: three columns of numbers about 1e8, of which column 0 has one
/// zero, and a column of counts.
std::string market_about_large_means() {
  Random random(5);
  std::string text = "%%MatrixMarket matrix coordinate real general\n200 4 ";
  std::string entries;
  int count = 0;
  for (int i = 1; i <= 200; ++i) {
    for (int j = 1; j <= 4; ++j) {
      const double value = j == 4 ? std::floor(3 * random.uniform()) : 1e8 + random.normal();
      if (value != 0 && (i != 7 || j != 1)) {
        entries += fmt::format("{} {} {}\n", i, j, value);
        ++count;
      }
    }
  }
  return text + std::to_string(count) + "\n" + entries;
}

TEST_F(SpcaFiles, KeepTheDigitsOfDataWithLargeMeans) {
  const fs::path from = write("m.mtx", market_about_large_means());
  const fs::path to = converted(from);
  check_spca(to);
  const FileContent content = read_file(to);
  EXPECT_EQ((content.mapped->shifts.array() != 0).count(), 3);
  EXPECT_LE(content.mapped->facts.sums.cwiseAbs()[1], 1000);
  const auto read = [](const fs::path& path, bool centered) {
    return read_dataset({.path = path, .is_covariance = false, .centered = centered}).covariance;
  };
  expect_same(*read(from, true), *read(to, true));
  const auto raw = read(from, false);
  const auto raw_mapped = read(to, false);
  const Support all = {0, 1, 2, 3};
  EXPECT_LE((raw->columns(all) - raw_mapped->columns(all)).norm(),
            1e-14 * raw->columns(all).norm());
  EXPECT_LE((raw->submatrix(all) - raw_mapped->submatrix(all)).norm(),
            1e-14 * raw->submatrix(all).norm());
  EXPECT_LE((raw->diagonal() - raw_mapped->diagonal()).norm(), 1e-14 * raw->diagonal().norm());
  expect_same(*read(from, true), *raw_mapped->in_form({.centered = true}));
  const std::string bytes = bytes_of(to);
  fs::rename(to, folder_ / "in.spca");
  EXPECT_EQ(bytes, bytes_of(converted(folder_ / "in.spca")));
}

TEST_F(SpcaFiles, WithoutShiftsAreReadIntoMemoryIfLargeMeansAreCentred) {
  // Writes the file that a program of format version 1 would write for the same data.
  const fs::path from = write("m.mtx", market_about_large_means());
  const SparseRows rows = *read_file(from).sparse;
  const fs::path old = folder_ / "old.spca";
  write_spca(old,
             {.n = 200, .p = 4, .entries = rows.nonZeros(), .variable_names = {}, .shifts = {}},
             [&](SpcaRows& out) {
               for (Index i = 0; i < rows.rows(); ++i) {
                 for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
                   out.add(static_cast<int>(entry.col()), entry.value());
                 }
                 out.end_row();
               }
             });
  ASSERT_EQ(read_file(old).mapped->shifts.size(), 0);
  for (const bool centered : {true, false}) {
    const FileRequest text = {.path = from, .is_covariance = false, .centered = centered};
    expect_same(*read_dataset(text).covariance,
                *read_dataset({.path = old, .centered = centered}).covariance);
  }
  expect_same(*read_dataset({.path = converted(from)}).covariance,
              *read_dataset({.path = converted(old)}).covariance);
  // Counts of words stay counts of words.
  const fs::path counts = write(
      "docword.l.txt", "3\n2\n5\n1 1 100000000\n2 1 100000001\n3 1 100000002\n1 2 1\n3 2 7\n");
  const fs::path mapped = converted(counts);
  EXPECT_EQ(read_file(mapped).mapped->shifts.size(), 0);
  const auto centred = read_dataset({.path = mapped, .centered = true}).covariance;
  expect_same(*read_dataset({.path = counts, .centered = true}).covariance, *centred);
  EXPECT_EQ(centred->diagonal()[0], 2.0 / 3);
}

TEST_F(SpcaFiles, AnyByteThatIsChangedIsFoundWhenASmallFileIsOpened) {
  for (const char* table : {"1,0,2\n0,0,3\n4,5,0\n", "1,1e8,2\n0,1e8,3\n4,1e8,0\n"}) {
    const std::string good = bytes_of(converted(write("t.csv", table)));
    // The bytes include the zeros between the parts.
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ 0x10);
      const fs::path damaged = write("bad.spca", bad);
      const std::string message =
          error_of([&] { read_dataset({.path = damaged, .centered = {}}); });
      EXPECT_NE(message.find("accepted: a whole file as `spca convert` writes it"),
                std::string::npos)
          << i << ": " << message;
    }
  }
  const fs::path path = converted(write("t.csv", "1,0,2\n0,0,3\n4,5,0\n"));
  const std::string good = bytes_of(path);
  for (const std::size_t bytes :
       {std::size_t{3}, std::size_t{100}, std::size_t{400}, good.size() - 1}) {
    expect_error(write("short.spca", good.substr(0, bytes)), {"accepted: a whole file"});
  }
  expect_error(write("long.spca", good + "x"), {"has", "bytes, and should have"});
  expect_error(write("empty.spca", ""), {"is empty"});
  expect_error(write("text.spca", "1,2\n3,4\n"), {"does not begin with the header"});
  expect_error(path, {"accepted for kind covariance"}, true);
}

TEST_F(SpcaFiles, OfALargeFileTheContentIsCheckedOnRequest) {
  const fs::path path = converted(corpus(20'000, 900'000));
  ASSERT_GT(fs::file_size(path), kCheckedAtOpen);
  check_spca(path);
  std::string bytes = bytes_of(path);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
  const fs::path damaged = write("bad.spca", bytes);
  read_dataset({.path = damaged, .centered = {}});
  EXPECT_NE(error_of([&] { check_spca(damaged); }).find("its content does not have the checksum"),
            std::string::npos);
}

TEST_F(SpcaFiles, NothingIsLeftOfAFileThatCannotBeMade) {
  const auto refuses = [&](const fs::path& from, const std::vector<std::string>& parts) {
    const std::size_t before = files();
    const std::string message = error_of([&] { converted(from); });
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
    }
    EXPECT_EQ(files(), before);
  };
  refuses(write("docword.x.txt", "2\n2\n3\n1 1 1\n1 1 2\n2 1 1\n"), {":5:", "a second time"});
  refuses(write("docword.y.txt", "2\n2\n3\n2 1 1\n1 1 2\n1 1 1\n"), {":6:", "a second time"});
  refuses(write("docword.z.txt", "2\n2\n3\n1 1 1\n"), {"ends after 1 entries"});
  refuses(write("nan.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1e999\n"),
          {"nan.mtx"});
  refuses(folder_ / "none.csv", {"cannot be opened"});
  EXPECT_NE(error_of([&] {
              convert_to_spca({.path = write("a.csv", "1,2\n3,4\n")}, "/nowhere/out.spca");
            }).find("/nowhere/out.spca"),
            std::string::npos);
  const fs::path same = write("same.csv", "1,2\n3,4\n");
  EXPECT_NE(error_of([&] { convert_to_spca({.path = same}, same); }).find("both input and output"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { convert_to_spca({.path = same}, "/dev/null"); }).find("accepted: a file"),
      std::string::npos);
}

TEST_F(SpcaFiles, AFullDiskLeavesTheOldFileAndNothingElse) {
  const fs::path from = corpus();
  const fs::path path = write("out.spca", "what was there");
  const std::size_t before = files();
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);  // room beyond the limit is then refused, as on a full disk
    const rlimit limit{.rlim_cur = 20'000, .rlim_max = 20'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = error_of([&] { convert_to_spca({.path = from}, path); });
    _exit(message.find("out.spca: cannot be written: File too large") == std::string::npos);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytes_of(path), "what was there");
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace spca::spca_file_test
