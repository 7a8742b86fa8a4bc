// Published layouts of fields in device memory: whatever an exchange brings, they bring, in a stream of the user's or
// in none, in the node and beyond, however late anybody is.
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "wherry/device/device.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "support/all_throw.hpp"
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

void require_words(const std::string& said, const std::string& words) {
  if (said.find(words) == std::string::npos) FAIL("'" + words + "' is not in: " + said);
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
    if (a[now]->get() != wanted_a->get() || b[now]->get() != wanted_b->get())
      FAIL(one.title + ": step " + std::to_string(step) + " differs");
    if (awaits) layouts.await_readers();
  }
  layouts.await_readers();
}

// A ring of rows on the device in a stream of its own, which the host never waits for.
struct streamed_ring {
  static constexpr wherry::index_t cells = 300, width = 2, all = cells + 2 * width;

  streamed_ring(const context& test, MPI_Comm comm)
      : rank(test.rank), ranks(test.size), grid(comm, {.periodic = {true}}), stream(device_of_test().make_stream()) {
    for (auto& row : rows) row = wherry::make_on_device<double>(all);
  }
  ~streamed_ring() { device_of_test().end_stream(stream); }
  streamed_ring(const streamed_ring&) = delete;
  streamed_ring& operator=(const streamed_ring&) = delete;

  auto view() const {
    return wherry::halo(
        wherry::view<double, 1>{rows[0].get(), {all}, wherry::fortran_layout<1>(), wherry::memory_space::device},
        width);
  }
  std::vector<double> filled(int of_rank, int step) const {
    std::vector<double> image(all, -1.0);
    for (wherry::index_t i = 0; i < cells; ++i)
      image[static_cast<std::size_t>(width + i)] = 1000.0 * step + 10.0 * of_rank + 0.01 * static_cast<double>(i);
    return image;
  }
  std::vector<double> exchanged(int step) const {
    auto image = filled(rank, step);
    const auto left = filled((rank + ranks - 1) % ranks, step), right = filled((rank + 1) % ranks, step);
    for (std::size_t i = 0; i < width; ++i) {
      image[i] = left[cells + i];
      image[width + cells + i] = right[width + i];
    }
    return image;
  }

  int rank, ranks;
  wherry::process_grid grid;
  wherry::device_stream stream;
  std::array<std::shared_ptr<double[]>, 4> rows;  // take turns
};

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
    if (read[static_cast<std::size_t>(step)] != r.exchanged(step)) FAIL("step " + std::to_string(step) + " is wrong");
}

// The fake device, which lends nothing.
const wherry::device& device_that_keeps_its_own() {
  static const wherry::device row = [] {
    auto made = wherry::fake_device();
    made.lend = [](void*, wherry::device_ticket&) { return std::string("it keeps its own"); };
    return made;
  }();
  return row;
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
      require_words(layouts.explain(), "not by device_shared: 'fake' cannot lend its memory: it keeps its own");
      CHECK_EQUAL(layouts.transport(), std::string("notified writes"));
    }
  }
  wherry::use_device(&wherry::fake_device());
}

namespace {

// A ring with its layouts on the fake device, and one row of it.
struct published_ring : streamed_ring {
  explicit published_ring(const context& test)
      : streamed_ring(test, test.comm),
        describes(grid, {}, view()),
        layouts(std::in_place, grid.comm(), describes.schedule()),
        beside_first(test.size > 1 && (rank == 1 || rank == test.size - 1)) {}

  // The row of this step is meant from now on.
  void choose(int step) { table[0] = rows[static_cast<std::size_t>(step % 4)].get(); }
  void put(int step) {
    choose(step);
    image = filled(rank, step);  // stays until the stream has read it
    device_of_test().copy(stream, table[0], image.data(), bytes);
  }
  std::vector<double> get() {
    std::vector<double> found(all);
    device_of_test().copy(stream, found.data(), table[0], bytes);
    device_of_test().finish(stream);
    return found;
  }
  bool publish(double seconds = wherry::no_limit) {
    const wherry::in_stream here(stream);
    return layouts->publish(table, seconds);
  }
  bool read(double seconds = wherry::no_limit) {
    const wherry::in_stream here(stream);
    return layouts->read(table, seconds);
  }

  static constexpr auto bytes = all * sizeof(double);
  std::vector<double> image;
  void* table[1] = {rows[0].get()};
  wherry::halo_exchange describes;
  std::optional<wherry::published_layouts> layouts;
  bool beside_first;
};

template <class Step> void times_out(const context& test, const std::string& words, const Step& step) {
  const setting brief("timeout", "0.05", "0");
  try {
    step();
    FAIL("nothing was late: " + words);
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::timeout);
    CHECK_EQUAL(problem.peers(), std::vector<int>{test.rank});
    require_words(problem.what(), words);
  }
}

}  // namespace

// What waits for the device of rank 0 says so, and goes on.
WHERRY_TEST(a_publication_that_the_device_is_late_with, ranks(1, 2, 3).not_simulated("real time must pass")) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  for (int step = 0; step < 3; ++step) {
    auto door = test.rank == 0 ? wherry::hold_fake_device(r.stream) : nullptr;
    r.put(step);
    CHECK(r.publish());  // does not wait for the stream
    if (test.rank == 0) {
      const bool packs = test.size > 1;
      if (packs)
        times_out(test, "still waits for the device of this rank to pack", [&] { r.layouts->await_readers(); });
      if (packs) CHECK(!r.layouts->await_readers(0.001));
    } else if (r.beside_first) {
      for (const double seconds : {0.0, 0.01}) CHECK(!r.read(seconds));
    }
    MPI_Barrier(test.comm);
    door.reset();
    while (!r.read(0.01)) {
    }
    CHECK(r.get() == r.exchanged(step));
    r.layouts->await_readers();
  }
}

// Two publications are ahead of readers whose device is late, and the third one is not: what they have yet to unpack
// stays. `read` in a stream does not wait for the stream.
WHERRY_TEST(publications_ahead_of_a_late_device, ranks(2, 3, 4).not_simulated("real time must pass")) {
  for (const bool lends : {true, false}) {
    const with_setting on("device", "fake", "auto");
    if (!lends) wherry::use_device(&device_that_keeps_its_own());
    {
      published_ring r(test);
      r.put(0);
      r.publish();
      auto door = test.rank != 0 ? wherry::hold_fake_device(r.stream) : nullptr;
      r.read();
      // What went by way of the host the host has read, before the device unpacks it.
      const int last = lends ? 2 : 3;
      if (test.rank == 0) {
        CHECK(r.get() == r.exchanged(0));
        for (int step = 1; step <= last; ++step) {
          r.put(step);
          device_of_test().finish(r.stream);
          CHECK_EQUAL(r.publish(0.05), step < last);
        }
      }
      MPI_Barrier(test.comm);
      std::vector<double> first(streamed_ring::all);
      if (test.rank != 0) device_of_test().copy(r.stream, first.data(), r.table[0], published_ring::bytes);
      door.reset();
      if (test.rank != 0) {
        device_of_test().finish(r.stream);
        CHECK(first == r.exchanged(0));
        r.layouts->await_readers();  // which tells rank 0 what has been read
      }
      for (int step = 1; step <= last; ++step) {
        r.choose(step);
        if (test.rank != 0) r.put(step);
        if (test.rank != 0 || step == last) r.publish();
        r.read();
        CHECK(r.get() == r.exchanged(step));
      }
      r.layouts->await_readers();
    }
    wherry::use_device(&wherry::fake_device());
  }
}

// What a rank copies to itself between host and device, in stages that wait for each other.
WHERRY_TEST(copies_of_published_layouts_between_host_and_device, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  constexpr wherry::index_t cells = 500;
  const std::array<std::int64_t, 1> extent{cells}, stride{sizeof(double)};
  const auto all_of = [&](std::int32_t field) {
    return wherry::strided_block(field, sizeof(double), 0, extent, stride);
  };
  wherry::schedule_builder plan("copies", test.rank);
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

// What is packed late leaves while this rank waits for something else.
WHERRY_TEST(others_waits_send_what_was_published_in_a_stream, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  wherry::field<double, 1> other(r.grid.comm(), {30}, 1);
  wherry::halo_exchange exchange(r.grid, {}, other);
  for (int step = 0; step < 4; ++step) {
    auto door = test.rank == 0 ? wherry::hold_fake_device(r.stream) : nullptr;
    r.put(step);
    r.publish();
    door.reset();
    if (test.rank == 0) exchange();
    r.read();
    CHECK(r.get() == r.exchanged(step));
    if (test.rank != 0) exchange();
  }
}

// What a device packs is a copy: who goes has published it all the same.
WHERRY_TEST(layouts_that_go_leave_what_they_have_published, ranks(2, 3, 4)) {
  const with_setting on("device", "fake", "auto");
  const node_communicators nodes(test.comm);
  published_ring r(test);
  for (int step = 0; step < 2; ++step) {
    r.put(step);
    r.publish();
    if (test.rank == 0 && step == 1) r.layouts.reset();
    if (test.rank != 0 || step == 0) {
      r.read();
      CHECK(r.get() == r.exchanged(step));
    }
  }
}

WHERRY_TEST(a_publication_of_memory_that_is_not_the_devices, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  published_ring r(test);
  r.put(0);
  r.publish();
  r.read();
  std::vector<double> of_the_host(streamed_ring::all);
  void* const wrong[] = {of_the_host.data()};
  const std::string words = "said to be in device memory, but 'fake' knows nothing of its pointer";
  if (test.size > 1)
    all_throw(test, "publish", wherry::error_kind::argument, words, [&] { r.layouts->publish(wrong); });
  all_throw(test, "read", wherry::error_kind::argument, words, [&] { r.layouts->read(wrong); });
  r.put(1);
  r.publish();
  r.read();
  CHECK(r.get() == r.exchanged(1));
}

WHERRY_TEST(a_device_that_fails_while_it_publishes, ranks(1, 2, 3)) {
  static bool is_broken = false;
  static const wherry::device row = [] {
    auto made = wherry::fake_device();
    made.has_happened = [](wherry::device_event event) {
      if (is_broken) throw wherry::error(wherry::error_kind::resource, "device 'fake'", "it has failed");
      return wherry::fake_device().has_happened(event);
    };
    return made;
  }();
  const with_setting on("device", "fake", "auto");
  wherry::use_device(&row);
  {
    published_ring r(test);
    r.put(0);
    device_of_test().finish(r.stream);
    is_broken = test.rank == 0;
    try {
      r.layouts->publish(r.table);
      r.layouts->read(r.table);
      if (is_broken) FAIL("a device that has failed published and read");
    } catch (const wherry::error& problem) {
      CHECK(is_broken);
      require_words(problem.what(), "it has failed");
    }
    is_broken = false;
    if (test.rank == 0) {
      r.layouts->publish(r.table);
      r.layouts->read(r.table);
    }
    CHECK(r.get() == r.exchanged(0));
  }
  wherry::use_device(&wherry::fake_device());
}
