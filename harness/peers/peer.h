#pragma once

/// Peers: external programs as solvers. A peer is one JSON file (docs/PEERS.md) that says how to
/// call the program. The program finds the problem in a folder and writes its loadings there. The
/// harness handles deflation, tuning, limits, feasibility and metrics, as for any other solver.

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "harness/peers/peer_files.h"
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

/// A program whose exit code 0 says that a requirement of the peer is met.
struct PeerNeed {
  std::vector<std::string> command;
  std::string message;  // names the requirement and how to install it
};

struct Peer {
  std::string name;            // "peers/" and the file's stem
  std::filesystem::path file;  // absolute
  Traits traits;
  PeerMatrix matrix = PeerMatrix::kCovariance;
  PeerFormat format = PeerFormat::kNpy;
  std::string answer;                        // name of the file that the program writes
  std::vector<std::string> command;          // with placeholders
  std::vector<std::filesystem::path> files;  // the scripts of `command`, and "files"
  std::vector<PeerNeed> needs;
  std::vector<PeerOption> options;
};

/// The beginning of the names of installed peers.
inline constexpr const char* kPeerPrefix = "peers/";

/// Returns whether the name means a peer: "peers/NAME", or a file NAME.json.
bool is_peer_name(const std::string& name);
/// Returns true if the name is that of a peer's file.
bool is_peer_file(const std::string& name);
/// Returns the name of a solver in tables: of a peer's file its stem.
std::string solver_label(const std::string& name);
/// Returns the file of a peer. "peers/NAME" is NAME.json in the folder that SPCA_PEERS names, in
/// ./peers, or in the folder that comes with the program. Throws InputError that suggests a similar
/// name if there is no such file.
std::filesystem::path find_peer(const std::string& name);
/// Returns the names of the peers in all these folders.
std::vector<std::string> peer_names();

struct PeerState {
  /// The reason why the peer cannot run here. Empty if it can: its program was found, and each
  /// program of "needs" ended with exit code 0.
  std::string missing;
  /// The last line of standard error of each program of "needs", for example its version.
  std::string report;
};
/// Runs the programs of "needs", each for at most a minute.
PeerState probe_peer(const Peer& peer);

/// Returns whether a solver of this name is registered, or the name means a peer. The peer's file
/// need not exist.
bool may_be_solver(const std::string& name);
/// Returns the registered solver or the peer of this name. Throws InputError whose message begins
/// with `where` (a JSON pointer, an option) if there is neither, or if the peer's file cannot be
/// used.
const SolverEntry& find_solver(const std::string& name, const std::string& where);

}  // namespace spca
