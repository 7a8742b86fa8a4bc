// Random motions between random index domains against an oracle that knows single points only.
#include <array>
#include <map>
#include <tuple>

#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"
#include "wherry/motion/index_resolve.hpp"

#include "motion/mpi/index_cases.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

template <class Domain> struct motion_case {
  wherry::index_floor_plan<Domain> from, to;  // complete
  wherry::index_motion_plan<Domain> plan;     // of all ranks
  wherry::index_array_options source, destination;
  wherry::mover_options how;
  bool users_memory = false, add = false;
};

template <class Domain> wherry::index_floor_plan<Domain> random_parts(random_numbers& random, int ranks) {
  wherry::index_floor_plan<Domain> result;
  // Hundreds of simulated ranks compute the oracle's picture one after another: most of them own nothing then.
  for (int i = random.between(1, 3 * std::min(ranks, 16)); i > 0; --i) {
    Domain points;
    make_random(points, random);
    result.add(points, random.between(0, ranks - 1));
  }
  return result;
}

template <class Domain> motion_case<Domain> random_case_of(random_numbers& random, int ranks) {
  motion_case<Domain> made;
  made.from = random_parts<Domain>(random, ranks);
  made.to = random_parts<Domain>(random, ranks);
  made.source.components = made.destination.components = random.one_of({1, 1, 2, 3});
  made.source.interleaved = random.chance(60);
  made.destination.interleaved = random.chance(60);
  made.add = random.chance(50);
  made.users_memory = random.chance(30);
  made.how.carry.packet_bytes = random.chance(20) ? random.between(1, 100) : 0;
  made.how.carry.keep_buffers = random.chance(80);
  return made;
}

// Some members of a set, `count` of them.
index_set some_of(const index_set& set, index_t count, random_numbers& random) {
  std::vector<index_t> members(set.begin(), set.end());
  random.shuffle(members);
  members.resize(static_cast<std::size_t>(count));
  return index_set(members);
}

// From any points to any other points, as many: each destination once, where it is stored.
void random_entries(motion_case<index_set>& what, random_numbers& random) {
  std::vector<index_set> free(what.to.parts().begin(), what.to.parts().end());
  for (int k = random.between(0, 30); k > 0; --k) {
    const int from = random.between(0, what.from.size() - 1), to = random.between(0, what.to.size() - 1);
    auto& left = free[static_cast<std::size_t>(to)];
    const auto most = static_cast<int>(std::min(what.from[from].size(), left.size()));
    const index_t count = random.between(0, most);
    const auto arrives = some_of(left, count, random);
    what.plan.copy(from, some_of(what.from[from], count, random), to, arrives);
    if (!what.add) left = difference(left, arrives);
  }
}

double before(int part, index_t place, int c) { return static_cast<double>(hash(1, part, place, c) % 1000); }
template <class Domain> double moved(const motion_case<Domain>& what, int part, const site& s, int c) {
  // What is stored from several parts must be the same, so that it does not matter which one comes last.
  return static_cast<double>(hash(2, s.point[0], s.point[1], c, what.add ? part : 0) % 1000);
}

// An array, and perhaps the user's memory that it is on.
template <class T, class Domain> struct live_array {
  std::vector<std::vector<T>> memory;
  std::vector<std::span<T>> spans;
  wherry::index_array<T, Domain> array;

  live_array(const wherry::communicator& comm, const wherry::index_floor_plan<Domain>& plan,
             const wherry::index_array_options& how, bool users)
      : memory(make(comm, plan, how, users)),
        spans(memory.begin(), memory.end()),
        array(users ? wherry::index_array<T, Domain>(comm, plan, spans, how)
                    : wherry::index_array<T, Domain>(comm, plan, how)) {}

  static std::vector<std::vector<T>> make(const wherry::communicator& comm,
                                          const wherry::index_floor_plan<Domain>& plan,
                                          const wherry::index_array_options& how, bool users) {
    std::vector<std::vector<T>> result;
    if (users)
      for (const int number : plan.owned_by(comm.rank()))
        result.emplace_back(static_cast<std::size_t>(plan[number].size() * how.components));
    return result;
  }
};

// By part, place and component.
using picture = std::map<std::tuple<int, index_t, int>, double>;

template <class Domain> picture expected_of(const motion_case<Domain>& what) {
  picture result;
  for (int part = 0; part < what.to.size(); ++part)
    for (const auto& s : sites_of(what.to[part]))
      for (int c = 0; c < what.destination.components; ++c) result[{part, s.place, c}] = before(part, s.place, c);
  for (const auto& e : what.plan) {
    std::map<std::array<index_t, 2>, index_t> source_places, places;
    for (const auto& s : sites_of(what.from[e.from])) source_places[s.point] = s.place;
    for (const auto& s : sites_of(what.to[e.to])) places[s.point] = s.place;
    const auto source = sites_of(e.source), destination = sites_of(e.destination);
    for (std::size_t i = 0; i < source.size(); ++i)
      for (int c = 0; c < what.source.components; ++c) {
        auto& there = result[{e.to, places.at(destination[i].point), c}];
        there = moved(what, e.from, source[i], c) + (what.add ? there : 0);
      }
  }
  return result;
}

// Moves with the plans that this rank sees, which may be partial.
template <class From, class To, class Domain>
void move_and_check(const motion_case<Domain>& what, const wherry::communicator& comm, const std::string& title,
                    const wherry::index_floor_plan<Domain>& from, const wherry::index_floor_plan<Domain>& to,
                    const wherry::index_motion_plan<Domain>& plan) {
  live_array<From, Domain> source(comm, from, what.source, what.users_memory);
  live_array<To, Domain> destination(comm, to, what.destination, what.users_memory);
  live_array<From, Domain> other_source(comm, from, what.source, what.users_memory);
  auto how = what.how;
  if (what.add)
    how.update = wherry::make_conversion<To, From>("add", [](To there, From x) { return there + static_cast<To>(x); });
  wherry::mover move(plan, source.array, destination.array, how);
  const auto expected = expected_of(what);
  for (const bool others : {false, true}) {
    auto& left = others ? other_source.array : source.array;
    for (const auto& [number, points, values] : left.parts())
      for (const auto& s : sites_of(points))
        for (int c = 0; c < values.components(); ++c) values(s.place, c) = static_cast<From>(moved(what, number, s, c));
    for (const auto& [number, points, values] : destination.array.parts())
      for (index_t i = 0; i < values.points(); ++i)
        for (int c = 0; c < values.components(); ++c) values(i, c) = static_cast<To>(before(number, i, c));
    if (others)
      move.start(left, destination.array);
    else
      move.start();
    move.wait();
    for (const auto& [number, points, values] : destination.array.parts())
      for (index_t i = 0; i < values.points(); ++i)
        for (int c = 0; c < values.components(); ++c)
          if (fault(static_cast<double>(values(i, c)) != expected.at({number, i, c})))
            FAIL(title + ": part " + std::to_string(number) + ", place " + std::to_string(i) + ", component " +
                 std::to_string(c) + ": " + show(values(i, c)) + " for " + show(expected.at({number, i, c})));
  }
}

template <class Domain>
void move_and_check(const motion_case<Domain>& what, const wherry::communicator& comm, random_case& now,
                    const wherry::index_floor_plan<Domain>& from, const wherry::index_floor_plan<Domain>& to,
                    const wherry::index_motion_plan<Domain>& plan) {
  const auto title = now.title + ", " + what.how.carry.transport;
  switch (now.random.between(0, 2)) {
    case 0:
      return move_and_check<double, double>(what, comm, title, from, to, plan);
    case 1:
      return move_and_check<float, double>(what, comm, title, from, to, plan);
    default:
      return move_and_check<int, int>(what, comm, title, from, to, plan);
  }
}

// The communicators' transports, looked up once.
struct carriers {
  node_communicators comms;
  std::map<MPI_Comm, std::vector<std::string>> names;

  explicit carriers(const context& test) : comms(test.comm) {}
  MPI_Comm choose(random_numbers& random, wherry::mover_options& how) {
    const MPI_Comm comm = comms.pick(random);
    auto& known = names[comm];
    if (known.empty()) known = usable_transports(comm);
    how.carry.transport = random.one_of(known);
    if (!how.carry.keep_buffers) how.carry.transport = random.chance(50) ? "auto" : "two_sided";
    return comm;
  }
};

// Each rank brings its parts only.
template <class Domain>
void resolved_motion(motion_case<Domain>& what, const wherry::communicator& comm, random_case& now) {
  const auto by_rank = [&](wherry::index_floor_plan<Domain>& whole) {
    std::vector<Domain> mine;
    wherry::index_floor_plan<Domain> renumbered;  // rank after rank
    for (int rank = 0; rank < comm.size(); ++rank)
      for (const int number : whole.owned_by(rank)) {
        renumbered.add(whole[number], rank);
        if (rank == comm.rank()) mine.push_back(whole[number]);
      }
    whole = renumbered;
    return distributed_floor_plan(comm, mine);
  };
  const auto from = by_rank(what.from), to = by_rank(what.to);
  what.plan = redistribution(what.from, what.to);
  const auto known = resolve(comm, from, to);
  const auto mine = redistribution(known.from, known.to).plan(comm.rank());
  CHECK_EQUAL(mine.size(), redistribution(what.from, what.to).plan(comm.rank()).size());
  move_and_check(what, comm, now, known.from, known.to, mine);
}

template <class Domain> void random_redistributions(context& test) {
  carriers by(test);
  for_each_case(test, 300, [&](random_case& now) {
    auto what = random_case_of<Domain>(now.random, test.size);
    const wherry::communicator comm(by.choose(now.random, what.how));
    if (now.random.chance(50)) return resolved_motion(what, comm, now);
    what.plan = redistribution(what.from, what.to);
    const auto mine = redistribution(what.from, what.to).plan(comm.rank());
    move_and_check(what, comm, now, what.from, what.to, now.random.chance(50) ? mine : what.plan);
  });
}

}  // namespace

WHERRY_TEST(random_entries_between_sets, ranks(1, 2, 3, 4, 8)) {
  carriers by(test);
  for_each_case(test, 500, [&](random_case& now) {
    auto what = random_case_of<index_set>(now.random, test.size);
    random_entries(what, now.random);
    const wherry::communicator comm(by.choose(now.random, what.how));
    move_and_check(what, comm, now, what.from, what.to, what.plan);
  });
}

WHERRY_TEST(random_sets, ranks(1, 2, 3, 4, 8)) { random_redistributions<index_set>(test); }
WHERRY_TEST(random_triangles, ranks(1, 2, 3, 4, 8)) { random_redistributions<triangle>(test); }
WHERRY_TEST(random_columns, ranks(1, 2, 3, 4, 8)) { random_redistributions<columns>(test); }
