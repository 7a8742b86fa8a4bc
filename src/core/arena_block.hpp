// Owns a piece of a node arena.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "wherry/core/communicator.hpp"
#include "wherry/core/node_arena.hpp"

namespace wherry {

class arena_block {
 public:
  arena_block() = default;
  arena_block(const communicator& comm, std::size_t bytes,
              detail::arena_contents what = detail::arena_contents::anything)
      : arena_(comm.arena()), data_(static_cast<std::byte*>(arena_->allocate(bytes, 64, what))) {}
  arena_block(arena_block&& other) noexcept : arena_(other.arena_), data_(std::exchange(other.data_, nullptr)) {}
  arena_block& operator=(arena_block&& other) noexcept {
    std::swap(arena_, other.arena_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~arena_block() {
    if (data_ != nullptr) arena_->deallocate(data_);
  }

  /// Gives the memory back later, once `released` says that no other rank reads it any more.
  void retire(std::function<bool()> released, std::shared_ptr<const void> keep = nullptr) {
    if (data_ != nullptr) arena_->retire(std::exchange(data_, nullptr), std::move(released), std::move(keep));
  }

  std::byte* data() const { return data_; }
  std::size_t offset() const { return *arena_->offset_of(data_); }

 private:
  detail::node_arena* arena_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace wherry
