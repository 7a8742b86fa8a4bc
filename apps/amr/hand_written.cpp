#include "hand_written.hpp"

#include <algorithm>
#include <tuple>

namespace amr {

hand_written_fill::message& hand_written_fill::to_peer(std::vector<message>& list, int peer) {
  const auto found = std::find_if(list.begin(), list.end(), [peer](const auto& m) { return m.peer == peer; });
  return found != list.end() ? *found : list.emplace_back(message{peer, {}, {}});
}

hand_written_fill::hand_written_fill(level& l) : comm_(l.u.comm().users_handle()) {
  const int me = l.u.comm().rank();
  const auto motion = halo_motion(l.plan(), wherry::halo_widths<2>(ghost), l.space).plan(me);
  std::vector<wherry::motion<2>> entries(motion.begin(), motion.end());
  // Both sides of a message use this order.
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.to, a.from, a.destination.lower, a.source.lower) <
           std::tie(b.to, b.from, b.destination.lower, b.source.lower);
  });
  const auto rows_of = [&](int number, const box2& section) {
    const auto& values = l.u[number];
    return rows{&values[section.lower], section.extent(0), section.extent(1), values.strides()[1]};
  };
  for (const auto& e : entries) {
    const int from = l.plan().owner(e.from), to = l.plan().owner(e.to);
    if (from == me && to == me)
      copies_.push_back({rows_of(e.from, e.source), rows_of(e.to, e.destination)});
    else if (from == me)
      to_peer(sends_, to).parts.push_back(rows_of(e.from, e.source));
    else if (to == me)
      to_peer(receives_, from).parts.push_back(rows_of(e.to, e.destination));
  }
  for (auto* list : {&sends_, &receives_})
    for (auto& m : *list)
      for (const auto& part : m.parts)
        m.buffer.resize(m.buffer.size() + static_cast<std::size_t>(part.length * part.count));
  requests_.resize(sends_.size() + receives_.size());
}

void hand_written_fill::operator()() {
  constexpr int tag = 7;
  auto* request = requests_.data();
  for (auto& m : receives_)
    MPI_Irecv(m.buffer.data(), static_cast<int>(m.buffer.size()), MPI_DOUBLE, m.peer, tag, comm_, request++);
  for (auto& m : sends_) {
    auto* to = m.buffer.data();
    for (const auto& part : m.parts)
      for (index_t j = 0; j < part.count; ++j) to = std::copy_n(part.first + j * part.stride, part.length, to);
    MPI_Isend(m.buffer.data(), static_cast<int>(m.buffer.size()), MPI_DOUBLE, m.peer, tag, comm_, request++);
  }
  for (const auto& [from, to] : copies_)
    for (index_t j = 0; j < from.count; ++j)
      std::copy_n(from.first + j * from.stride, from.length, to.first + j * to.stride);
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (const auto& m : receives_) {
    const auto* from = m.buffer.data();
    for (const auto& part : m.parts)
      for (index_t j = 0; j < part.count; ++j, from += part.length)
        std::copy_n(from, part.length, part.first + j * part.stride);
  }
}

}  // namespace amr
