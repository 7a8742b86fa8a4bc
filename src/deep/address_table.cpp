#include "wherry/deep/address_table.hpp"

#include <utility>

#include "wherry/core/allocation.hpp"

namespace wherry::deep {

void detail::address_table::grow() {
  const std::size_t before = slots_, after = before == 0 ? 64 : 2 * before;
  wherry::detail::zeroed_memory larger =
      wherry::detail::allocating("deep copy", "the map of shared objects", after * sizeof(entry),
                                 [=] { return wherry::detail::zeroed_memory(after * sizeof(entry)); });
  const wherry::detail::zeroed_memory smaller = std::exchange(memory_, std::move(larger));
  const auto* const old = reinterpret_cast<const entry*>(smaller.data());
  slots_ = after;
  shift_ = before == 0 ? 58 : shift_ - 1;
  for (std::size_t i = 0; i < before; ++i)
    if (old[i].key != nullptr) entry_of(old[i].key) = old[i];
}

}  // namespace wherry::deep
