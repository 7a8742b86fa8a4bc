// Published layouts of fields in device memory: whatever an exchange brings, they bring, in a stream of the user's or
// in none, in the node and beyond, however late anybody is.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "wherry/device/device.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "published_ring.hpp"
#include "support/case_runner.hpp"
#include "support/random.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

// A field of the host or of the device, of which the host knows the bytes.
struct tested_field {
  tested_field(const wherry::process_grid& grid, const wherry::point<2>& cells, int width, bool on_device)
      : cells_of(grid.comm(), cells, width,
                 {.space = on_device ? wherry::memory_space::device : wherry::memory_space::node_shared}),
        is_on_device(on_device),
        count(static_cast<std::size_t>((cells[0] + 2 * width) * (cells[1] + 2 * width))) {}

  void put(const std::vector<double>& image) {
    if (is_on_device)
      wherry::copy_on_device(cells_of.data(), image.data(), count * sizeof(double));
    else
      std::copy(image.begin(), image.end(), cells_of.data());
  }
  std::vector<double> get() const {
    std::vector<double> image(count);
    if (is_on_device)
      wherry::copy_on_device(image.data(), cells_of.data(), count * sizeof(double));
    else
      std::copy(cells_of.data(), cells_of.data() + count, image.begin());
    return image;
  }

  wherry::field<double, 2> cells_of;
  bool is_on_device;
  std::size_t count;
};

std::vector<double> image_of(const tested_field& f, std::uint64_t seed, int rank, int step) {
  std::vector<double> image(f.count);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<double>(hash(seed, rank, step, i) % 100'000);
  return image;
}

// The steps of one case: two pairs of fields take turns.
void compare_with_exchange(const context& test, MPI_Comm comm, random_case& one) {
  const wherry::point<2> cells{one.random.between(3, 12), one.random.one_of({3, 40, 300})};
  const int width = one.random.between(1, 3);
  const wherry::process_grid grid(comm, {.periodic = {one.random.chance(70), one.random.chance(70)}});
  const bool first = one.random.chance(80), second = !first || one.random.chance(50);
  const auto make = [&](bool on_device) { return std::make_unique<tested_field>(grid, cells, width, on_device); };
  const std::array a{make(first), make(first)}, b{make(second), make(second)};
  const auto wanted_a = make(false), wanted_b = make(false);
  wherry::halo_exchange describes(grid, {}, a[0]->cells_of, b[0]->cells_of);
  wherry::halo_exchange exchange(grid, {.carry = {.transport = "two_sided"}}, wanted_a->cells_of, wanted_b->cells_of);
  wherry::published_layouts layouts(grid.comm(), describes.schedule());
  const auto seed = one.random.next();
  const int steps = one.random.between(3, 8), late = one.random.between(0, test.size - 1);
  const bool awaits = one.random.chance(50);
  for (int step = 0; step < steps; ++step) {
    const auto now = static_cast<std::size_t>(step % 2);
    const auto image_a = image_of(*wanted_a, seed, test.rank, 2 * step),
               image_b = image_of(*wanted_b, seed, test.rank, 2 * step + 1);
    wanted_a->put(image_a), wanted_b->put(image_b), a[now]->put(image_a), b[now]->put(image_b);
    exchange(wanted_a->cells_of, wanted_b->cells_of);
    void* const table[] = {a[now]->cells_of.data(), b[now]->cells_of.data()};
    layouts.publish(table);
    if (test.rank == late && one.random.chance(50)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    layouts.read(table);
    if (fault(a[now]->get() != wanted_a->get() || b[now]->get() != wanted_b->get()))
      FAIL(one.title + ": step " + std::to_string(step) + " differs");
    if (awaits) layouts.await_readers();
  }
  layouts.await_readers();
}

void publish_in_a_stream(const context& test, MPI_Comm comm, bool is_lent = true) {
  streamed_ring r(test, comm);
  wherry::halo_exchange describes(r.grid, {}, r.view());
  wherry::published_layouts layouts(r.grid.comm(), describes.schedule());
  const bool is_one_node = std::ssize(r.grid.comm().node_ranks()) == test.size;
  if (test.size > 1 && is_one_node && is_fake())
    CHECK_EQUAL(layouts.transport(), std::string(is_lent ? "device_shared" : "notified writes"));
  constexpr int steps = 12;
  std::vector<std::vector<double>> written, read(steps, std::vector<double>(streamed_ring::all));
  for (int step = 0; step < steps; ++step) written.push_back(r.filled(test.rank, step));
  constexpr auto bytes = streamed_ring::all * sizeof(double);
  const wherry::in_stream here(r.stream);
  for (std::size_t step = 0; step < steps; ++step) {
    auto* const row = r.rows[step % 4].get();
    void* const table[] = {row};
    device_of_test().copy(r.stream, row, written[step].data(), bytes);
    CHECK(layouts.publish(table));
    while (!layouts.read(table, step % 3 == 0 ? 0.0 : 1.0)) {
    }
    device_of_test().copy(r.stream, read[step].data(), row, bytes);
    if (step % 4 == 3) layouts.await_readers();
  }
  device_of_test().finish(r.stream);
  for (int step = 0; step < steps; ++step)
    if (fault(read[static_cast<std::size_t>(step)] != r.exchanged(step)))
      FAIL("step " + std::to_string(step) + " is wrong");
}

}  // namespace

// Machines with devices are lent bare: their MPI may make no windows between what counts as nodes, so there is one
// node.
WHERRY_TEST(published_device_fields_bring_what_an_exchange_brings, ranks(1, 2, 3, 4, 8)) {
  const some_device on;
  const node_communicators nodes(test.comm);
  for_each_case(test, 20, [&](random_case& one) {
    const auto comm = nodes.pick(one.random);
    compare_with_exchange(test, is_fake() ? comm : nodes.all(), one);
  });
}

WHERRY_TEST(publications_in_a_users_stream, ranks(1, 2, 3, 4)) {
  const some_device on;
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list())
    if (is_fake() || comm == nodes.all()) publish_in_a_stream(test, comm);
}

WHERRY_TEST(published_device_fields_go_by_the_host_where_nothing_is_lent, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  wherry::use_device(&device_that_keeps_its_own());
  publish_in_a_stream(test, test.comm, false);
  {
    streamed_ring r(test, test.comm);
    wherry::halo_exchange describes(r.grid, {}, r.view());
    const wherry::published_layouts layouts(r.grid.comm(), describes.schedule());
    if (test.size > 1) {
      require_words(layouts.explain(), "not by device_shared: device 'fake' cannot lend its memory: it keeps its own");
      CHECK_EQUAL(layouts.transport(), std::string("notified writes"));
    }
  }
  wherry::use_device(&wherry::fake_device());
}

// What a rank copies to itself between host and device, in stages that wait for each other.
WHERRY_TEST(copies_of_published_layouts_between_host_and_device, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  constexpr wherry::index_t cells = 500;
  const std::array<std::int64_t, 1> extent{cells}, stride{sizeof(double)};
  const auto all_of = [&](std::int32_t field) {
    return wherry::plans::strided_block(field, sizeof(double), 0, extent, stride);
  };
  wherry::plans::schedule_builder plan("copies", test.rank);
  using wherry::memory_space;
  for (const auto space : {memory_space::device, memory_space::host, memory_space::device, memory_space::host})
    plan.add_field({.name = "cells",
                    .element = sizeof(double),
                    .highest = cells * static_cast<std::int64_t>(sizeof(double)),
                    .space = space});
  plan.copy(all_of(0), all_of(1));
  plan.next_stage();
  plan.copy(all_of(1), all_of(2));
  plan.next_stage();
  plan.copy(all_of(2), all_of(3));
  const wherry::communicator comm(test.comm);
  wherry::published_layouts layouts(comm, plan.finish());
  const auto first = wherry::make_on_device<double>(cells), third = wherry::make_on_device<double>(cells);
  std::vector<double> second(cells), fourth(cells);
  const auto stream = device_of_test().make_stream();
  {
    const wherry::in_stream here(stream);
    void* const table[] = {first.get(), second.data(), third.get(), fourth.data()};
    constexpr auto bytes = cells * sizeof(double);
    for (int step = 0; step < 20; ++step) {
      const std::vector<double> written(cells, 100.0 * step + test.rank);
      std::vector<double> read(cells);
      device_of_test().copy(stream, first.get(), written.data(), bytes);
      layouts.publish(table);
      layouts.read(table);
      device_of_test().copy(stream, read.data(), third.get(), bytes);
      device_of_test().finish(stream);
      CHECK(second == written && read == written && fourth == written);
    }
  }
  device_of_test().end_stream(stream);
}
