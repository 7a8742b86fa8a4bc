#include "wherry/motion/index_motion_plan.hpp"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace wherry::detail {
namespace {

std::string rank_name(int owner) { return owner < 0 ? "rank ?" : "rank " + std::to_string(owner); }

std::string count_of(index_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

bool same_owners(const counted_motion& a, const counted_motion& b) {
  return a.from_owner == b.from_owner && a.to_owner == b.to_owner;
}

}  // namespace

std::string explain_motions(std::vector<counted_motion> entries, int most_rows) {
  std::stable_sort(entries.begin(), entries.end(), [](const counted_motion& a, const counted_motion& b) {
    return std::tie(a.from_owner, a.to_owner) < std::tie(b.from_owner, b.to_owner);
  });
  index_t all = 0, local = 0;
  for (const auto& e : entries) {
    all += e.points;
    if (e.from_owner == e.to_owner) local += e.points;
  }
  std::ostringstream out;
  out << "motion plan: " << count_of(std::ssize(entries), "entry", "entries") << ", "
      << count_of(all, "point", "points") << ", " << local << " of them between parts of one rank\n";
  index_t rows = 0;
  for (auto first = entries.begin(); first != entries.end();) {
    const auto last = std::find_if_not(first, entries.end(), [&](const auto& e) { return same_owners(e, *first); });
    index_t points = 0;
    for (auto e = first; e != last; ++e) points += e->points;
    out << rank_name(first->from_owner) << " → " << rank_name(first->to_owner) << ": "
        << count_of(last - first, "entry", "entries") << ", " << count_of(points, "point", "points") << '\n';
    for (; first != last; ++first)
      if (++rows <= most_rows)
        out << "  part " << first->from << " → part " << first->to << ": " << count_of(first->points, "point", "points")
            << '\n';
  }
  if (rows > most_rows) out << "  … and " << rows - most_rows << " more\n";
  return out.str();
}

}  // namespace wherry::detail
