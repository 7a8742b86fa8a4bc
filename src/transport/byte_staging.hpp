// Memory of the writer's own in which a window is filled before it is copied to the ring in one go. Many small stores
// straight into cache lines that a reader's core still holds would wait for each line in turn; one long copy does not.
#pragma once

#include <cstddef>
#include <memory>

namespace wherry {

class byte_staging {
 public:
  /// Small enough to stay in a core's own cache.
  static constexpr std::size_t capacity = std::size_t{64} << 10;

  std::byte* data() {
    if (!data_) data_ = std::make_unique_for_overwrite<std::byte[]>(capacity);
    return data_.get();
  }

 private:
  std::unique_ptr<std::byte[]> data_;
};

}  // namespace wherry
