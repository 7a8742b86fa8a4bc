// Ghost layers of fields in device memory, beside the same on the host.
#include <string>
#include <vector>

#include "wherry/device/device.hpp"
#include "wherry/halo/ghost_layers.hpp"

#include "harness/harness.hpp"
#include "layered_mesh.hpp"
#include "support/all_throw.hpp"
#include "support/some_device.hpp"

using namespace wherry_test;
using wherry::ghost_layers;
using wherry::layered_field;

WHERRY_TEST(layers_on_a_device, ranks(1, 2, 3, 4).not_simulated(one_environment)) {
  const some_device on;
  const wherry::communicator comm(test.comm);
  random_numbers random(test.seed);
  for (int round = 0; round < 4; ++round) {
    const layered_mesh mesh(random, test.rank, test.size, 3, 60);
    ghost_layers layers(comm, wherry::resolve_layers(comm, mesh.ghosts));
    const auto count = mesh.size();
    const auto memory = wherry::make_on_device<double>(count + 1);  // no rank has an empty piece
    const wherry::view<double, 1> there(memory.get(), wherry::point<1>{std::ssize(mesh.ids)},
                                        wherry::fortran_layout<1>(), wherry::memory_space::device);
    layered_field u(layers, there, "u");
    layered_field host(layers, std::vector<double>(count), "host");
    const auto write = [&](double about) {
      std::vector<double> values(count, -1);
      for (std::size_t i = 0; i < mesh.elements(0); ++i) values[i] = about + static_cast<double>(mesh.ids[i]);
      host.values() = values;
      wherry::copy_on_device(memory.get(), values.data(), count * sizeof(double));
      u.mark_written();
      host.mark_written();
    };
    const auto agree = [&] {
      std::vector<double> found(count);
      wherry::copy_on_device(found.data(), memory.get(), count * sizeof(double));
      CHECK(found == host.values());
    };
    for (int again = 0; again < 2; ++again) {
      write(100.0 * again);
      layers.exchange(1, u, host);
      agree();
      layers.exchange_if_needed(3, host, u);
      agree();
      for (std::size_t i = 0; i < count; ++i) CHECK_EQUAL(host.values()[i], 100.0 * again + double(mesh.ids[i]));
      layers.reduce_to_owners(2, u, host);
      agree();
    }
  }
}

// Memory of a device has to be said to be such, so that all ranks bind the same.
WHERRY_TEST(device_memory_is_said_to_be, ranks(1, 2, 3).not_simulated(one_environment)) {
  const some_device on;
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  ghost_layers layers(comm, {wherry::index_lists{{{next, {0}}}, {{before, {1}}}}});
  const auto memory = wherry::make_on_device<double>(2);
  std::vector<double> host(2);
  const auto words = "field 0 is in device memory: pass a view with the 'space' memory_space::device";
  all_throw(test, "bound", wherry::error_kind::argument, words,
            [&] { layers.exchange(1, std::span(memory.get(), 2)); });
  layers.exchange(1, host);
  all_throw(test, "again", wherry::error_kind::argument, words,
            [&] { layers.exchange(1, std::span(memory.get(), 2)); });
}
