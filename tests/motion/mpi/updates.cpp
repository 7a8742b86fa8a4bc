// Random motions that combine what arrives with what is there, against the oracle; and the bits of rounded sums.
#include <cstdint>
#include <cstring>
#include <functional>

#include "wherry/motion/index_array.hpp"
#include "wherry/motion/index_floor_plan.hpp"
#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"

#include "motion/mpi/run.hpp"
#include "support/every_reduction.hpp"

using namespace wherry_test;

namespace {

// Cells that are a few numbers of type T, made by `number` and combined one by one.
template <class T, class Number, class Combine> cell_values cells_of(int element, Number number, Combine combine) {
  const int parts = element / static_cast<int>(sizeof(T));
  return {[parts, number](std::uint64_t random, std::byte* cell) {
            for (int i = 0; i < parts; ++i) {
              const T value = number(hash(random, i));
              std::memcpy(cell + i * static_cast<int>(sizeof(T)), &value, sizeof(T));
            }
          },
          [parts, combine](std::byte* into, const std::byte* from) {
            for (int i = 0; i < parts; ++i) {
              T a, b;
              std::memcpy(&a, into + i * static_cast<int>(sizeof(T)), sizeof(T));
              std::memcpy(&b, from + i * static_cast<int>(sizeof(T)), sizeof(T));
              a = combine(a, b);
              std::memcpy(into + i * static_cast<int>(sizeof(T)), &a, sizeof(T));
            }
          }};
}

// Small whole numbers: exact in any type, in any order.
template <class T> T small_number(std::uint64_t random) { return static_cast<T>(random % 50); }

template <class T, class Combine>
void update(random_case& now, const context& test, const carriers& by, const wherry::reduction& operation,
            Combine combine) {
  auto what = random_motion_case(now.random, test.size, {.part = sizeof(T), .overlapping_destinations = true});
  const MPI_Comm comm = by.choose(what, now);
  const random_settings settings(now.random);
  log(now.title + ", " + operation.name());
  move_and_check(what, comm, now, cells_of<T>(what.element, small_number<T>, combine),
                 wherry::reduction_of<T>(operation));
}

// A type and an operation of the user's own: the larger key wins, with its value.
struct keyed {
  std::uint32_t key, value;
};
keyed larger_key(const keyed& a, const keyed& b) {
  return a.key > b.key || (a.key == b.key && a.value > b.value) ? a : b;
}

void update_by_key(random_case& now, const context& test, const carriers& by) {
  auto what = random_motion_case(now.random, test.size, {.part = sizeof(keyed), .overlapping_destinations = true});
  const MPI_Comm comm = by.choose(what, now);
  const auto values = cells_of<keyed>(
      what.element,
      [](std::uint64_t random) {
        return keyed{static_cast<std::uint32_t>(random % 5), static_cast<std::uint32_t>(random >> 32)};
      },
      larger_key);
  move_and_check(what, comm, now, values, wherry::make_reduction<keyed>("larger key", larger_key));
}

}  // namespace

WHERRY_TEST(random_updates, ranks(1, 2, 3, 4, 8)) {
  const carriers by(test);
  for_each_case(test, 1000, [&](random_case& now) {
    switch (now.random.between(0, 5)) {
      case 0:
        return update<std::int64_t>(now, test, by, std::plus<>{}, std::plus<>());
      case 1:
        return update<double>(now, test, by, std::plus<>{}, std::plus<>());
      case 2:
        return update<std::int32_t>(now, test, by, wherry::minimum{}, [](auto a, auto b) { return a < b ? a : b; });
      case 3:
        return update<float>(now, test, by, wherry::maximum{}, [](auto a, auto b) { return a > b ? a : b; });
      case 4:
        return update<std::uint8_t>(now, test, by, std::plus<>{},
                                    [](auto a, auto b) { return static_cast<std::uint8_t>(a + b); });
      default:
        return update_by_key(now, test, by);
    }
  });
}

namespace {

// Every box takes in the first cells of the next one, and the last box those of the first.
template <class T> void moved(const context& test, operation what, const std::string& transport) {
  constexpr int cells = 30;
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size;
  const auto value = [&](int rank, int place) {
    return number_for<T>(what, hash(test.seed, rank, place), static_cast<std::size_t>(place));
  };
  const auto expected = [&](int place) {
    const T there = value(test.rank, place);
    return place < cells / 2 ? there : worked_out(what, there, value(next, place - cells / 2));
  };
  const auto check = [&](const char* pattern, int place, T is) {
    if (is == expected(place) ? pass() : false) return;
    FAIL(std::string(pattern) + " over " + transport + ", " + std::string(name_of(what)) + " of " +
         to_string(wherry::plans::element_of<T>()) + ": element " + std::to_string(place) + " is " + show(is) +
         ", should be " + show(expected(place)));
  };
  wherry::mover_options how{.update = reduction_of<T>(what)};
  how.carry.transport = transport;

  wherry::floor_plan<1> boxes;
  wherry::motion_plan<1> motions;
  wherry::index_floor_plan<> sets;
  wherry::index_motion_plan<wherry::index_set> moves;
  const auto range = [](int first, int last) {
    std::vector<wherry::index_t> all;
    for (int i = first; i < last; ++i) all.push_back(i);
    return wherry::index_set(std::move(all));
  };
  for (int i = 0; i < test.size; ++i) {
    boxes.add({{cells * i}, {cells * (i + 1)}}, i);
    sets.add(range(cells * i, cells * (i + 1)), i);
  }
  for (int i = 0; i < test.size; ++i) {
    const int n = (i + 1) % test.size, first = cells * n, half = cells * i + cells / 2, last = cells * (i + 1);
    motions.copy(n, {{first}, {first + cells / 2}}, i, {{half}, {last}});
    moves.copy(n, range(first, first + cells / 2), i, range(half, last));
  }
  // From other arrays, so that nothing is moved that has been combined already.
  wherry::x_array<T, 1> from(comm, boxes), to(comm, boxes);
  for (int i = 0; i < cells; ++i)
    from[test.rank](cells * test.rank + i) = to[test.rank](cells * test.rank + i) = value(test.rank, i);
  wherry::mover(motions, from, to, how)();
  for (int i = 0; i < cells; ++i) check("mover", i, to[test.rank](cells * test.rank + i));

  wherry::index_array<T, wherry::index_set> source(comm, sets), target(comm, sets);
  for (int i = 0; i < cells; ++i) source[test.rank](i) = target[test.rank](i) = value(test.rank, i);
  wherry::mover(moves, source, target, how)();
  for (int i = 0; i < cells; ++i) check("index mover", i, target[test.rank](i));
}

}  // namespace

WHERRY_TEST(every_operation_on_every_type_in_movers, ranks(1, 2, 3)) {
  const auto transports = usable_transports(test.comm);
  std::size_t turn = 0;
  for_every_type([&]<class T>(operation what) { moved<T>(test, what, transports[turn++ % transports.size()]); });
}

namespace {

// Values whose sum depends on the order in which they are added.
double rough_number(std::uint64_t random) {
  return static_cast<double>(random % 1000003) * ((random >> 40) & 1 ? 1e-9 : 1e7);
}

// All bytes of the destination after one motion.
std::vector<std::byte> bytes_after(const motion_case& what, const wherry::communicator& comm, bool others, int round) {
  const auto live = bind(what, comm, wherry::reduction_of<double>(std::plus<>{}));
  const auto values = cells_of<double>(what.element, rough_number, std::plus<>());
  // The same values in both pairs of arrays, so that only their places differ.
  auto source = others ? live.other_source : live.source;
  auto destination = others ? live.other_destination : live.destination;
  source.id = 0;
  destination.id = what.endogenous ? 0 : 1;
  source.fill(round, values);
  if (!what.endogenous) destination.fill(round, values);
  live.start(others);
  live.mover->wait();
  std::vector<std::byte> bytes;
  for (const auto& piece : destination.pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace

// Sums of doubles are the same bits every time, whatever carries them and in whatever order entries are given.
WHERRY_TEST(rounded_sums_are_reproducible, ranks(1, 2, 3, 4)) {
  const carriers by(test);
  for_each_case(test, 100, [&](random_case& now) {
    auto what =
        random_motion_case(now.random, test.size, {.dimensions = 3, .part = 8, .overlapping_destinations = true});
    const auto& [comm, transports] = by.pick(now.random);
    const wherry::communicator ours(comm);
    log(now.title + ": " + what.text());
    std::vector<std::byte> first;
    int round = 0;
    for (const auto& name : transports) {
      what.transport = name;
      const auto bytes = bytes_after(what, ours, round++ % 2 == 1, 1);
      if (first.empty()) first = bytes;
      if (fault(bytes != first)) FAIL(now.title + ": other bits by " + name + "\n    " + what.text());
      choose_carrying(what, now.random);
    }
  });
}
