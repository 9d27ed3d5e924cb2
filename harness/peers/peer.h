#pragma once

/// Peers: programs of other people as solvers. A peer is one JSON file (docs/PEERS.md) that says
/// how to call the program; it is written to by a folder with the problem and answers with
/// loadings.
/// Deflation, tuning, limits, feasibility and metrics are the harness's, as for any other solver.

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// An option of the peer, with its default.
struct PeerOption {
  std::string name;
  std::variant<bool, Index, double, std::string> value;
  std::string help;
  Range range = {};
  Choices choices = {};
};

struct PeerOptions {
  std::vector<PeerOption> fields;
  void describe(OptionVisitor& visit);
};

/// A program that says whether what the peer needs is there: exit code 0.
struct PeerNeed {
  std::vector<std::string> command;
  std::string message;  // what is needed and how to get it
};

struct Peer {
  std::string name;            // "peers/" and the file's stem
  std::filesystem::path file;  // absolute
  Traits traits;
  bool wants_data = false;                   // a B with S = B'B instead of S itself
  bool is_matrix_market = false;             // instead of .npy
  std::string answer;                        // file name
  std::vector<std::string> command;          // with placeholders
  std::vector<std::filesystem::path> files;  // scripts beside `file`
  std::vector<PeerNeed> needs;
  std::vector<PeerOption> options;
};

/// Throws InputError "file:line:column: pointer: ..." for what is not such a file.
Peer read_peer(const std::filesystem::path& file);

/// Whether the name means a peer: "peers/NAME", or a file NAME.json.
bool is_peer_name(const std::string& name);
/// "peers/NAME" is NAME.json in the folder that SPCA_PEERS names, in ./peers, or in the one that
/// comes with the program. Throws InputError where there is none, with a "did you mean".
std::filesystem::path find_peer(const std::string& name);
/// Of all such folders.
std::vector<std::string> peer_names();

/// Why the peer cannot run here; "" where it can: its program was found and everything that it
/// needs answered. `report`: what the programs of "needs" printed, versions say.
struct PeerState {
  std::string missing;
  std::string report;
};
PeerState probe_peer(const Peer& peer);

/// Calls the peer. Skipped where it is missing or the matrix is too large to be written; failed,
/// with the last line that it wrote on standard error, where it ends otherwise than with exit code
/// 0 or its answer is no p x r matrix of finite numbers.
Solution solve_with_peer(const Peer& peer, const PeerState& state, const Problem& problem,
                         const PeerOptions& options, Budget& budget);

/// Whether a solver of this name is registered or the name is a peer's, whose file need not be
/// here.
bool may_be_solver(const std::string& name);
/// The registered solver or the peer of this name; `where` (a JSON pointer, an option) opens the
/// message of the InputError for a name of neither and for a peer's file that cannot be used.
const SolverEntry& find_solver(const std::string& name, const std::string& where);

}  // namespace spca
