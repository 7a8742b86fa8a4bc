// Fields on the fake device in streams of the user's.
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "support/case_runner.hpp"
#include "support/random.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

// The host never waits for the device but where messages leave: what is in the stream before, and what comes behind, is
// in order all the same.
WHERRY_TEST(exchanges_in_a_users_stream, ranks(1, 2, 3, 4, 8)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  for (const auto& name : device_transports(test.comm)) {
    test.note(name);
    ring first(test), second(test);
    wherry::halo_exchange one(first.grid, {.carry = {.transport = name}},
                              wherry::halo_inside(first.view(), ring::width));
    wherry::halo_exchange two(second.grid, {.carry = {.transport = name}},
                              wherry::halo_inside(second.view(), ring::width));
    const users_stream a, b;
    wherry::detail::seed_fake_device(hash(test.seed, test.rank));
    constexpr int rounds = 6;
    std::vector<std::vector<double>> written, read(2 * rounds, std::vector<double>(ring::all));
    for (int round = 0; round < 2 * rounds; ++round) written.push_back(first.filled(round));
    for (int round = 0; round < rounds; ++round) {
      a.copy(first.row.get(), written[static_cast<std::size_t>(round)].data(), first.bytes());
      b.copy(second.row.get(), written[static_cast<std::size_t>(rounds + round)].data(), first.bytes());
      {
        const wherry::in_stream here(a);
        one.start();
      }
      {
        const wherry::in_stream here(b);
        two.start();
        if (round % 2 == 0)
          two.wait();
        else
          while (!two.test()) {
          }
      }
      const wherry::in_stream here(a);
      one.wait();
      a.copy(read[static_cast<std::size_t>(round)].data(), first.row.get(), first.bytes());
      b.copy(read[static_cast<std::size_t>(rounds + round)].data(), second.row.get(), first.bytes());
    }
    a.finish();
    b.finish();
    for (int round = 0; round < 2 * rounds; ++round)
      if (fault(read[static_cast<std::size_t>(round)] != first.exchanged(round)))
        FAIL(name + ": round " + std::to_string(round) + " is wrong");
  }
}

namespace {

// A field, and the stream in which it was last used; null: nobody uses it any more.
struct used_ring : ring {
  using ring::ring;
  const users_stream* last = nullptr;
  void use_in(const users_stream* stream) {
    if (last != nullptr && last != stream) last->finish();
    last = stream;
  }
};

// Where this rank does something: in one of its streams, of which some end and others begin, or in none.
class streams_of_a_user {
 public:
  explicit streams_of_a_user(random_numbers& random) : random_(random) {}
  const users_stream* any() {
    const auto which = static_cast<std::size_t>(random_.between(0, 2));
    return which == streams_.size() ? nullptr : streams_[which].get();
  }
  void replace_one(std::initializer_list<used_ring*> fields) {
    auto& one = streams_[static_cast<std::size_t>(random_.between(0, 1))];
    for (auto* field : fields)
      if (field->last == one.get()) field->use_in(nullptr);
    one = nullptr;  // the fake device may give the next one its place
    one = std::make_unique<users_stream>();
  }

 private:
  random_numbers& random_;
  std::array<std::unique_ptr<users_stream>, 2> streams_{std::make_unique<users_stream>(),
                                                        std::make_unique<users_stream>()};
};

template <class Step> void in(const users_stream* stream, const Step& step) {
  std::optional<wherry::in_stream> here;
  if (stream != nullptr) here.emplace(*stream);
  step();
}

void copy_in(const users_stream* stream, void* to, const void* from, std::size_t bytes) {
  stream != nullptr ? stream->copy(to, from, bytes) : wherry::copy_on_device(to, from, bytes);
}

}  // namespace

// One exchange, started and waited for in streams that come and go, or in none, with one field or another.
WHERRY_TEST(exchanges_in_streams_that_come_and_go, ranks(1, 2, 3)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  for (const auto& name : device_transports(test.comm)) {
    test.note(name);
    random_numbers random(hash(test.seed, test.rank));
    wherry::detail::seed_fake_device(hash(test.seed, test.rank));
    used_ring first(test), second(test);
    wherry::halo_exchange exchange(first.grid, {.carry = {.transport = name}},
                                   wherry::halo_inside(first.view(), ring::width));
    constexpr int rounds = 40;
    std::vector<std::vector<double>> written, read(rounds, std::vector<double>(ring::all));
    for (int round = 0; round < rounds; ++round) written.push_back(first.filled(round));
    {
      streams_of_a_user streams(random);
      for (std::size_t round = 0; round < rounds; ++round) {
        if (random.chance(20)) streams.replace_one({&first, &second});
        auto& field = random.chance(50) ? first : second;
        const auto* const begins = streams.any();
        const auto* const ends = random.chance(60) ? begins : streams.any();
        field.use_in(begins);
        copy_in(begins, field.row.get(), written[round].data(), field.bytes());
        in(begins, [&] { exchange.start(field.row.get()); });
        in(ends, [&] { exchange.wait(); });
        field.last = ends;
        copy_in(ends, read[round].data(), field.row.get(), field.bytes());
      }
      for (auto* field : {&first, &second}) field->use_in(nullptr);
    }  // the streams end before the exchange does
    for (int round = 0; round < rounds; ++round)
      if (fault(read[static_cast<std::size_t>(round)] != first.exchanged(round)))
        FAIL(name + ": round " + std::to_string(round) + " of seed " + std::to_string(test.seed) + " is wrong");
  }
}

// What is in a stream that nobody has marked since is done before the next start takes other fields elsewhere.
WHERRY_TEST(a_start_elsewhere_waits_for_the_stream_before, ranks(1)) {
  const with_setting on("device", "fake", "auto");
  ring first(test), second(test);
  wherry::halo_exchange exchange(first.grid, {}, wherry::halo_inside(first.view(), ring::width));
  first.put(first.filled(1));
  second.put(second.filled(2));
  const users_stream stream;
  std::thread releases;
  {
    auto held = wherry::detail::hold_fake_device(stream);
    in(&stream, [&] {
      exchange.start(first.row.get());
      exchange.wait();
    });
    releases = std::thread([held = std::move(held)]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      held = nullptr;
    });
  }
  exchange.start(second.row.get());
  exchange.wait();
  releases.join();
  stream.finish();
  CHECK(first.get() == first.exchanged(1));
  CHECK(second.get() == second.exchanged(2));
}

namespace {

constexpr index_t half = ring::cells / 2;

// Each half of what leaves, as a part.
std::vector<wherry::halo_part> halves() {
  std::vector<wherry::halo_part> parts(2);
  for (auto& part : parts) part.dimensions = 1;
  parts[0].upper[0] = parts[1].lower[0] = half;
  parts[1].upper[0] = ring::cells;
  return parts;
}

}  // namespace

// More fields than go along with a launch, in sets that take turns.
WHERRY_TEST(many_device_fields_in_turns, ranks(1, 2, 3)) {
  const some_device on;
  wherry::detail::seed_fake_device(hash(test.seed, test.rank));
  constexpr std::size_t fields = 40, rounds = 6;
  std::array<std::vector<std::unique_ptr<ring>>, 2> sets;
  std::vector<wherry::halo_field> shapes;
  std::array<std::vector<void*>, 2> tables;
  for (std::size_t set = 0; set < 2; ++set)
    for (std::size_t f = 0; f < fields; ++f) {
      const auto& r = *sets[set].emplace_back(std::make_unique<ring>(test));
      tables[set].push_back(r.row.get());
      if (set == 0) shapes.push_back(halo_of(wherry::halo_inside(r.view(), ring::width)));
    }
  const auto& any = *sets[0].front();
  wherry::halo_exchange exchange(any.grid, {}, shapes);
  const users_stream stream;
  const wherry::in_stream here(stream);
  const auto number = [](std::size_t round, std::size_t f) { return static_cast<int>(round * fields + f); };
  std::vector<std::vector<double>> written, read;
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t f = 0; f < fields; ++f) {
      written.push_back(any.filled(number(round, f)));
      read.emplace_back(ring::all);
    }
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto& table = tables[round % 2];
    for (std::size_t f = 0; f < fields; ++f) stream.copy(table[f], written[round * fields + f].data(), any.bytes());
    exchange.bound().start(table);
    exchange.wait();
    for (std::size_t f = 0; f < fields; ++f) stream.copy(read[round * fields + f].data(), table[f], any.bytes());
  }
  stream.finish();
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t f = 0; f < fields; ++f) CHECK(read[round * fields + f] == any.exchanged(number(round, f)));
}

// Two threads compute a half each, some in streams that are late.
WHERRY_TEST(parts_become_ready_in_streams, ranks(1, 2, 3, 4)) {
  const some_device on;
  const mpi_that_reaches_it aware;
  for (const auto& name : device_transports(test.comm)) {
    test.note(name);
    wherry::detail::seed_fake_device(hash(test.seed, test.rank));
    ring r(test);
    wherry::halo_exchange exchange(r.grid, {.parts = halves(), .carry = {.transport = name}},
                                   wherry::halo_inside(r.view(), ring::width));
    const std::array<users_stream, 2> streams;
    random_numbers random(hash(test.seed, test.rank, 3));
    const std::vector<double> nothing(ring::all, -5.0);
    for (int round = 1; round <= 20; ++round) {
      const auto image = r.filled(round);
      r.put(nothing);
      const bool start_in_stream = random.chance(50);
      in(start_in_stream ? &streams[0] : nullptr, [&] { exchange.start_in_parts(); });
      const std::array<bool, 2> is_in_stream{random.chance(60), random.chance(60)},
          is_late{random.chance(30), random.chance(30)};
      const auto compute = [&](std::size_t part) {
        const auto first = static_cast<std::size_t>(ring::width) + part * static_cast<std::size_t>(half);
        const auto bytes = static_cast<std::size_t>(half) * sizeof(double);
        const auto* const stream = is_in_stream[part] ? &streams[part] : nullptr;
        auto held =
            stream != nullptr && is_late[part] && is_fake() ? wherry::detail::hold_fake_device(*stream) : nullptr;
        copy_in(stream, r.row.get() + first, image.data() + first, bytes);
        in(stream, [&] { exchange.ready(static_cast<int>(part)); });
        if (held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      };
      std::thread other(compute, 1);
      compute(0);
      other.join();
      exchange.wait();
      for (const auto& stream : streams) stream.finish();
      if (fault(r.get() != r.exchanged(round)))
        return FAIL(name + ": round " + std::to_string(round) + " is wrong"), void();
    }
  }
}

// A part that nobody has computed is named; then it is, and the exchange goes on.
WHERRY_TEST(parts_on_a_device_that_are_not_ready, ranks(1, 2, 3)) {
  const with_setting on("device", "fake", "auto");
  ring r(test);
  wherry::halo_exchange exchange(r.grid, {.parts = halves()}, wherry::halo_inside(r.view(), ring::width));
  r.put(r.filled(1));
  exchange.start_in_parts();
  exchange.ready(1);
  {
    const with_setting soon("timeout", "0.1", "0");
    CHECK_THROWS_WITH(exchange.wait(), "still waits for parts of this rank that are not ready: 0");
  }
  MPI_Barrier(test.comm);
  exchange.ready(0);
  exchange.wait();
  CHECK(r.get() == r.exchanged(1));
  exchange.start_in_parts();  // and is given up
  exchange.ready(0);
  exchange.abandon();
  MPI_Barrier(test.comm);
}

// Another thread says it, which may not send where MPI was not started for several threads (`hosts` entries). The wait
// is then for the peers, and ends in time.
WHERRY_TEST(parts_on_a_device_that_another_thread_says_are_ready, ranks(2, 3)) {
  const with_setting on("device", "fake", "auto");
  ring r(test);
  wherry::halo_exchange exchange(r.grid, {.parts = halves(), .carry = {.transport = "two_sided"}},
                                 wherry::halo_inside(r.view(), ring::width));
  r.put(r.filled(1));
  MPI_Barrier(test.comm);
  if (test.rank == 0) {
    exchange.start_in_parts();
    std::thread([&] {
      exchange.ready(0);
      exchange.ready(1);
    }).join();
    const with_setting soon("timeout", "0.2", "0");
    CHECK_THROWS_WITH(exchange.wait(), "not arrived: rank 1");
  }
  MPI_Barrier(test.comm);
  if (test.rank != 0) {
    exchange.start_in_parts();
    exchange.ready(0);
    exchange.ready(1);
  }
  exchange.wait();
  CHECK(r.get() == r.exchanged(1));
}
