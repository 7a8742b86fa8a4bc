// Messages of what a device has packed: device_two_sided, for an MPI that reaches its memory, and what others find
// there.
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

const wherry::carry_options by_mpi{.transport = "device_two_sided"};

bool says_that_it_reaches() { return wherry::transports::find_transport("device_two_sided").absence().empty(); }

}  // namespace

// Nobody takes it without having been told.
WHERRY_TEST(an_mpi_that_does_not_say_that_it_reaches_devices, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  ring r(test);
  const auto fields = wherry::halo_inside(r.view(), ring::width);
  all_throw(test, "unasked", wherry::error_kind::argument, "MPI says nothing of the memory of 'fake'",
            [&] { wherry::halo_exchange(r.grid, {.carry = by_mpi}, fields); });
  const nodes_of apart(test.comm, 1);
  const wherry::process_grid grid(static_cast<MPI_Comm>(apart), {.periodic = {true}});
  CHECK(says(wherry::halo_exchange(grid, {}, fields).explain(), "device_two_sided: MPI says nothing"));
  {
    const with_setting not_so("gpu_aware_mpi", "0", "auto");
    all_throw(test, "denied", wherry::error_kind::argument, "WHERRY_GPU_AWARE_MPI is 0",
              [&] { wherry::halo_exchange(r.grid, {.carry = by_mpi}, fields); });
  }
  const with_setting odd("gpu_aware_mpi", test.rank == 0 ? "1" : "auto", "auto");
  all_throw(test, "one rank", wherry::error_kind::mismatch, "disagree on WHERRY_GPU_AWARE_MPI",
            [&] { wherry::halo_exchange(r.grid, {}, fields); });
}

// MPI gets the device's memory; between nodes auto takes it, and the node's own messages go without it.
WHERRY_TEST(an_mpi_that_reaches_devices, ranks(2, 3, 4, 8)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  if (!says_that_it_reaches()) test.skip("this MPI reaches no device");
  exchange_once(test, by_mpi, is_fake() ? "WHERRY_GPU_AWARE_MPI is 1" : "MPI says that it reaches the memory of");
  exchange_once(test, {.transport = "device_two_sided", .snapshot = true}, " B of its own memory\n");
  for (const int a_node : {1, 2}) {
    const nodes_of nodes(test.comm, a_node);
    context there = test;
    there.comm = nodes;
    if (test.size > a_node) exchange_once(there, {}, "transport device_two_sided (other nodes)");
  }
}

// Stages, and lists of several fields.
WHERRY_TEST(stages_by_an_mpi_that_reaches_devices, ranks(2, 3, 4)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  if (!says_that_it_reaches()) test.skip("this MPI reaches no device");
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  constexpr index_t length = 10;
  const auto memory = wherry::make_on_device<double>(length * length),
             second = wherry::make_on_device<double>(length * length);
  std::vector<double> host(length * length), result(host.size());
  const auto around = [](double* first) {
    return wherry::halo_inside(wherry::view<double, 2>(first, {length, length}), wherry::halo_widths<2>(2));
  };
  const auto bytes = host.size() * sizeof(double);
  wherry::halo_exchange device(grid, {.axes = {0, 1}, .carry = by_mpi}, around(memory.get()), around(second.get()));
  wherry::halo_exchange plain(grid, {.axes = {0, 1}}, around(host.data()));
  for (int round = 0; round < 4; ++round) {
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = 1000.0 * round + 100.0 * test.rank + static_cast<double>(i);
    for (const auto& one : {memory, second}) wherry::copy_on_device(one.get(), host.data(), bytes);
    device();
    plain();
    for (const auto& one : {memory, second}) {
      wherry::copy_on_device(result.data(), one.get(), bytes);
      CHECK(result == host);
    }
  }
}
