#include "wherry/deep/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "core/large_page.hpp"

namespace wherry::deep {
namespace {

constexpr std::size_t largest_step = std::size_t{64} << 20;

std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t{bytes < large_page ? 64 : large_page}; }

}  // namespace

arena::arena(std::size_t first_block) : next_bytes_(std::max<std::size_t>(first_block, 256)) {}

arena::~arena() { release(); }

void arena::use(const block& which) {
  at_ = reinterpret_cast<std::uintptr_t>(which.data);
  end_ = at_ + which.bytes;
}

void* arena::take_slowly(std::size_t bytes, std::size_t alignment) {
  if (bytes > static_cast<std::size_t>(-1) / 2 - alignment) throw std::bad_alloc();
  const std::size_t need = bytes + alignment;
  // A block that is too small for this request stays unused until the next `clear`.
  while (used_ < blocks_.size() && blocks_[used_].bytes < need) ++used_;
  if (used_ == blocks_.size()) {
    std::size_t size = std::max(next_bytes_, need);
    if (size >= large_page) size = (size + large_page - 1) / large_page * large_page;
    blocks_.reserve(blocks_.size() + 1);
    auto* data = static_cast<std::byte*>(::operator new(size, alignment_of(size)));
    // First touches of pages cost more than the copying: few large pages are better than many small ones, if the system
    // has them.
    if (size >= large_page) (void)::madvise(data, size, MADV_HUGEPAGE);
    blocks_.push_back({data, size});
    next_bytes_ = std::min(4 * next_bytes_, largest_step);
  }
  use(blocks_[used_++]);
  const auto at = (at_ + alignment - 1) & ~(static_cast<std::uintptr_t>(alignment) - 1);
  at_ = at + bytes;
  return reinterpret_cast<void*>(at);
}

void arena::destroy_owners() {
  for (const auto& [object, destroy] : owners_) destroy(object);
  owners_.clear();
}

void arena::clear() {
  destroy_owners();
  used_ = 0;
  at_ = end_ = 0;
}

void arena::release() {
  clear();
  for (const block& b : blocks_) ::operator delete(b.data, alignment_of(b.bytes));
  blocks_.clear();
}

std::size_t arena::capacity() const {
  std::size_t bytes = 0;
  for (const block& b : blocks_) bytes += b.bytes;
  return bytes;
}

}  // namespace wherry::deep
