/// @file
/// Memory that is freed all at once: by far the fastest place for a structure to arrive in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace wherry::deep {

/// Gives memory and takes none back before `clear`. Not thread safe.
///
/// A structure read into an arena lies there object by object, and its objects are never destroyed one by one. What its
/// ordinary containers and smart pointers own is memory of theirs as always; they are destroyed when the arena is
/// cleared. Containers with a `std::pmr` allocator take their memory from the arena. So a class whose destructor frees
/// what its raw pointers point to must not be read into an arena.
class arena final : public std::pmr::memory_resource {
 public:
  /// @param first_block bytes of the first block; blocks grow from there
  explicit arena(std::size_t first_block = std::size_t{64} << 10);
  ~arena() override;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// @throws std::bad_alloc
  void* take(std::size_t bytes, std::size_t alignment) {
    const auto at = (at_ + alignment - 1) & ~(static_cast<std::uintptr_t>(alignment) - 1);
    if (at < at_ || at > end_ || end_ - at < bytes) return take_slowly(bytes, alignment);
    at_ = at + bytes;
    return reinterpret_cast<void*>(at);
  }

  /// Calls `destroy(object)` when the arena is cleared.
  void destroy_later(void* object, void (*destroy)(void*)) { owners_.push_back({object, destroy}); }
  /// After this the next `destroy_later` cannot fail. @throws std::bad_alloc
  void make_room_for_owner() {
    if (owners_.size() == owners_.capacity()) owners_.reserve(2 * owners_.size() + 16);
  }

  /// Everything in it is gone. The blocks stay, for the next structure.
  void clear();
  /// The same, and the blocks are given back.
  void release();

  /// Bytes of its blocks.
  std::size_t capacity() const;

 private:
  struct block {
    std::byte* data;
    std::size_t bytes;
  };
  struct owner {
    void* object;
    void (*destroy)(void*);
  };

  void* take_slowly(std::size_t bytes, std::size_t alignment);
  void use(const block& which);
  void destroy_owners();

  void* do_allocate(std::size_t bytes, std::size_t alignment) override { return take(bytes, alignment); }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::uintptr_t at_ = 0, end_ = 0;
  std::vector<block> blocks_;
  std::size_t used_ = 0, next_bytes_;  // the first `used_` blocks are in use
  std::vector<owner> owners_;
};

}  // namespace wherry::deep
