// Prints floor plans and motion plans as readable tables.
#include <algorithm>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>

#include "wherry/motion/motion_plan.hpp"

#include "text_of_box.hpp"

namespace wherry {
namespace {

std::string count_of(index_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

/// Limits the rows of a table, and prints how many are left out.
class row_limit {
 public:
  explicit row_limit(int most) : left_(most) {}
  bool take() { return left_-- > 0; }
  void say_rest(std::ostream& out) const {
    if (left_ < 0) out << "  … and " << -left_ << " more\n";
  }

 private:
  index_t left_;
};

constexpr int unknown_owner = -1;

template <int N> int owner_or_unknown(const floor_plan<N>& plan, int number) {
  const int place = plan.place_of(number);
  return place < 0 ? unknown_owner : plan.owners()[static_cast<std::size_t>(place)];
}

std::string rank_name(int owner) { return owner == unknown_owner ? "rank ?" : "rank " + std::to_string(owner); }

/// The share of one rank.
struct holding {
  int boxes = 0;
  index_t cells = 0;
};

template <int N> std::map<int, holding> holdings_of(const floor_plan<N>& plan) {
  std::map<int, holding> by_owner;
  for (int place = 0; place < plan.known(); ++place) {
    auto& mine = by_owner[plan.owners()[static_cast<std::size_t>(place)]];
    ++mine.boxes;
    mine.cells += plan.boxes()[static_cast<std::size_t>(place)].size();
  }
  return by_owner;
}

/// The mean is over all ranks up to the highest one that owns a box, since the number of ranks is not known here.
void explain_loads(std::ostream& out, const std::map<int, holding>& by_owner, int most_rows) {
  if (by_owner.empty()) return;
  const int ranks = by_owner.rbegin()->first + 1;
  index_t cells = 0, largest = 0;
  for (const auto& [owner, held] : by_owner) {
    cells += held.cells;
    largest = std::max(largest, held.cells);
  }
  const double mean = static_cast<double>(cells) / ranks;
  const auto over_mean = [mean](index_t load) { return mean > 0 ? static_cast<double>(load) / mean : 1.0; };
  out << std::setw(6) << "rank" << std::setw(8) << "boxes" << std::setw(14) << "cells" << "  over the mean\n";
  row_limit rows(most_rows);
  for (const auto& [owner, held] : by_owner)
    if (rows.take())
      out << std::setw(6) << owner << std::setw(8) << held.boxes << std::setw(14) << held.cells << std::setw(15)
          << over_mean(held.cells) << '\n';
  rows.say_rest(out);
  const auto idle = ranks - static_cast<int>(by_owner.size());
  out << "imbalance " << over_mean(largest) << ": the largest rank over the mean of "
      << count_of(ranks, "rank", "ranks");
  if (idle > 0) out << ", " << idle << " of which own none";
  out << '\n';
}

}  // namespace

template <class Part>
std::string basic_floor_plan<Part>::explain(int most_rows) const
  requires of_boxes
{
  std::ostringstream out;
  out << std::fixed << std::setprecision(3);
  const auto by_owner = holdings_of(*this);
  index_t cells = 0;
  for (const auto& [owner, held] : by_owner) cells += held.cells;
  out << "floor plan: " << count_of(size(), "box", "boxes");
  if (!complete()) out << ", " << known() << " of them known here";
  out << ", " << count_of(cells, "cell", "cells") << " in " << detail::text_of(bounding_box()) << '\n';
  out << std::setw(6) << "box" << std::setw(8) << "owner" << std::setw(14) << "cells" << "  from:to\n";
  row_limit rows(most_rows);
  for (int place = 0; place < known(); ++place)
    if (rows.take())
      out << std::setw(6) << number_of(place) << std::setw(8) << table_->owners[static_cast<std::size_t>(place)]
          << std::setw(14) << table_->parts[static_cast<std::size_t>(place)].size() << "  "
          << detail::text_of(table_->parts[static_cast<std::size_t>(place)]) << '\n';
  rows.say_rest(out);
  explain_loads(out, by_owner, most_rows);
  return out.str();
}

template <int N>
std::string motion_plan<N>::explain(const floor_plan<N>& source, const floor_plan<N>& destination,
                                    int most_rows) const {
  std::map<std::pair<int, int>, std::vector<const motion<N>*>> by_owners;
  index_t all = 0, local = 0;
  for (const auto& e : entries_) {
    const std::pair owners(owner_or_unknown(source, e.from), owner_or_unknown(destination, e.to));
    by_owners[owners].push_back(&e);
    all += e.destination.size();
    if (owners.first == owners.second) local += e.destination.size();
  }
  std::ostringstream out;
  out << "motion plan: " << count_of(static_cast<index_t>(size()), "entry", "entries") << ", "
      << count_of(all, "point", "points") << ", " << local << " of them between boxes of one rank\n";
  row_limit rows(most_rows);
  for (const auto& [owners, list] : by_owners) {
    index_t points = 0;
    for (const auto* e : list) points += e->destination.size();
    out << rank_name(owners.first) << " → " << rank_name(owners.second) << ": "
        << count_of(static_cast<index_t>(list.size()), "entry", "entries") << ", "
        << count_of(points, "point", "points") << '\n';
    for (const auto* e : list) {
      if (!rows.take()) continue;
      out << "  box " << e->from << ' ' << detail::text_of(e->source) << " → box " << e->to << ' '
          << detail::text_of(e->destination);
      if (e->axes != same_axes<N>()) {
        out << ", along source axes";
        for (const int axis : e->axes) out << ' ' << axis;
      }
      out << '\n';
    }
  }
  rows.say_rest(out);
  return out.str();
}

#define WHERRY_EXPLAIN(N)                                 \
  template std::string floor_plan<N>::explain(int) const; \
  template std::string motion_plan<N>::explain(const floor_plan<N>&, const floor_plan<N>&, int) const;
WHERRY_EXPLAIN(1)
WHERRY_EXPLAIN(2)
WHERRY_EXPLAIN(3)
WHERRY_EXPLAIN(4)
WHERRY_EXPLAIN(5)
WHERRY_EXPLAIN(6)
#undef WHERRY_EXPLAIN

}  // namespace wherry
