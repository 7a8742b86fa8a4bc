// wherry_info: reports the MPI, shared memory, nodes, settings and transports that Wherry finds on this machine. Runs
// with or without mpirun.
#include <algorithm>
#include <cstdio>

#include "wherry/device/device.hpp"

#include "harness/arguments.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "report.hpp"

namespace {

constexpr const char* usage =
    "usage: wherry_info\n"
    "Prints what Wherry finds on this machine. Started by mpirun it also shows which ranks share a node.\n";

void print(const char* title, const info::rows& rows) {
  std::printf("%s\n", title);
  for (const auto& row : rows) std::printf("  %-24s %s\n", row.name.c_str(), row.finding.c_str());
}

info::rows settings() {
  info::rows result;
  for (const auto& setting : wherry::report_settings()) {
    const std::string value = setting.value.empty() ? "(none)" : setting.value;
    char finding[512];
    std::snprintf(finding, sizeof finding, "%-12s %-12s %s", value.c_str(), setting.source.c_str(),
                  setting.meaning.c_str());
    result.push_back({setting.variable, finding});
  }
  return result;
}

info::rows transports() {
  info::rows result{{"auto", "what is expected to take least, by the table: for ranks of a node, and for others"}};
  for (const auto* transport : wherry::transports::all_transports())
    result.push_back({transport->name, transport->meaning + (transport->node_only ? " (same node only)" : "")});
  return result;
}

info::rows devices() {
  info::rows result;
  const auto* in_use = wherry::device_in_use();
  for (const auto* device : wherry::all_devices()) {
    const auto why = device->absence();
    const auto state = !why.empty() ? " (not here: " + why + ")" : device == in_use ? " (in use)" : "";
    result.push_back({device->name, device->meaning + state});
  }
  if (result.empty()) result.push_back({"none", "this Wherry was built without CUDA"});
  return result;
}

info::rows costs() {
  const auto& figures = wherry::transports::current_calibration();
  info::rows result{{"from", figures.source}};
  for (std::size_t i = 0; i < figures.names.size(); ++i) {
    const auto& near = figures.on_node[i];
    const auto& far = figures.between_nodes[i];
    char finding[256];
    std::snprintf(finding, sizeof finding, "%.2f + %.1e a byte + %.3f a block; between nodes %.2f + %.1e + %.3f",
                  near.message, near.byte, near.block, far.message, far.byte, far.block);
    result.push_back({std::string(figures.names[i]), finding});
  }
  result.push_back(
      {"rows read in place", bench::text("from ", figures.long_row, " B on, from ", figures.row_beyond_cache,
                                         " B beyond the cache, all beyond ", figures.cached_lines,
                                         " times the cache of ", wherry::transports::second_level_cache(), " B")});
  return result;
}

int run(bench::arguments& words) {
  words.finish();
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto memory = info::memory_facts(comm);
  const auto nodes = info::node_map(comm);
  if (comm.rank() != 0) return 0;
  std::printf("Wherry on %d rank%s, %s\n", comm.size(), comm.size() == 1 ? "" : "s", bench::processor().c_str());
  print("MPI", info::mpi_facts());
  print("Shared memory", memory);
  print("Nodes", nodes);
  print("Settings (value, where from, meaning)", settings());
  print("Transports", transports());
  print("Devices", devices());
  print("What a message is thought to take, in microseconds (./run info --calibrate)", costs());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
