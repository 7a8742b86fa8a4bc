#include "wherry/motion/motion_plan.hpp"

namespace wherry {

template <int N> motion<N> motion<N>::reversed() const {
  motion back{to, from, destination, source, {}};
  for (std::size_t d = 0; d < N; ++d) back.axes[static_cast<std::size_t>(axes[d])] = static_cast<std::int8_t>(d);
  return back;
}

template <int N> motion_plan<N> motion_plan<N>::reversed() const {
  motion_plan result;
  result.reserve(size());
  for (const auto& e : entries_) result.add(e.reversed());
  return result;
}

template struct motion<1>;
template class motion_plan<1>;
template struct motion<2>;
template class motion_plan<2>;
template struct motion<3>;
template class motion_plan<3>;
template struct motion<4>;
template class motion_plan<4>;
template struct motion<5>;
template class motion_plan<5>;
template struct motion<6>;
template class motion_plan<6>;

}  // namespace wherry
