#include "spca/base/sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "spca/base/error.h"

namespace spca::sha256_test {
namespace {

// The examples of NIST for FIPS 180-4, and the empty message.
TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                   "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// From 56 bytes on the padding needs one more block. The digests are those of sha256sum.
TEST(Sha256, PadsMessagesThatEndNearABlock) {
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "spca_sha256_test.bin";
  std::string bytes(700'001, 'x');  // more than one block of the reader
  bytes[350'000] = '\0';
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(sha256_of_file(path), sha256(bytes));
  std::filesystem::remove(path);
}

TEST(Sha256, NamesAFileThatCannotBeRead) {
  try {
    sha256_of_file("/no/such/file");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "/no/such/file: cannot be read: No such file or directory");
  }
}

TEST(Hash64, IsTheFirstSixteenDigitsOfTheDigest) {
  EXPECT_EQ(hash64("abc"), 0xba7816bf8f01cfeaULL);
}

}  // namespace
}  // namespace spca::sha256_test
