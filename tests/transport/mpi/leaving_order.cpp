// What is slowest leaves first: messages to other nodes, then what the node shares, then copies to oneself. As the
// trace has it.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "wherry/wherry.hpp"

#include "core/trace.hpp"
#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

/// What follows `"key":` in a line of the trace, up to the next comma or quotation mark.
std::string value_of(const std::string& line, const std::string& key) {
  auto at = line.find('"' + key + "\":");
  if (at == std::string::npos) return {};
  at += key.size() + 3;
  if (line[at] == '"') ++at;
  return line.substr(at, line.find_first_of("\",}", at) - at);
}

/// "two_sided, shared, copy": what left, in the order in which the trace says that it was over.
std::string departures(const std::string& path) {
  std::string order;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto what = value_of(line, "name");
    if (what == "send" || what == "copy")
      order += (order.empty() ? "" : ", ") + (what == "send" ? value_of(line, "transport") : what);
  }
  return order;
}

}  // namespace

// Two ranks a node in a ring: each has a neighbour on its node and one elsewhere. And itself, across the other axis.
WHERRY_TEST(what_is_slowest_leaves_first, ranks(4).not_simulated("simulated ranks are one process")) {
  const auto path = std::filesystem::temp_directory_path() / ("wherry_order_" + std::to_string(getpid()) + ".json");
  MPI_Comm pairs = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &pairs);
  {
    const setting node_size("node_size", "2", "0");
    const setting trace("trace", path.string(), "");
    const wherry::process_grid grid(pairs, {.periodic = {true, true}, .extents = {4, 1}});
    wherry::field<double, 2> u(grid.comm(), {4, 4}, 1);
    {
      wherry::halo_exchange halo(grid, u);
      CHECK_EQUAL(halo.transport(), "two_sided + shared");
      halo();
    }
    wherry::trace_flush();
    CHECK_EQUAL(departures(path.string()), "two_sided, shared, two_sided, shared, copy");  // one axis after the other

    std::filesystem::remove(path);
    wherry::floor_plan<2> plan;
    for (int r = 0; r < 4; ++r) plan.add({{4 * r, 0}, {4 * r + 4, 4}}, r);
    wherry::x_array<double, 2> w(grid.comm(), plan, {.ghost_width = 1});
    const auto motion =
        wherry::halo_motion(w.plan(), wherry::halo_widths<2>(1), wherry::domain<2>::torus({{0, 0}, {16, 4}}));
    {
      wherry::mover fill(motion, w, w);
      fill();
    }
    wherry::trace_flush();
    CHECK_EQUAL(departures(path.string()), "two_sided, shared, copy");
    std::filesystem::remove(path);
  }
  MPI_Comm_free(&pairs);
}
