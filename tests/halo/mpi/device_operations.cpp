// Operations of the user's own on a device: as on the host, in the same order.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "every_update.hpp"
#include "farther.hpp"
#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/random.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

// Lists that name elements several times, so that what comes first matters.
template <class T, class Element>
void combine_lists(const context& test, const wherry::plans::typed_reduction& how, const Element& element) {
  const wherry::communicator comm(test.comm);
  random_numbers random(hash(test.seed, 7));
  constexpr index_t owned = 12;
  const int next = (test.rank + 1) % test.size, last = (test.rank + test.size - 1) % test.size;
  for (int round = 0; round < 10; ++round) {
    std::vector<index_t> owners, ghosts;
    for (int i = random.between(1, 30); i > 0; --i) owners.push_back(random.between(0, owned - 1));
    for (std::size_t i = 0; i < owners.size(); ++i) ghosts.push_back(owned + static_cast<index_t>(i));
    const auto all = static_cast<std::size_t>(owned) + owners.size();
    std::vector<T> image, found(all);
    for (std::size_t i = 0; i < all; ++i) image.push_back(element(hash(test.seed, test.rank, round, i)));
    const auto memory = wherry::make_on_device<T>(all);
    wherry::copy_on_device(memory.get(), image.data(), all * sizeof(T));
    const wherry::view<T, 1> there(memory.get(), wherry::point<1>{static_cast<index_t>(all)},
                                   wherry::fortran_layout<1>(), wherry::memory_space::device);
    wherry::index_options options{.reverse = true};
    options.update = how;
    const wherry::index_lists lists{{{next, owners}}, {{last, ghosts}}};
    wherry::index_exchange device(comm, lists, options, there), host(comm, lists, options, image);
    device();
    host();
    wherry::copy_on_device(found.data(), memory.get(), all * sizeof(T));
    CHECK(found == image);
  }
}

struct other_functor {
  double operator()(double there, double) const { return there; }
};

}  // namespace

WHERRY_TEST(own_operations_on_a_device, ranks(1, 2, 3, 4)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  combine_lists<double>(test, farther(), [](std::uint64_t bits) { return static_cast<double>(bits % 2001) - 1000; });
  combine_lists<weighed>(test, weighed_mean(), [](std::uint64_t bits) {
    return weighed{static_cast<double>(bits % 1000), static_cast<double>(bits / 1000 % 7 + 1), 1};
  });
}

WHERRY_TEST(every_operation_on_every_type_on_a_device, ranks(1, 2, 3)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  every_update(test, {"auto", "device_shared", "device_two_sided"}, wherry::memory_space::device);
}

// Beside operations that a device knows, and stores, in one exchange: halos that overlap at corners.
WHERRY_TEST(own_operations_of_halos_on_a_device, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  constexpr index_t length = 9;
  constexpr std::size_t cells = length * length;
  const auto around = [](double* first) {
    return wherry::halo_inside(wherry::view<double, 2>(first, {length, length}), wherry::halo_widths<2>(2));
  };
  const auto memory = wherry::make_on_device<double>(cells);
  std::vector<double> image(cells), found(cells);
  for (std::size_t i = 0; i < cells; ++i) image[i] = static_cast<double>(hash(test.seed, test.rank, i) % 2001) - 1000;
  wherry::copy_on_device(memory.get(), image.data(), cells * sizeof(double));
  const wherry::halo_options back{.reverse = true, .update = farther()};
  wherry::halo_exchange device(grid, back, around(memory.get())), host(grid, back, around(image.data()));
  for (int round = 0; round < 3; ++round) {
    device();
    host();
    wherry::copy_on_device(found.data(), memory.get(), cells * sizeof(double));
    CHECK(found == image);
  }
}

WHERRY_TEST(own_operations_that_a_device_cannot_have, ranks(1, 2, 3)) {
  const some_device on;
  static_cast<void>(farther());
  CHECK_THROWS_WITH((wherry::make_device_reduction<double, other_functor>("farther from zero")),
                    "'farther from zero' on 8-byte floating-point was already made from another functor");
  ring r(test);
  const auto fields = wherry::halo_inside(r.view(), ring::width);
  const auto unknown = wherry::make_reduction<double>("unknown", other_functor{});
  all_throw(test, "unknown", wherry::error_kind::argument, "'unknown' is a function of yours",
            [&] { wherry::halo_exchange(r.grid, {.update = unknown}, fields); });
  const auto of_the_host = wherry::make_device_reduction<double, other_functor>("of the host");
  if (is_fake())
    wherry::halo_exchange(r.grid, {.update = of_the_host}, fields)();
  else
    all_throw(test, "of the host", wherry::error_kind::argument, "was compiled for the host alone",
              [&] { wherry::halo_exchange(r.grid, {.update = of_the_host}, fields); });
}
