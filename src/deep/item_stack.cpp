#include "wherry/deep/detail/item_stack.hpp"

#include <cstring>

#include "wherry/core/allocation.hpp"

namespace wherry::deep {

item_memory::item_memory() = default;
item_memory::~item_memory() = default;

std::size_t item_memory::bytes() const { return capacity_ * sizeof(pending<any_side>); }

void item_memory::grow() {
  const auto capacity = capacity_ == 0 ? std::size_t{64} : 2 * capacity_;
  const auto bytes = capacity * sizeof(pending<any_side>);
  auto items = wherry::detail::allocating("deep copy", "the stack of objects to be copied", bytes,
                                          [=] { return std::make_unique_for_overwrite<std::byte[]>(bytes); });
  if (size_ > 0) std::memcpy(items.get(), items_.get(), size_ * sizeof(pending<any_side>));
  items_ = std::move(items);
  capacity_ = capacity;
}

}  // namespace wherry::deep
