/// @file
/// An arena: memory that is freed all at once, and by far the fastest place for a structure to arrive in.
///
///     wherry::deep::arena memory;
///     double* values = nullptr;
///     int n = 0;
///     wherry::deep::bcast(comm, wherry::deep::array(values, n), 0, {.arena = &memory});
///     memory.clear();  // the array is gone; the memory is kept for the next structure
///
/// Without an arena each object comes from `new`: choose that if objects must be freed one by one, or must live longer
/// than the rest of the structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace wherry::deep {

/// Hands out memory and takes none of it back before `clear`. Not thread safe.
///
/// A structure that is read into an arena lies there object by object, and its objects are never destroyed one by one.
/// Ordinary containers and smart pointers in it own memory outside the arena, and are destroyed when the arena is
/// cleared. Containers with a `std::pmr` allocator take their memory from the arena. A class that frees the objects of
/// its raw pointers in its destructor must not be read into an arena.
class arena final : public std::pmr::memory_resource {
 public:
  /// @param first_block bytes of the first block; later blocks are larger
  explicit arena(std::size_t first_block = std::size_t{64} << 10);
  ~arena() override;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// Returns `bytes` of memory with this alignment, a power of two.
  /// @throws std::bad_alloc
  void* take(std::size_t bytes, std::size_t alignment) {
    const auto at = (at_ + alignment - 1) & ~(static_cast<std::uintptr_t>(alignment) - 1);
    if (at < at_ || at > end_ || end_ - at < bytes) return take_slowly(bytes, alignment);
    at_ = at + bytes;
    return reinterpret_cast<void*>(at);
  }

  /// Calls `destroy(object)` when the arena is cleared.
  void destroy_later(void* object, void (*destroy)(void*)) { owners_.push_back({object, destroy}); }
  /// Makes room, so that the next call of `destroy_later` cannot fail.
  /// @throws std::bad_alloc
  void make_room_for_owner() {
    if (owners_.size() == owners_.capacity()) owners_.reserve(2 * owners_.size() + 16);
  }

  /// Ends the life of everything in the arena. The arena keeps its memory for the next structure.
  void clear();
  /// As `clear`, and gives the memory back to the system.
  void release();

  /// The memory that the arena holds, used or not, in bytes.
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

/// Options of `unpack`.
struct read_options {
  /// The arena in which objects behind raw pointers are made. Null: each is made by itself, for `delete`.
  deep::arena* arena = nullptr;
};

}  // namespace wherry::deep
