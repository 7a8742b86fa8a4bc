#include "wherry/blocks/motion_plan.hpp"

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

template class motion_plan<1>;
template class motion_plan<2>;
template class motion_plan<3>;
template class motion_plan<4>;
template class motion_plan<5>;
template class motion_plan<6>;

}  // namespace wherry
