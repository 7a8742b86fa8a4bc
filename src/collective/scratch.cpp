#include "scratch.hpp"

#include <algorithm>
#include <mutex>
#include <new>

namespace wherry::collective {
namespace {

constexpr std::align_val_t cache_line{64};
constexpr std::size_t most_pieces = 32, least_bytes = 4096;

}  // namespace

scratch_pool::scratch_pool() { free_.reserve(most_pieces); }

scratch_pool::~scratch_pool() {
  for (const auto& one : free_) ::operator delete(one.memory, cache_line);
}

scratch scratch_pool::take(std::size_t bytes) {
  {
    const std::lock_guard mine(guard_);
    auto best = free_.end();
    for (auto one = free_.begin(); one != free_.end(); ++one)
      if (one->bytes >= bytes && (best == free_.end() || one->bytes < best->bytes)) best = one;
    if (best != free_.end()) {
      const auto found = *best;
      *best = free_.back();
      free_.pop_back();
      return {*this, found.memory, found.bytes};
    }
  }
  std::size_t whole = least_bytes;
  while (whole < bytes) whole += whole / 2;
  return {*this, static_cast<std::byte*>(::operator new(whole, cache_line)), whole};
}

void scratch_pool::give_back(std::byte* memory, std::size_t bytes) noexcept {
  piece goes{memory, bytes};
  {
    const std::lock_guard mine(guard_);
    if (free_.size() < most_pieces) return free_.push_back(goes);
    if (const auto least = std::min_element(free_.begin(), free_.end(),
                                            [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
        least->bytes < goes.bytes) {
      std::swap(*least, goes);
    }
  }
  ::operator delete(goes.memory, cache_line);
}

}  // namespace wherry::collective
