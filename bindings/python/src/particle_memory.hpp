// Memory for the arrays of particles, which grows, and which arrays of Python may keep.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <deque>
#include <memory>

#include "wherry/particles/particle_arrays.hpp"

namespace wherry_python {

namespace nb = nanobind;

/// A piece of memory. Each array of Python that shows it has a copy of `bytes`, so that it stays as long as that array.
struct memory_block {
  std::shared_ptr<std::byte[]> bytes{};
  std::size_t capacity = 0;

  /// @throws error(resource)
  static memory_block of_capacity(std::size_t capacity);
};

/// The blocks that calls have used and will use again. All functions need the GIL.
class memory_pool {
 public:
  /// A block that no array of Python shows. If `mine` is not null, and is the first byte of a block, it is that block.
  memory_block take(const std::byte* mine, std::size_t bytes);
  void give(memory_block block);
  /// The pool keeps the blocks of the last two calls with this number of arrays.
  void make_room_for(std::size_t arrays);

 private:
  std::deque<memory_block> blocks_{};  // the one that was given last is the last
  std::size_t most_ = 2;
};

/// One array in a block, as the library sees it.
struct growing_array {
  memory_block block{};
  std::size_t count = 0, element = 1;

  /// The array as one of Python's, of bytes, which keeps the block. Needs the GIL.
  nb::object shown() const;
  static const wherry::detail::array_functions functions;

 private:
  std::byte* resize(std::size_t elements);
};

}  // namespace wherry_python
