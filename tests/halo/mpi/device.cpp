// Fields on the fake device beyond what the random cases have: what is given up or comes late, what is
// refused, and the other patterns. The cases themselves run there, too (CMakeLists.txt: wherry_on_device).
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "harness/patient.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/random.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {
bool fake_is_elsewhere = false;
}

// A device that is busy with something else is named, and the exchange goes on when it is done.
WHERRY_TEST(a_device_that_does_not_pack_is_named, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  ring r(test);
  wherry::halo_exchange exchange(r.grid, {}, wherry::halo_inside(r.view(), ring::width));
  r.put(r.filled(1));
  const users_stream stream;
  {
    const with_setting soon("timeout", "0.2", "0");
    const auto held = wherry::detail::hold_fake_device(stream);
    const wherry::in_stream here(stream);
    exchange.start();
    CHECK_THROWS_WITH(exchange.wait(), "still waits for the device of this rank to pack");
  }
  const wherry::in_stream here(stream);
  exchange.wait();
  stream.finish();
  CHECK(r.get() == r.exchanged(1));
}

// Who gives up keeps nobody, and another exchange of the same fields works.
WHERRY_TEST(exchanges_on_a_device_are_abandoned, ranks(1, 2, 3, 4)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  for (const auto& name : device_transports(test.comm)) {
    test.note(name);
    ring r(test);
    const auto fields = wherry::halo_inside(r.view(), ring::width);
    const wherry::halo_options how{.carry = {.transport = name}};
    {
      wherry::halo_exchange exchange(r.grid, how, fields);
      r.put(r.filled(1));
      exchange.start();
      if (test.rank == 0) {
        exchange.bound().abandon();
        CHECK_THROWS_WITH(exchange.wait(), "abandoned");
      } else {
        exchange.wait();
        CHECK(r.get() == r.exchanged(1));
      }
    }
    wherry::halo_exchange again(r.grid, how, fields);
    r.put(r.filled(2));
    again();
    if (fault(r.get() != r.exchanged(2))) FAIL(name + ": wrong after another was abandoned");
  }
}

// A stage more would wait for the launch before it: all ranks go in one as soon as any has a field on a device.
WHERRY_TEST(device_fields_go_in_one_stage, ranks(1, 2, 3)) {
  const some_device on;
  wherry::process_grid grid(test.comm, {.periodic = {true, true}, .extents = {0, 1}});
  const auto stages_with = [&](bool on_device, wherry::halo_order order) {
    const auto space = on_device ? wherry::memory_space::device : wherry::memory_space::node_shared;
    wherry::field<double, 2> u(grid.comm(), {8, 8}, 1, {.space = space});
    return wherry::halo_exchange(grid, {.order = order}, u).schedule().stages.size();
  };
  using order = wherry::halo_order;
  CHECK(stages_with(false, order::automatic) > 1);
  CHECK(stages_with(test.rank == test.size - 1, order::automatic) == 1);
  CHECK(stages_with(true, order::wrapped_last) > 1);
}

WHERRY_TEST(what_a_device_cannot_do_is_refused, ranks(1, 2, 3)) {
  using wherry::error_kind;
  {
    const with_setting none("device", "none", "auto");
    std::vector<double> row(ring::all);
    const wherry::process_grid grid(test.comm, {.periodic = {true}});
    const wherry::view<double, 1> said(row.data(), wherry::point<1>{ring::all}, wherry::fortran_layout<1>(),
                                       wherry::memory_space::device);
    all_throw(test, "no device", error_kind::argument, "device memory",
              [&] { wherry::halo_exchange(grid, {}, wherry::halo_inside(said, ring::width)); });
  }
  const some_device on;
  ring r(test);
  const auto fields = wherry::halo_inside(r.view(), ring::width);
  const auto own = wherry::make_reduction<double>("mine", [](double a, double b) { return a + 2 * b; });
  all_throw(test, "users code", error_kind::argument, "'mine' is a function of yours",
            [&] { wherry::halo_exchange(r.grid, {.update = own}, fields); });
  std::vector<double> host(ring::all);
  const wherry::view<double, 1> said(host.data(), wherry::point<1>{ring::all}, wherry::fortran_layout<1>(),
                                     wherry::memory_space::device);
  CHECK_THROWS_WITH(wherry::halo_exchange(r.grid, {}, wherry::halo_inside(said, ring::width)),
                    "does not know its pointer");
  wherry::halo_exchange exchange(r.grid, {}, fields);
  CHECK_THROWS_WITH(exchange.start(wherry::halo_inside(said, ring::width)), "does not know its pointer");
}

// Nothing was said of where the memory is; and the plan says what became of it.
WHERRY_TEST(device_memory_is_found_by_its_pointer, ranks(1, 2, 3)) {
  const some_device on;
  ring r(test);
  const wherry::view<double, 1> unsaid(r.row.get(), {ring::all});
  wherry::halo_exchange exchange(r.grid, {}, wherry::halo_inside(unsaid, ring::width));
  r.put(r.filled(3));
  exchange();
  CHECK(r.get() == r.exchanged(3));
  r.put(r.filled(4));
  exchange(wherry::halo_inside(unsaid, ring::width));
  CHECK(r.get() == r.exchanged(4));
  const auto said = exchange.explain();
  CHECK(said.find("device '" + device_of_test().name + "'") != std::string::npos);
  CHECK_EQUAL(exchange.statistics().exchanges, 2u);
}

// Fields and x-arrays that the library makes: zero at first.
WHERRY_TEST(fields_are_made_on_a_device, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  wherry::field<float, 2> u(grid.comm(), {10, 12}, 1, {.space = wherry::memory_space::device});
  CHECK_EQUAL(wherry::to_string(u.space()), "device");
  std::vector<float> image(static_cast<std::size_t>(u.strides()[1] * 14), 1.0F);
  wherry::copy_on_device(image.data(), u.data(), image.size() * sizeof(float));
  for (index_t j = 0; j < 14; ++j)
    for (index_t i = 0; i < 12; ++i) CHECK_EQUAL(image[static_cast<std::size_t>(j * u.strides()[1] + i)], 0.0F);
  for (auto& x : image) x = static_cast<float>(test.rank + 1);
  wherry::copy_on_device(u.data(), image.data(), image.size() * sizeof(float));
  wherry::halo_exchange exchange(grid, {}, u);
  exchange();
  wherry::copy_on_device(image.data(), u.data(), image.size() * sizeof(float));
  CHECK_EQUAL(image[static_cast<std::size_t>(5 * u.strides()[1] + 5)], static_cast<float>(test.rank + 1));
  CHECK(image[0] >= 1.0F && image[0] <= static_cast<float>(test.size));
}

// Lists of indices, with several ghosts of one element added up at its owner.
WHERRY_TEST(index_lists_reach_a_device, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::communicator comm(test.comm);
  random_numbers random(hash(test.seed, 5));
  for (int round = 0; round < 20; ++round) {
    constexpr index_t owned = 40;
    // Everybody sends random elements of his to the next one, and the next one's ghosts come after what he owns.
    std::vector<index_t> leaving;
    for (int i = random.between(0, 30); i > 0; --i) leaving.push_back(random.between(0, owned - 1));
    const auto ghosts = std::ssize(leaving);
    std::vector<index_t> arriving(leaving.size());
    for (std::size_t i = 0; i < arriving.size(); ++i) arriving[i] = owned + static_cast<index_t>(i);
    const int next = (test.rank + 1) % test.size, last = (test.rank + test.size - 1) % test.size;
    const wherry::index_lists lists{{{next, leaving}}, {{last, arriving}}};
    std::vector<double> image(static_cast<std::size_t>(owned + ghosts));
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = 100.0 * test.rank + static_cast<double>(i);
    const auto on_device = wherry::make_on_device<double>(image.size());
    const auto bytes = image.size() * sizeof(double);
    wherry::copy_on_device(on_device.get(), image.data(), bytes);
    const wherry::view<double, 1> there(on_device.get(), wherry::point<1>{std::ssize(image)},
                                        wherry::fortran_layout<1>(), wherry::memory_space::device);
    const bool back = random.chance(50);
    wherry::index_options how{.reverse = back};
    if (back) how.update = std::plus<>{};
    wherry::index_exchange(comm, lists, how, there)();
    wherry::index_exchange(comm, lists, how, image)();
    std::vector<double> result(image.size());
    wherry::copy_on_device(result.data(), on_device.get(), bytes);
    const auto [found, wanted] = std::ranges::mismatch(result, image);
    if (fault(found != result.end()))
      FAIL(wherry::detail::text("round ", round, back ? " back" : "", ", ", ghosts, " ghosts: element ",
                                found - result.begin(), " is ", *found, " instead of ", *wanted));
  }
}

// Places that come again in what is regular, in runs that overlap, and where the two sides run differently: all is
// added.
WHERRY_TEST(lists_that_name_places_again, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::communicator comm(test.comm);
  constexpr index_t all = 30;
  const int next = (test.rank + 1) % test.size, last = (test.rank + test.size - 1) % test.size;
  struct two_lists {
    std::vector<index_t> owners, ghosts;
  };
  const std::vector<two_lists> cases{{{0, 2, 0, 2}, {10, 11, 12, 13}},
                                     {{0, 2, 0, 2, 0, 2}, {10, 12, 14, 16, 18, 20}},
                                     {{0, 1, 1, 2}, {10, 11, 12, 13}},
                                     {{0, 1, 1, 2, 2, 3, 3, 4, 8, 9}, {20, 19, 18, 17, 16, 15, 14, 13, 12, 11}},
                                     {{0, 1, 0, 1, 4, 5}, {10, 13, 14, 19, 21, 29}},
                                     {{5, 5, 5, 5}, {10, 11, 13, 14}},
                                     {{4, 4, 0, 1, 2, 4, 1}, {29, 28, 20, 21, 22, 10, 12}}};
  for (const auto& [owners, ghosts] : cases) {
    const wherry::index_lists lists{{{next, owners}}, {{last, ghosts}}};
    std::vector<double> image(all), found(all);
    for (index_t i = 0; i < all; ++i)
      image[static_cast<std::size_t>(i)] = 1000.0 * test.rank + static_cast<double>(i * i);
    const auto memory = wherry::make_on_device<double>(all);
    wherry::copy_on_device(memory.get(), image.data(), all * sizeof(double));
    const wherry::view<double, 1> there(memory.get(), wherry::point<1>{all}, wherry::fortran_layout<1>(),
                                        wherry::memory_space::device);
    wherry::index_options how{.reverse = true};
    how.update = std::plus<>{};
    wherry::index_exchange device(comm, lists, how, there), host(comm, lists, how, image);
    for (int round = 0; round < 2; ++round) {
      device();
      host();
      wherry::copy_on_device(found.data(), memory.get(), all * sizeof(double));
      CHECK(found == image);
    }
  }
}

// Raw buffers, and everybody to everybody.
WHERRY_TEST(buffers_reach_a_device, ranks(1, 2, 3, 4)) {
  const some_device on;
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const auto out = wherry::make_on_device<int>(10), in = wherry::make_on_device<int>(10);
  std::vector<int> numbers(10, test.rank), result(10, -1);
  wherry::copy_on_device(out.get(), numbers.data(), 40);
  wherry::buffer_exchange exchange(grid);
  exchange.send_to<1>(out.get(), 40, wherry::memory_space::device);
  exchange.receive_from<-1>(in.get(), 40, wherry::memory_space::device);
  exchange.commit();
  exchange();
  wherry::copy_on_device(result.data(), in.get(), 40);
  CHECK(result == std::vector<int>(10, (test.rank + test.size - 1) % test.size));
}

// Rank by rank is not to be had of a device, but all of them; and other arrays come with a start, aligned as they are.
WHERRY_TEST(arrivals_and_other_arrays_on_a_device, ranks(1, 2, 3, 4)) {
  const some_device on;
  ring r(test);
  const auto bound = wherry::halo_inside(r.view(), ring::width);
  wherry::halo_exchange exchange(r.grid, {}, bound);
  r.put(r.filled(1));
  exchange.start();
  std::vector<int> from;
  for (auto some = exchange.bound().wait_some(); !some.empty(); some = exchange.bound().wait_some())
    from.insert(from.end(), some.begin(), some.end());
  std::vector<int> wanted;
  if (test.size > 1) wanted = {(test.rank + 1) % test.size, (test.rank + test.size - 1) % test.size};
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::sort(from.begin(), from.end());
  CHECK(from == wanted);
  CHECK(r.get() == r.exchanged(1));
  const auto bytes = wherry::make_on_device<std::byte>(r.bytes() + 64);
  for (const std::size_t shift : {8, 16, 40}) {
    auto* const other = reinterpret_cast<double*>(bytes.get() + shift);
    const auto image = r.filled(static_cast<int>(shift));
    wherry::copy_on_device(other, image.data(), r.bytes());
    exchange(wherry::halo_inside(wherry::view<double, 1>(other, wherry::point<1>{ring::all},
                                                         wherry::fortran_layout<1>(), wherry::memory_space::device),
                                 ring::width));
    std::vector<double> result(ring::all);
    wherry::copy_on_device(result.data(), other, r.bytes());
    CHECK(result == r.exchanged(static_cast<int>(shift)));
  }
}

// A mover between two views of the same device memory: what is read is read before anything is written.
WHERRY_TEST(arrays_that_share_device_memory, ranks(1, 2, 3)) {
  const some_device on;
  const wherry::communicator comm(test.comm);
  constexpr index_t cells = 5000, by = 7;
  const auto memory = wherry::make_on_device<int>(cells + by);
  std::vector<int> image(cells + by);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<int>(i);
  wherry::copy_on_device(memory.get(), image.data(), image.size() * sizeof(int));
  wherry::floor_plan<1> plan;
  for (int rank = 0; rank < test.size; ++rank) plan.add({{0}, {cells}}, rank);
  const wherry::grid_view<int, 1> from(memory.get(), {{0}, {cells}}), to(memory.get() + by, {{0}, {cells}});
  wherry::x_array<int, 1> source(comm, plan, std::array{from}), target(comm, plan, std::array{to});
  CHECK_EQUAL(wherry::to_string(source.shape().space), "device");
  wherry::motion_plan<1> motion;
  motion.add({test.rank, test.rank, {{0}, {cells}}, {{0}, {cells}}});
  wherry::mover shift(motion, source, target, {});
  shift.start();
  shift.wait();
  std::vector<int> result(image.size());
  wherry::copy_on_device(result.data(), memory.get(), image.size() * sizeof(int));
  for (std::size_t i = image.size(); i-- > by;) image[i] = image[i - by];
  CHECK(result == image);
}

// Sums of what comes from several sides have the host's bits, also where a snapshot or a buffer stands between.
WHERRY_TEST(sums_on_a_device_have_the_hosts_bits, ranks(1, 2, 3, 4)) {
  const some_device on;
  random_numbers random(hash(test.seed, test.rank));
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  constexpr index_t length = 9;
  for (const bool snapshot : {false, true}) {
    std::vector<double> host(length * length), result(host.size());
    for (auto& x : host) x = random.between(-1000, 1000) / 7.0;
    const auto memory = wherry::make_on_device<double>(host.size());
    const auto bytes = host.size() * sizeof(double);
    wherry::copy_on_device(memory.get(), host.data(), bytes);
    const wherry::halo_options how{.reverse = true, .update = std::plus<>{}, .carry = {.snapshot = snapshot}};
    const auto around = [](double* first) {
      return wherry::halo_inside(wherry::view<double, 2>(first, {length, length}), wherry::halo_widths<2>(2));
    };
    wherry::halo_exchange(grid, how, around(host.data()))();
    wherry::halo_exchange(grid, how, around(memory.get()))();
    wherry::copy_on_device(result.data(), memory.get(), bytes);
    CHECK(result == host);
  }
}

// What one rank's environment says wrongly all ranks hear.
WHERRY_TEST(a_device_that_one_rank_does_not_know, ranks(1, 2, 3)) {
  const int odd = test.size - 1;
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const wherry::communicator comm(test.comm);
  std::vector<double> row(ring::all);
  const with_setting named("device", test.rank == odd ? "abacus" : "auto", "auto");
  all_throw(test, "halo", wherry::error_kind::argument, "WHERRY_DEVICE is 'abacus'",
            [&] { wherry::halo_exchange(grid, {}, wherry::halo_inside(wherry::view<double, 1>(row), ring::width)); });
  all_throw(test, "lists", wherry::error_kind::argument, "WHERRY_DEVICE is 'abacus'",
            [&] { wherry::index_exchange(comm, wherry::index_lists{}, row); });
}

// A start that is refused leaves the fields of the one before.
WHERRY_TEST(refused_fields_change_nothing, ranks(1, 2, 3)) {
  const some_device on;
  ring r(test);
  std::vector<double> host = r.filled(5), others(ring::all, -7.0);
  const auto around = [](const wherry::view<double, 1>& v) { return wherry::halo_inside(v, ring::width); };
  wherry::halo_exchange exchange(r.grid, {}, around(wherry::view<double, 1>(host)), around(r.view()));
  r.put(r.filled(6));
  const wherry::view<double, 1> said(others.data(), wherry::point<1>{ring::all}, wherry::fortran_layout<1>(),
                                     wherry::memory_space::device);
  CHECK_THROWS_WITH(exchange.start(around(wherry::view<double, 1>(others)), around(said)), "does not know its pointer");
  exchange();
  CHECK(host == r.exchanged(5));
  CHECK(r.get() == r.exchanged(6));
  CHECK(others == std::vector<double>(ring::all, -7.0));
}

// Who waits for a rank that does not come is told which, and may wait again.
WHERRY_TEST(a_rank_that_comes_late_to_a_device, ranks(2, 3, 4)) {
  const some_device on;
  ring r(test);
  wherry::halo_exchange exchange(r.grid, {}, wherry::halo_inside(r.view(), ring::width));
  r.put(r.filled(1));
  const bool next_to_it = test.rank == 1 || test.rank == test.size - 1;
  if (test.rank != 0) {
    const with_setting soon("timeout", "0.2", "0");
    exchange.start();
    if (next_to_it) CHECK_THROWS_WITH(exchange.wait(), "rank 0");
  }
  patient_barrier(test.comm);
  if (test.rank == 0) exchange.start();
  exchange.wait();
  CHECK(r.get() == r.exchanged(1));
}

// What is wrong with a plan is said before anybody looks for its blocks.
WHERRY_TEST(bad_plans_of_device_fields_are_refused, ranks(2, 3, 4)) {
  const some_device on;
  const wherry::communicator comm(test.comm);
  wherry::plans::schedule plan;
  plan.pattern = "mine";
  plan.fields.push_back({.name = "u", .space = wherry::memory_space::device});
  plan.stages.resize(1);
  plan.stages[0].sends.push_back({test.rank == 0 ? 1 : 0, wherry::detail::store, 1000000, 5000000});
  for (const index_t packet : {0, 8})
    all_throw(test, "rows that are not there", wherry::error_kind::argument, "names 5000000 rows from 1000000 on, of 0",
              [&] { wherry::exchange(comm, plan, {}, {.packet_bytes = packet}); });
}

// It is no memory of the host's, whatever the view says, and not of the device in use.
WHERRY_TEST(memory_of_another_device_is_refused, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  static wherry::device row;
  row = fake();
  row.owns = [](const void* place) { return fake().owns(place) && !fake_is_elsewhere; };
  row.is_of_another = [](const void* place) { return fake().owns(place) && fake_is_elsewhere; };
  fake_is_elsewhere = false;
  wherry::use_device(&row);
  ring r(test), other(test);
  const auto around = [](double* first) {
    return wherry::halo_inside(wherry::view<double, 1>(first, {ring::all}), ring::width);
  };
  wherry::halo_exchange exchange(r.grid, {}, around(r.row.get()));
  fake_is_elsewhere = true;
  CHECK_THROWS_WITH(exchange.start(around(other.row.get())), "does not know its pointer");
  CHECK_THROWS_WITH(wherry::halo_exchange(r.grid, {}, around(other.row.get()))(), "does not know its pointer");
  fake_is_elsewhere = false;
  r.put(r.filled(1));
  exchange();
  CHECK(r.get() == r.exchanged(1));
  wherry::use_device(&fake());
}
