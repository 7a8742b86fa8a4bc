#include "wherry/blocks/floor_plan.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/geometry/box_calculus.hpp"

namespace wherry {
namespace {

[[noreturn]] void fail(std::string_view what) { throw error(error_kind::argument, "floor_plan", what); }

void check_owners(const owner_map& owners, std::size_t boxes) {
  if (owners.size() != boxes) fail(text("there are ", boxes, " boxes but ", owners.size(), " owners"));
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0) fail(text("box ", i, " has owner ", owners[i]));
}

}  // namespace

template <int N>
floor_plan<N>::floor_plan(std::vector<box<N>> boxes, owner_map owners)
    : table_(std::make_shared<table>(table{0, {}, std::move(boxes), std::move(owners)})) {
  check_owners(table_->owners, table_->boxes.size());
}

template <int N>
floor_plan<N>::floor_plan(int total, std::vector<int> numbers, std::vector<box<N>> boxes, owner_map owners)
    : table_(std::make_shared<table>(table{total, std::move(numbers), std::move(boxes), std::move(owners)})) {
  check_owners(table_->owners, table_->boxes.size());
  const auto& listed = table_->numbers;
  if (listed.size() != table_->boxes.size())
    fail(text("there are ", table_->boxes.size(), " boxes but ", listed.size(), " numbers"));
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const int before = i == 0 ? -1 : listed[i - 1];
    if (listed[i] <= before || listed[i] >= total)
      fail(text("number ", listed[i], " follows ", before, " among ", total, " boxes"));
  }
}

/// A table that no other handle sees.
template <int N> auto floor_plan<N>::own_table() -> table& {
  if (table_.use_count() > 1) table_ = std::make_shared<table>(*table_);
  return *table_;
}

template <int N> void floor_plan<N>::add(const box<N>& cells, int owner) {
  if (!complete()) fail("a box was added to a partial floor plan");
  if (owner < 0) fail(text("box ", known(), " has owner ", owner));
  auto& mine = own_table();
  mine.boxes.push_back(cells);
  mine.owners.push_back(owner);
}

template <int N> int floor_plan<N>::place_of(int number) const {
  if (complete()) return number >= 0 && number < known() ? number : -1;
  const auto& listed = table_->numbers;
  const auto found = std::lower_bound(listed.begin(), listed.end(), number);
  return found == listed.end() || *found != number ? -1 : static_cast<int>(found - listed.begin());
}

template <int N> std::size_t floor_plan<N>::checked_place(int number) const {
  const int place = place_of(number);
  if (place < 0)
    fail(number < 0 || number >= size() ? text("box ", number, " of ", size(), " was asked for")
                                        : text("box ", number, " is not known to this rank's part of the plan"));
  return static_cast<std::size_t>(place);
}

template <int N> std::vector<int> floor_plan<N>::owned_by(int rank) const {
  std::vector<int> mine;
  for (int place = 0; place < known(); ++place)
    if (table_->owners[static_cast<std::size_t>(place)] == rank) mine.push_back(number_of(place));
  return mine;
}

template <int N> floor_plan<N> floor_plan<N>::transformed(const std::function<box<N>(const box<N>&)>& change) const {
  floor_plan result = *this;
  for (auto& b : result.own_table().boxes) b = change(b);
  return result;
}

template <int N> box<N> floor_plan<N>::bounding_box() const {
  box<N> result;
  for (const auto& b : table_->boxes) result = wherry::bounding_box(result, b);
  return result;
}

template class floor_plan<1>;
template class floor_plan<2>;
template class floor_plan<3>;
template class floor_plan<4>;
template class floor_plan<5>;
template class floor_plan<6>;

}  // namespace wherry
