/// A peer's file: a program to call, or a message of one line.

#include "harness/peers/peer_reader.h"

#include "fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path file = fuzz::write_file("peer.json", fuzz::text_of(data, size));
  fuzz::accepted([&] {
    const Peer peer = read_peer(file);
    fuzz::require(peer.name == "peers/peer", "its name is the file's");
    fuzz::require(!peer.command.empty(), "there is a program to call");
    fuzz::require(!peer.answer.empty() && peer.answer.find('/') == std::string::npos,
                  "the answer is a file in the folder of the call");
  });
  return 0;
}
