#include "wherry/blocks/motion_plan.hpp"

#include <map>
#include <sstream>
#include <utility>

namespace wherry {

template <int N> motion_plan<N> motion_plan<N>::reversed() const {
  motion_plan result;
  result.reserve(size());
  for (const auto& e : entries_) {
    auto back = e;
    std::swap(back.from, back.to);
    std::swap(back.source, back.destination);
    for (std::size_t d = 0; d < N; ++d) back.axes[static_cast<std::size_t>(e.axes[d])] = static_cast<std::int8_t>(d);
    result.add(back);
  }
  return result;
}

namespace {

template <int N> std::string text_of(const box<N>& b) {
  std::ostringstream out;
  out << '[';
  for (std::size_t d = 0; d < N; ++d) out << (d > 0 ? "," : "") << b.lower[d] << ':' << b.upper[d];
  out << ')';
  return out.str();
}

}  // namespace

template <int N>
std::string motion_plan<N>::explain(const floor_plan<N>& source, const floor_plan<N>& destination) const {
  std::map<std::pair<int, int>, std::vector<const motion<N>*>> by_owners;
  for (const auto& e : entries_) by_owners[{source.owner(e.from), destination.owner(e.to)}].push_back(&e);
  std::ostringstream out;
  out << "motion plan: " << size() << " entries\n";
  for (const auto& [owners, list] : by_owners) {
    index_t points = 0;
    for (const auto* e : list) points += e->destination.size();
    out << "rank " << owners.first << " → rank " << owners.second << ": " << list.size() << " entries, " << points
        << " points\n";
    for (const auto* e : list)
      out << "  box " << e->from << ' ' << text_of(e->source) << " → box " << e->to << ' ' << text_of(e->destination)
          << '\n';
  }
  return out.str();
}

template class motion_plan<1>;
template class motion_plan<2>;
template class motion_plan<3>;
template class motion_plan<4>;
template class motion_plan<5>;
template class motion_plan<6>;

}  // namespace wherry
