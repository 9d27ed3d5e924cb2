#include "spca/base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/input_file.h"

namespace spca {
namespace {

// FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the
// first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// FIPS 180-4, section 6.2. Bytes may come in pieces of any length.
class Sha256 {
 public:
  void update(std::string_view bytes) {
    length_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t taken = std::min(bytes.size(), block_.size() - filled_);
      std::memcpy(block_.data() + filled_, bytes.data(), taken);
      filled_ += taken;
      bytes.remove_prefix(taken);
      if (filled_ == block_.size()) {
        compress();
        filled_ = 0;
      }
    }
  }

  /// Pads (section 5.1.1) and returns the eight words of the digest.
  std::array<std::uint32_t, 8> finish() {
    const std::uint64_t bits = 8 * length_;
    std::string padding = "\x80";
    // With the byte 0x80 before them and the 8 bytes of the length after them, these zeros fill the
    // last block of 64 bytes: length + 1 + (119 - length) mod 64 + 8 is a multiple of 64.
    padding.append((119 - length_ % 64) % 64, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) {
      padding.push_back(static_cast<char>(bits >> shift));
    }
    update(padding);
    return state_;
  }

 private:
  void compress() {
    // The message schedule W_t, then the 64 rounds on the working variables a ... h; the names are
    // those of section 6.2.2.
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
      w[t] = static_cast<std::uint32_t>(block_[4 * t]) << 24 |
             static_cast<std::uint32_t>(block_[4 * t + 1]) << 16 |
             static_cast<std::uint32_t>(block_[4 * t + 2]) << 8 |
             static_cast<std::uint32_t>(block_[4 * t + 3]);
    }
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t sigma1 =
          std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
      const std::uint32_t sigma0 =
          std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
      w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t choice = (e & f) ^ (~e & g);
      const std::uint32_t t1 = h + sum1 + choice + kRoundConstants[t] + w[t];
      const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + sum0 + majority;
    }
    const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) {
      state_[i] += added[i];
    }
  }

  // Section 5.3.3: from the square roots of the first eight primes.
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  // bytes
};

std::string to_hexadecimal(const std::array<std::uint32_t, 8>& words) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  digits.reserve(64);
  for (const std::uint32_t word : words) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      digits.push_back(kDigits[word >> shift & 0xf]);
    }
  }
  return digits;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return to_hexadecimal(digest.finish());
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const InputFile input(path);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(input.path().c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  }
  Sha256 digest;
  std::vector<char> buffer(std::size_t{1} << 18);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    digest.update({buffer.data(), count});
  }
  if (std::ferror(file.get()) != 0) {
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  }
  return to_hexadecimal(digest.finish());
}

std::uint64_t hash64(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  const std::array<std::uint32_t, 8> words = digest.finish();
  return static_cast<std::uint64_t>(words[0]) << 32 | words[1];
}

}  // namespace spca
