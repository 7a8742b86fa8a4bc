#include "task.hpp"

#include <array>
#include <new>

namespace wherry::collective::frame_pool {
namespace {

constexpr std::size_t step = 256, classes = 32;

struct free_frame {
  free_frame* next;
};

struct free_frames {
  std::array<free_frame*, classes> first{};
  ~free_frames() {
    for (auto* frame : first)
      while (frame != nullptr) ::operator delete(std::exchange(frame, frame->next));
  }
};

thread_local free_frames kept;

constexpr std::size_t class_of(std::size_t bytes) { return (bytes - 1) / step; }

}  // namespace

void* take(std::size_t bytes) {
  const auto place = class_of(bytes);
  if (place >= classes) return ::operator new(bytes);
  auto*& first = kept.first[place];
  if (first == nullptr) return ::operator new((place + 1) * step);
  return std::exchange(first, first->next);
}

void give_back(void* frame, std::size_t bytes) noexcept {
  const auto place = class_of(bytes);
  if (place >= classes) {
    ::operator delete(frame);
    return;
  }
  auto*& first = kept.first[place];
  first = new (frame) free_frame{first};
}

}  // namespace wherry::collective::frame_pool
