#include "circumstances.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "choices.hpp"
#include "harness/listed_blocks.hpp"
#include "harness/neighbors.hpp"

namespace tuning {
namespace {

using bench::standing;
using wherry::collective::kind;
using wherry::collective::detail::is_clearly_faster;

/// The contenders that were timed together in one circumstance, for one size.
struct cell {
  int bytes;
  std::vector<standing> all;

  double ratio(const std::string& name) const {
    return in_race(name) ? bench::median(of(all, name).us) / bench::median(of(all, "MPI").us) : 1;
  }
  bool is_faster(const std::string& name) const {
    return in_race(name) && is_clearly_faster(of(all, name).us, of(all, "MPI").us);
  }
  bool is_slower(const std::string& name) const {
    return in_race(name) && is_clearly_faster(of(all, "MPI").us, of(all, name).us);
  }

 private:
  /// False for an implementation that cannot do the call, because MPI does it then.
  bool in_race(const std::string& name) const {
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  }
};

/// Calls `visit(comm, lengths)` for each circumstance.
template <class Visit> void for_each_circumstance(kind what, Visit&& visit) {
  if (!bench::collective::is_timed_among_neighbors(what)) {
    for (const auto how : bench::collective::all_lengths) visit(MPI_COMM_WORLD, how);
    return;
  }
  for (const auto& topology : bench::collective::topology_names) {
    MPI_Comm comm = bench::collective::with_topology(topology, MPI_COMM_WORLD);
    visit(comm, bench::collective::lengths::even);
    MPI_Comm_free(&comm);
  }
}

std::vector<cell> race(kind what, const std::vector<int>& sizes, const std::vector<std::string>& names,
                       double seconds) {
  std::vector<cell> cells;
  for_each_circumstance(what, [&](MPI_Comm comm, bench::collective::lengths how) {
    for (const int bytes : sizes)
      cells.push_back(
          {bytes, bench::collective::race(what, comm, static_cast<std::size_t>(bytes), names, seconds, how)});
  });
  return cells;
}

/// Several races over all circumstances and sizes.
using races = std::vector<std::vector<cell>>;

/// The median ratio at one place over all races.
double ratio_in(const races& all, std::size_t place, const std::string& name) {
  std::vector<double> ratios;
  for (const auto& cells : all) ratios.push_back(cells[place].ratio(name));
  return bench::median(ratios);
}

template <class Holds> bool in_most(const races& all, const Holds& holds) {
  return 2 * static_cast<std::size_t>(std::count_if(all.begin(), all.end(), holds)) > all.size();
}

/// @param bytes the only size that counts; 0: all sizes count
double mean_ratio(const races& all, const std::string& name, int bytes = 0) {
  double logarithms = 0;
  int cells = 0;
  for (std::size_t place = 0; place < all.front().size(); ++place) {
    if (bytes != 0 && all.front()[place].bytes != bytes) continue;
    logarithms += std::log(ratio_in(all, place, name));
    ++cells;
  }
  return std::exp(logarithms / cells);
}

bool is_worth_it(const races& all, const std::string& name) {
  if (mean_ratio(all, name) >= 1) return false;
  for (std::size_t place = 0; place < all.front().size(); ++place)
    if (in_most(all, [&](const auto& cells) { return cells[place].is_faster(name); })) return true;
  return false;
}

/// A place counts as slow only if most races agree, because among two dozen places one may seem slow by chance in one
/// race.
bool is_slower_somewhere(const races& all, const std::string& name) {
  constexpr double too_slow = 1.1;  // however much it scatters
  for (std::size_t place = 0; place < all.front().size(); ++place)
    if (ratio_in(all, place, name) > too_slow ||
        in_most(all, [&](const auto& cells) { return cells[place].is_slower(name); }))
      return true;
  return false;
}

std::vector<std::string> promising(const races& all, std::size_t most) {
  std::vector<std::string> names;
  for (const auto& row : wherry::collective::implementations_there_are())
    if (is_a_choice(std::string(row.name)) && is_worth_it(all, std::string(row.name))) names.emplace_back(row.name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return mean_ratio(all, a) < mean_ratio(all, b); });
  if (names.size() > most) names.resize(most);
  return names;
}

std::string best_of(kind what, const std::vector<int>& sizes, double seconds, races& all) {
  all.push_back(race(what, sizes, {}, seconds));
  auto names = promising(all, 3);
  if (names.empty()) return "mpi";
  for (int more = 0; more < 2; ++more) all.push_back(race(what, sizes, names, seconds));
  std::erase_if(names, [&](const auto& one) { return !is_worth_it(all, one) || is_slower_somewhere(all, one); });
  const auto best = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return mean_ratio(all, a) < mean_ratio(all, b);
  });
  return best == names.end() ? "mpi" : *best;
}

}  // namespace

std::string best_in_all_circumstances(kind what, const std::vector<int>& sizes, double seconds,
                                      std::vector<finding>& found) {
  races all;
  const auto best = best_of(what, sizes, seconds, all);
  for (const int bytes : sizes) found.push_back({what, bytes, best, best == "mpi" ? 1 : mean_ratio(all, best, bytes)});
  return best;
}

}  // namespace tuning
