// Memory of the writer's own in which a window is filled before it is copied to the ring in one go. Many small stores
// straight into cache lines that a reader's core still holds wait for each line in turn; the wide stores of one long
// copy fetch many at once.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

#include "byte_window.hpp"

namespace wherry {

class byte_staging {
 public:
  /// Stays in a core's own cache.
  static constexpr std::size_t capacity = std::size_t{64} << 10;

  std::byte* data() {
    if (!data_) data_ = std::make_unique_for_overwrite<std::byte[]>(capacity);
    return data_.get();
  }
  void copy_to(byte_window& window, std::size_t bytes) const { std::memcpy(window.data, data_.get(), bytes); }

 private:
  std::unique_ptr<std::byte[]> data_;
};

}  // namespace wherry
