#include "compare.hpp"

#include "hand_written.hpp"
#include "harness/ratios.hpp"

namespace amr {
namespace {

constexpr std::size_t most_rounds = 201;
constexpr double enough = 1e6;  // microseconds for all rounds
constexpr int fills = 10;       // a round

/// Microseconds of one fill on the slowest rank.
template <class Fill> double time(Fill&& fill) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  for (int i = 0; i < fills; ++i) fill();
  double seconds = MPI_Wtime() - began;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds * 1e6 / fills;
}

template <class Visit> void for_each_ghost(level& l, Visit&& visit) {
  for (const auto& block : l.u.blocks())
    for (const auto& part : wherry::difference(wherry::grow(block.core, ghost), block.core))
      for_each_point(part, [&](const point2& p) { visit(block.values[p]); });
}

/// Spoils the ghost cells and returns the result of `fill`.
template <class Fill> std::vector<double> filled_by(level& l, Fill&& fill) {
  for_each_ghost(l, [](double& value) { value = -1; });
  MPI_Barrier(MPI_COMM_WORLD);  // no rank spoils ghost cells that have arrived already
  fill();
  std::vector<double> found;
  for_each_ghost(l, [&](double value) { found.push_back(value); });
  return found;
}

}  // namespace

comparison compare_ghosts(level& l) {
  hand_written_fill by_hand(l);
  comparison result;
  const auto expected = filled_by(l, by_hand), found = filled_by(l, [&] { l.fill_ghosts(); });
  for (std::size_t i = 0; i < found.size(); ++i) result.unlike += found[i] != expected[i] ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &result.unlike, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);

  std::vector<double> ours, theirs;
  for (double spent = 0; ours.empty() || (ours.size() < most_rounds && spent < enough);
       spent += fills * (ours.back() + theirs.back())) {
    ours.push_back(time([&] { l.fill_ghosts(); }));
    theirs.push_back(time(by_hand));
  }
  result.ours = bench::median(ours);
  result.by_hand = bench::median(theirs);
  return result;
}

}  // namespace amr
