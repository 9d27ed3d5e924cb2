#pragma once

/// Peers: programs of other people as solvers. A peer is one JSON file (docs/PEERS.md) that says
/// how to call the program. The program finds the problem in a folder and writes its loadings
/// there. Deflation, tuning, limits, feasibility and metrics are the harness's, as for any other
/// solver.

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

/// A program whose exit code 0 says that something which the peer needs is there.
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
  std::string answer;                        // name of the file that the program writes
  std::vector<std::string> command;          // with placeholders
  std::vector<std::filesystem::path> files;  // scripts beside `file`
  std::vector<PeerNeed> needs;
  std::vector<PeerOption> options;
};

/// Reads a peer's file. Throws InputError "file:line:column: pointer: ..." if it is not one.
Peer read_peer(const std::filesystem::path& file);

/// Whether the name means a peer: "peers/NAME", or a file NAME.json.
bool is_peer_name(const std::string& name);
/// The file of a peer. "peers/NAME" is NAME.json in the folder that SPCA_PEERS names, in ./peers,
/// or in the folder that comes with the program. Throws InputError with a "did you mean" if there
/// is none.
std::filesystem::path find_peer(const std::string& name);
/// The peers of all these folders.
std::vector<std::string> peer_names();

struct PeerState {
  /// Why the peer cannot run here. Empty if it can: its program was found, and each program of
  /// "needs" ended with exit code 0.
  std::string missing;
  /// What the programs of "needs" printed last on standard error: versions, say.
  std::string report;
};
/// Runs the programs of "needs", each for at most a minute.
PeerState probe_peer(const Peer& peer);

/// Calls the peer. The solution is skipped if the peer is missing or the matrix is too large to be
/// written. It is failed if the program does not end with exit code 0, or its answer is no p x r
/// matrix of finite numbers; the message then has the last line of standard error.
Solution solve_with_peer(const Peer& peer, const PeerState& state, const Problem& problem,
                         const PeerOptions& options, Budget& budget);

/// Whether a solver of this name is registered, or the name means a peer. The peer's file need not
/// be here.
bool may_be_solver(const std::string& name);
/// The registered solver or the peer of this name. Throws InputError if there is neither, or the
/// peer's file cannot be used. `where` (a JSON pointer, an option) opens the message.
const SolverEntry& find_solver(const std::string& name, const std::string& where);

}  // namespace spca
