#include "particle_memory.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry_python {

memory_block memory_block::of_capacity(std::size_t capacity) {
  constexpr std::align_val_t line{64};
  // A block of no bytes has an address, too.
  const auto wanted = std::max<std::size_t>(capacity, 64);
  auto* const made = static_cast<std::byte*>(::operator new(wanted, line, std::nothrow));
  if (made == nullptr)
    throw wherry::error(wherry::error_kind::resource, "particles",
                        wherry::detail::text("there is no memory for an array of ", wanted, " bytes"));
  return {std::shared_ptr<std::byte[]>(made, [](std::byte* old) { ::operator delete(old, std::align_val_t{64}); }),
          wanted};
}

memory_block memory_pool::take(const std::byte* mine, std::size_t bytes) {
  auto found = blocks_.end();
  for (auto one = blocks_.begin(); one != blocks_.end(); ++one) {
    if (mine != nullptr && one->bytes.get() == mine) {
      found = one;
      break;
    }
    const bool is_free = one->bytes.use_count() == 1;
    if (is_free && one->capacity >= bytes && (found == blocks_.end() || one->capacity < found->capacity)) found = one;
  }
  if (found == blocks_.end()) return memory_block::of_capacity(bytes + bytes / 4);
  auto block = std::move(*found);
  blocks_.erase(found);
  return block;
}

void memory_pool::give(memory_block block) {
  if (block.bytes == nullptr) return;
  blocks_.push_back(std::move(block));
  while (blocks_.size() > most_) {
    // What Python shows stays with Python's arrays; what nobody shows any more, and is too small, is freed first.
    const auto smallest_free = std::ranges::min_element(
        blocks_, {}, [](const memory_block& one) { return std::pair(one.bytes.use_count() > 1, one.capacity); });
    blocks_.erase(smallest_free->bytes.use_count() == 1 ? smallest_free : blocks_.begin());
  }
}

void memory_pool::make_room_for(std::size_t arrays) { most_ = std::max(most_, 2 * arrays); }

nb::object growing_array::shown() const {
  auto kept = std::make_unique<std::shared_ptr<std::byte[]>>(block.bytes);
  const nb::capsule owner(kept.release(),
                          [](void* made) noexcept { delete static_cast<std::shared_ptr<std::byte[]>*>(made); });
  auto* const data = reinterpret_cast<std::uint8_t*>(block.bytes.get());
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {count * element}, owner));
}

std::byte* growing_array::resize(std::size_t elements) {
  if (elements * element > block.capacity) {
    auto larger = memory_block::of_capacity(std::max(elements * element, block.capacity + block.capacity / 2));
    std::memcpy(larger.bytes.get(), block.bytes.get(), count * element);
    block = std::move(larger);
  }
  count = elements;
  return block.bytes.get();
}

const wherry::detail::array_functions growing_array::functions{
    [](const void* array) { return static_cast<const growing_array*>(array)->count; },
    [](void* array) { return static_cast<growing_array*>(array)->block.bytes.get(); },
    [](void* array, std::size_t elements) { return static_cast<growing_array*>(array)->resize(elements); }};

}  // namespace wherry_python
