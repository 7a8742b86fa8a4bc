// bench_plan_construction: measures the cost of finding the boxes that touch and of making motion plans for them,
// periodic and with reach 1, beside a comparison of all pairs (as in KeLP's figure 4) and a hash table of bins (as in
// today's block-structured libraries). Then it measures the cost for a rank if no rank knows all boxes, beside
// gathering all boxes on all ranks.
//   bench_plan_construction [--boxes 10000,100000,1000000] [--motions 100000] [--own 512] [--seconds 2] [--out FILE]
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <unordered_map>

#include "wherry/geometry/box_index.hpp"
#include "wherry/wherry.hpp"

#include "blocks/box_sets.hpp"
#include "harness/arguments.hpp"
#include "harness/json.hpp"
#include "harness/steady.hpp"

namespace bench {
namespace {

constexpr index_t mean_extent = 32;
const wherry::halo_widths<3> reach(1);

struct options {
  std::vector<long> boxes{10'000, 100'000, 1'000'000};
  long motions = 100'000;  // most boxes of a whole motion plan: 2.7 GB for a million
  long own = 512;          // boxes a rank
  double seconds = 2;      // a case
  std::FILE* out = stdout;
};

// --------------------------------------------------------------------------------------------------------- the rivals

volatile long sink = 0;  // results must be used, or the compiler removes the search

template <class Visit> void all_pairs(const box_set& boxes, const wherry::domain<3>& space, Visit visit) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto near = grow(boxes[i], 1);
    for (std::size_t j = 0; j < boxes.size(); ++j)
      for_each_image(space, boxes[j], near, [&](const point3& offset) {
        if (i != j || offset != point3{}) visit(i, j);
      });
  }
}

/// Bins as wide as the largest box, in a hash table. A search looks up every bin around a box.
class hashed_bins {
 public:
  explicit hashed_bins(const box_set& boxes) : boxes_(boxes) {
    for (const auto& b : boxes)
      for (std::size_t d = 0; d < 3; ++d) width_[d] = std::max(width_[d], b.extents()[d]);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      bins_[coarsen(box3{boxes[i].lower, boxes[i].upper}, width_).lower].push_back(i);
  }
  template <class Visit> void for_each_pair(const wherry::domain<3>& space, Visit visit) const {
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      for_each_image(space, space.cells, grow(boxes_[i], 1), [&](const point3& offset) {
        const auto near = shift(grow(boxes_[i], 1), point3{-offset[0], -offset[1], -offset[2]});
        auto bins = coarsen(near, width_);
        for (auto& x : bins.lower) --x;
        for_each_point(bins, [&](const point3& bin) {
          const auto found = bins_.find(bin);
          if (found == bins_.end()) return;
          for (const auto j : found->second)
            if (intersects(boxes_[j], near) && (i != j || offset != point3{})) visit(i, j);
        });
      });
  }

 private:
  struct hash {
    std::size_t operator()(const point3& p) const {
      return static_cast<std::size_t>((p[0] * 73856093) ^ (p[1] * 19349663) ^ (p[2] * 83492791));
    }
  };
  const box_set& boxes_;
  point3 width_{1, 1, 1};
  std::unordered_map<point3, std::vector<std::size_t>, hash> bins_;
};

// ---------------------------------------------------------------------------------------------------------- the cases

class report {
 public:
  report(const options& given, int ranks) : given_(given), ranks_(ranks), mpi_(wherry::mpi_library_version()) {}

  /// The first method is Wherry's. Writes a record for every other method, or one record without a peer, with the cost
  /// of a unit.
  void compare(const std::string& what, const std::vector<method>& methods, const char* unit, double units) {
    placement_probe probe(MPI_COMM_WORLD);
    const auto found = measure_steadily(probe, MPI_COMM_WORLD, methods, {.seconds = given_.seconds});
    const auto& ours = found.timings.front();
    const auto write = [&](const std::string& peer, double peer_us) {
      record("comparison")
          .add("bench", "plan_construction")
          .add("case", what)
          .add("ranks", ranks_)
          .add("mpi", mpi_)
          .add("ours", ours.name)
          .add("ours_us", ours.median)
          .add("peer", peer)
          .add("peer_us", peer_us)
          .add("ratio", peer_us > 0 ? ours.median / peer_us : 0)
          .add("spread", ours.spread())
          .add("steady", found.steady())
          .add(std::string("ns_per_") + unit, 1e3 * ours.median / units)
          .add(std::string("peer_ns_per_") + unit, 1e3 * peer_us / units)
          .add("units", units)
          .write(given_.out);
    };
    for (std::size_t i = 1; i < found.timings.size(); ++i) write(found.timings[i].name, found.timings[i].median);
    if (found.timings.size() == 1) write("", 0);
  }

 private:
  const options& given_;
  int ranks_;
  std::string mpi_;
};

void touching(const options& given, report& to, const std::string& name, const box_set& boxes) {
  wherry::domain<3> space = wherry::domain<3>::torus({});
  for (const auto& b : boxes) space.cells = bounding_box(space.cells, b);
  const auto ours = [&] {
    long pairs = 0, mixed = 0;
    const wherry::box_index<3> index(boxes);
    index.for_each_touching_pair(reach, space, [&](int i, int j, const point3& offset) {
      ++pairs;
      mixed += (i ^ j) + offset[0];
    });
    sink = mixed;
    return pairs;
  };
  const auto pairs = ours();
  const auto counted = [&](auto&& enumerate) {
    long count = 0;
    enumerate(space, [&](std::size_t i, std::size_t j) {
      ++count;
      sink = static_cast<long>(i ^ j);
    });
    if (count != pairs) throw std::runtime_error("a rival finds other pairs");
  };
  std::vector<method> methods{{"bins in one list", "ours", [&] { (void)ours(); }, {}}};
  if (boxes.size() <= 150'000)
    methods.push_back({"bins in a hash table",
                       "peer",
                       [&] {
                         const hashed_bins bins(boxes);
                         counted([&](const auto& s, auto visit) { bins.for_each_pair(s, visit); });
                       },
                       {}});
  if (boxes.size() <= 2'000)
    methods.push_back(
        {"all pairs", "peer", [&] { counted([&](const auto& s, auto visit) { all_pairs(boxes, s, visit); }); }, {}});
  to.compare(name, methods, "pair", static_cast<double>(pairs));

  if (static_cast<long>(boxes.size()) > given.motions) return;
  const wherry::floor_plan<3> plan(boxes, wherry::owner_map(boxes.size(), 0));
  const auto entries = wherry::halo_motion(plan, reach, space).plan().size();
  to.compare("motion plan, " + name,
             {{"halo_motion",
               "ours",
               [&] { sink = static_cast<long>(wherry::halo_motion(plan, reach, space).plan().size()); },
               {}},
              {"writing as many bytes to fresh memory",
               "limit",
               [&] { sink = static_cast<long>(std::vector<wherry::motion<3>>(entries).size()); },
               {}}},
             "pair", static_cast<double>(pairs));
}

/// Every rank has a cube of cubes; the ranks form a periodic row.
box_set own_boxes(const options& given, int rank) {
  auto mine = regular(given.own, mean_extent);
  for (auto& b : mine) b = shift(b, {rank * side_of(given.own) * mean_extent, 0, 0});
  return mine;
}

wherry::floor_plan<3> gathered(const wherry::communicator& comm, const box_set& mine) {
  box_set all(mine.size() * static_cast<std::size_t>(comm.size()));
  const auto bytes = static_cast<int>(mine.size() * sizeof(box3));
  MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
  wherry::owner_map owners(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) owners[i] = static_cast<int>(i / mine.size());
  return {std::move(all), std::move(owners)};
}

void distributed(const options& given, report& to) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto mine = own_boxes(given, comm.rank());
  auto space = wherry::domain<3>::torus(cube(side_of(given.own) * mean_extent));
  space.cells.upper[0] *= comm.size();
  to.compare(
      "distributed, " + std::to_string(mine.size()) + " boxes a rank",
      {{"distributed_floor_plan + halo_motion",
        "ours",
        [&] {
          const auto plan = distributed_floor_plan(comm, mine, reach, space);
          sink = static_cast<long>(halo_motion(plan, reach, space).plan(comm.rank()).size());
        },
        {}},
       {"all boxes on all ranks + halo_motion",
        "peer",
        [&] { sink = static_cast<long>(halo_motion(gathered(comm, mine), reach, space).plan(comm.rank()).size()); },
        {}}},
      "box", static_cast<double>(mine.size()));
}

options parse(int argc, char** argv, int rank) {
  arguments words(argc, argv);
  options result;
  result.boxes = words.list("--boxes", result.boxes);
  result.motions = words.integer("--motions", result.motions, 0, 1'000'000'000);
  result.own = words.integer("--own", result.own, 1, 1'000'000'000);
  result.seconds = words.number("--seconds", result.seconds, 0, 1e6);
  result.out = words.output(rank);
  words.finish();
  return result;
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  const options given = parse(argc, argv, mpi.rank());
  report to(given, mpi.size());
  // The first two cases are work of one process; with several ranks, all do the same at once.
  for (const long count : given.boxes)
    for (const bool shuffled : {false, true})
      for (const bool equal : {true, false}) {
        auto boxes = equal ? regular(count, mean_extent) : irregular(count, mean_extent);
        if (shuffled) std::shuffle(boxes.begin(), boxes.end(), std::mt19937_64(5));
        touching(given, to,
                 std::string(equal ? "regular" : "irregular") + ", " + std::to_string(boxes.size()) + " boxes" +
                     (shuffled ? ", shuffled" : ""),
                 boxes);
      }
  distributed(given, to);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::run); }
