#include "rearrange.hpp"

#include <algorithm>
#include <cstring>

namespace wherry::particles {

void new_order::make(particle_order how, std::size_t count, std::span<const std::size_t> leavers,
                     std::size_t arriving) {
  how_ = how;
  before_ = count;
  leavers_ = leavers;
  arriving_ = arriving;
  count_ = count - leavers.size() + arriving;
  copies_.clear();
  if (how == particle_order::stable || arriving >= leavers.size()) return;
  // Holes that no arrival fills get the last particles that stay.
  auto last = count, left = leavers.size();
  for (auto k = arriving; k < leavers.size() && leavers[k] < count_; ++k) {
    --last;
    while (left > 0 && leavers[left - 1] == last) {
      --left;
      --last;
    }
    copies_.push_back({last, leavers[k]});
  }
}

std::size_t new_order::place_of_arrival(std::size_t k) const {
  const auto staying = before_ - leavers_.size();
  if (how_ == particle_order::stable) return staying + k;
  return k < leavers_.size() ? leavers_[k] : staying + k;
}

void new_order::append_sources(std::vector<index_t>& sources) const {
  const auto first = first_changed(), begin = sources.size();
  sources.resize(begin + count_ - first);
  const auto at = [&](std::size_t place) -> index_t& { return sources[begin + place - first]; };
  if (how_ == particle_order::stable) {
    auto next = first;
    for (std::size_t i = first, k = 0; i < before_; ++i) {
      if (k < leavers_.size() && leavers_[k] == i)
        ++k;
      else
        at(next++) = static_cast<index_t>(i);
    }
  } else {
    for (auto i = first; i < std::min(before_, count_); ++i) at(i) = static_cast<index_t>(i);
    for (const auto& one : copies_) at(one.to) = static_cast<index_t>(one.from);
  }
  for (std::size_t k = 0; k < arriving_; ++k) at(place_of_arrival(k)) = -1 - static_cast<index_t>(k);
}

void new_order::close_up(std::byte* array, std::size_t bytes) const {
  auto* to = array + first_changed() * bytes;
  for (std::size_t k = 0; k < leavers_.size(); ++k) {
    const auto begin = leavers_[k] + 1, end = k + 1 < leavers_.size() ? leavers_[k + 1] : before_;
    if (end > begin) std::memmove(to, array + begin * bytes, (end - begin) * bytes);
    to += (end - begin) * bytes;
  }
}

void new_order::apply(const particle_column& column, std::size_t offset, const arrived_rows& arrived) const {
  const auto bytes = column.bytes;
  auto* array = column.data();
  if (how_ == particle_order::stable) close_up(array, bytes);
  if (count_ > before_) array = column.resize(count_);
  with_bytes(bytes, [&](auto size) {
    for (const auto& one : copies_) std::memcpy(array + one.to * size, array + one.from * size, size);
    for (std::size_t k = 0; k < arriving_; ++k)
      std::memcpy(array + place_of_arrival(k) * size, arrived.rows + arrived.places[k] + offset, size);
  });
  if (count_ < before_) column.resize(count_);
}

}  // namespace wherry::particles
