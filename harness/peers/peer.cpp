#include "harness/peers/peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/peers/peer_placeholders.h"
#include "harness/peers/peer_reader.h"
#include "harness/peers/peer_solver.h"
#include "spca/base/error.h"
#include "spca/base/options_json.h"
#include "spca/base/sha256.h"
#include "spca/base/text.h"
#include "spca/io/external_program.h"
#include "spca/io/resources.h"
#include "spca/io/revision.h"
#include "spca/solving/tuning.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr double kProbeSeconds = 60;  // the first start reads the interpreter's files from disk

std::vector<fs::path> peer_folders() { return resource_folders("peers", FromHere::kYes); }

/// Returns a digest of everything that the answer depends on, except the problem: the peer's file,
/// the files beside it that it names, the reason why it cannot run here, and the versions that its
/// needs report.
std::string digest_of(const Peer& peer, const PeerState& state) {
  std::string digests = sha256_of_file(peer.file) + "\n";
  for (const fs::path& file : peer.files) {
    digests += sha256_of_file(file) + "\n";
  }
  return sha256(digests + state.missing + "\n" + state.report);
}

/// Returns the options of a peer and those that the harness adds to every penalty solver.
std::vector<PeerOption> all_options(const Peer& peer) {
  std::vector<PeerOption> fields = peer.options;
  if (peer.traits.rule == SparsityRule::kPenalty) {
    fields.push_back(
        {.name = kTruncateOption, .value = TuningOptions{}.truncate, .help = kTruncateHelp});
  }
  return fields;
}

SolverEntry make_entry(const Peer& peer, const PeerState& state) {
  const auto read_options = [fields = all_options(peer)](const Json& json,
                                                         const std::string& where) {
    PeerOptions options{.fields = fields};
    OptionReader reader(json, where);
    options.describe(reader);
    reader.finish();
    return options;
  };
  const auto with_writer = [](PeerOptions options, auto get) {
    OptionWriter writer;
    options.describe(writer);
    return get(writer);
  };
  return {.name = peer.name,
          .file = peer.file.string(),
          .traits = peer.traits,
          .complete_options =
              [=](const Json& options, const std::string& where) {
                return with_writer(read_options(options, where),
                                   [](OptionWriter& writer) { return writer.values(); });
              },
          .solve =
              [=](const Problem& problem, const Json& options, Budget& budget) {
                PeerOptions own = read_options(options, "/options");
                own.fields.resize(peer.options.size());  // the peer's program has no other options
                return solve_with_peer(peer, state, problem, own, budget);
              },
          .describe =
              [=] {
                return with_writer({.fields = all_options(peer)},
                                   [](OptionWriter& writer) { return writer.descriptions(); });
              }};
}

}  // namespace

void PeerOptions::describe(OptionVisitor& visit) {
  for (PeerOption& field : fields) {
    if (bool* flag = std::get_if<bool>(&field.value)) {
      visit(field.name, *flag, field.help);
    } else if (Index* whole = std::get_if<Index>(&field.value)) {
      visit(field.name, *whole, field.help, field.range);
    } else if (double* number = std::get_if<double>(&field.value)) {
      visit(field.name, *number, field.help, field.range);
    } else {
      visit(field.name, std::get<std::string>(field.value), field.help, field.choices);
    }
  }
}

bool is_peer_name(const std::string& name) {
  return name.starts_with(kPeerPrefix) || is_peer_file(name);
}

bool is_peer_file(const std::string& name) { return name.ends_with(".json"); }

std::string solver_label(const std::string& name) {
  return is_peer_file(name) ? fs::path(name).stem().string() : name;
}

fs::path find_peer(const std::string& name) {
  if (is_peer_file(name)) {
    if (!fs::is_regular_file(name)) {
      throw InputError(fmt::format("{}: no such file; accepted: a peer's JSON file, or {}", name,
                                   join(peer_names())));
    }
    return name;
  }
  const std::string stem = name.substr(std::string(kPeerPrefix).size());
  for (const fs::path& folder : peer_folders()) {
    fs::path file = folder / (stem + ".json");
    if (is_plain_path(stem) && fs::is_regular_file(file)) {
      return file;
    }
  }
  const std::vector<std::string> names = peer_names();
  throw InputError(fmt::format("unknown peer \"{}\"{}; accepted: a peer's JSON file, {}", name,
                               did_you_mean(name, names), join(names)));
}

std::vector<std::string> peer_names() {
  std::set<std::string> names;
  for (const fs::path& folder : peer_folders()) {
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
      if (file->path().extension() == ".json") {
        names.insert(kPeerPrefix + file->path().stem().string());
      }
    }
  }
  return {names.begin(), names.end()};
}

PeerState probe_peer(const Peer& peer) {
  PeerState state;
  const Placeholders here = {{"here", peer.file.parent_path().string()}};
  const std::string program = replace_placeholders(peer.command.front(), here);
  if (!find_program(program)) {
    state.missing = fmt::format("{}: not found, or not a program", program);
    return state;
  }
  for (const PeerNeed& need : peer.needs) {
    const auto fail = [&](const std::string& reason) {
      state.missing = fmt::format("needs {}: {}", need.message, reason);
    };
    std::vector<std::string> command;
    for (const std::string& word : need.command) {
      command.push_back(replace_placeholders(word, here));
    }
    const std::optional<fs::path> found = find_program(command.front());
    if (!found) {
      fail(fmt::format("{}: not found, or not a program", command.front()));
      break;
    }
    command.front() = found->string();
    ExternalProgram probe([&](const fs::path&) { return ProgramCall{.command = command}; });
    probe.start();
    Budget time({.seconds = kProbeSeconds});
    std::optional<ProgramEnd> end;
    while (!end && time.next()) {
      end = probe.wait_a_little();
    }
    if (!end) {
      fail(fmt::format("no answer within {} s", kProbeSeconds));
      break;
    }
    if (end->state != 0) {
      fail(end->last_line.empty() ? describe_program_end(end->state) : end->last_line);
      break;
    }
    state.report += end->last_line + "\n";
  }
  return state;
}

namespace {

/// Returns the entry of a peer's file, made once because the programs of "needs" take about a
/// second each.
const SolverEntry& peer_entry(const std::string& name) {
  static std::map<fs::path, std::unique_ptr<SolverEntry>> entries;
  const fs::path file = fs::absolute(find_peer(name)).lexically_normal();
  std::unique_ptr<SolverEntry>& entry = entries[file];
  if (!entry) {
    const Peer peer = read_peer(file);
    const PeerState state = probe_peer(peer);
    add_source_digest(peer.file.string(), digest_of(peer, state));
    entry = std::make_unique<SolverEntry>(make_entry(peer, state));
  }
  return *entry;
}

}  // namespace

bool may_be_solver(const std::string& name) {
  return is_peer_name(name) || SolverRegistry::instance().find(name) != nullptr;
}

const SolverEntry& find_solver(const std::string& name, const std::string& where) {
  // The registry has a stand-in for a peer without its file (stand_in_plugins.h).
  const SolverRegistry& registry = SolverRegistry::instance();
  if (const SolverEntry* const entry = registry.find(name)) {
    return *entry;
  }
  if (!is_peer_name(name)) {
    registry.refuse(name, where, "peers/NAME, the file of a peer such as ./mine.json, ");
  }
  try {
    return peer_entry(name);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace spca
