#include "wherry/deep/detail/shared_table.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace wherry::deep {

shared_table::shared_table() = default;
shared_table::~shared_table() = default;

void shared_table::add(void* object, std::uintptr_t type, holder who, bool is_array) {
  entries_.push_back({object, type | static_cast<std::uintptr_t>(who) | (is_array ? array : 0)});
}
void shared_table::own(std::uint64_t number, std::shared_ptr<void> owner) { owners_[number] = std::move(owner); }
void shared_table::observe(std::uint64_t number, void* part, void (*visit)(detail::destroyer&, void*)) {
  observed_.push_back({number, part, visit});
}

void shared_table::grow() {
  if (entries_.size() == entries_.capacity()) entries_.reserve(2 * entries_.size() + 16);
  if (observed_.size() == observed_.capacity()) observed_.reserve(2 * observed_.size() + 16);
}
void shared_table::grow_to_owner(std::uint64_t number) { owners_.resize(number + 1); }

void shared_table::set_length(std::uint64_t n) { lengths_[size()] = n; }
extent shared_table::length(std::uint64_t number) const {
  return (entries_[number].type & array) == 0 ? extent{} : extent{lengths_.at(number), true};
}

bool shared_table::all_held() const {
  return std::ranges::none_of(observed_, [this](const auto& x) { return held_by(x.number) == holder::nobody; });
}
bool shared_table::any_only_weakly_held() const {
  return std::ranges::any_of(owners_, [](const auto& owner) { return owner.use_count() == 1; });
}
void shared_table::visit_unheld(detail::destroyer& d) {
  for (const auto& [number, part, visit] : observed_)
    if (held_by(number) == holder::nobody) visit(d, part);
  observed_.clear();
}

}  // namespace wherry::deep
