/// Reads the file of the cache with some of its bytes changed: each three bytes of the input are a
/// position and a change. An answer from the cache is a complete answer that was stored.

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fuzz/fuzzing.h"
#include "harness/runs/cache_file.h"
#include "harness/runs/cache_maintenance.h"

namespace {

using namespace spca;

constexpr int kAnswers = 12;

CachedAnswer answer_of(int number) {
  return {
      .key = std::string(63, 'a') + static_cast<char>('a' + number),
      .solver = "solver",
      .dataset = "data",
      .status = Status::kConverged,
      .solve_seconds = 0.5 * number,
      .text = std::string(static_cast<std::size_t>(40 * number), static_cast<char>('0' + number))};
}

/// Returns the bytes of a cache with kAnswers answers. The cache is made once.
const std::string& whole_file() {
  static const std::string bytes = [] {
    const std::filesystem::path folder = fuzz::write_file("made", "").parent_path() / "whole";
    {
      CacheFile cache(folder, SqlAccess::kMade);
      cache.begin();
      for (int number = 0; number < kAnswers; ++number) {
        cache.add(answer_of(number), "identity", {{"a", 1}}, "origin", {{"b", 2}});
      }
      cache.commit();
      cache.shorten();
    }
    std::ifstream file(folder / "cells.sqlite", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes = whole_file();
  for (std::size_t at = 0; at + 2 < size; at += 3) {
    const std::size_t position =
        (static_cast<std::size_t>(data[at]) << 8 | data[at + 1]) % bytes.size();
    bytes[position] = static_cast<char>(bytes[position] ^ data[at + 2]);
  }
  const std::filesystem::path file = fuzz::write_file("cells.sqlite", bytes);
  const std::filesystem::path folder = file.parent_path();
  for (const char* ending : {"-wal", "-shm"}) {
    std::filesystem::remove(file.string() + ending);
  }
  fuzz::accepted([&] {
    CacheFile cache(folder, SqlAccess::kExisting);
    for (int number = 0; number < kAnswers; ++number) {
      const CachedAnswer wanted = answer_of(number);
      const std::optional<CacheRow> row = cache.find(wanted.key);
      fuzz::require(!row || (row->answer.text == wanted.text && row->identity == "identity" &&
                             row->answer.solve_seconds == wanted.solve_seconds),
                    "an answer that is found is the one that was stored");
    }
    for (const auto& [digest, identity] : cache.identities()) {
      fuzz::require(digest == "identity" && identity == Json({{"a", 1}}), "an identity is whole");
    }
    cache.origin("origin");
  });
  fuzz::accepted([&] { list_cache(folder); });
  fuzz::accepted([&] { collect_cache(folder, {}); });
  return 0;
}
