#include "byte_ring.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "wherry/core/node_arena.hpp"

namespace wherry {

ring_writer::ring_writer(const communicator& comm, int readers, int myself)
    : arena_(readers > 0 ? comm.arena() : nullptr), readers_(readers), myself_(myself) {
  const auto bytes = sizeof(ring_writer_words) + static_cast<std::size_t>(readers) * sizeof(ring_reader_words);
  void* memory = nullptr;
  if (arena_ != nullptr) {
    memory = arena_->allocate(bytes);
    offset_ = *arena_->offset_of(memory);
  } else {
    heap_words_ = std::make_unique<std::byte[]>(bytes + 64);
    std::size_t space = bytes + 64;
    memory = heap_words_.get();
    std::align(64, bytes, memory, space);
  }
  words_ = new (memory) ring_writer_words;
  for (int r = 0; r < readers; ++r) new (words_->readers() + r) ring_reader_words;
}

void ring_writer::prepare() {
  if (windows_ != nullptr) return;
  if (arena_ != nullptr) {
    windows_ = static_cast<byte_window*>(arena_->allocate(windows * sizeof(byte_window)));
    words_->windows.store(*arena_->offset_of(windows_), std::memory_order_release);
  } else {
    heap_windows_ = std::make_unique_for_overwrite<byte_window[]>(windows);
    windows_ = heap_windows_.get();
  }
}

bool ring_writer::is_free(std::uint64_t number) {
  if (number < taken_by_all_ + windows) return true;
  taken_by_all_ = next_;
  for (int r = 0; r < readers_; ++r)
    if (r != myself_) taken_by_all_ = std::min(taken_by_all_, reader(r).taken.load(std::memory_order_acquire));
  return number < taken_by_all_ + windows;
}

bool ring_writer::drained() const {
  for (int r = 0; r < readers_; ++r)
    if (is_behind(r)) return false;
  return true;
}

void ring_writer::publish() { words_->written.store(++next_, std::memory_order_release); }

ring_reader::ring_reader(const communicator& comm, int owner, std::uint64_t offset, int slot)
    : arena_(comm.arena()),
      owner_(owner),
      words_(std::launder(reinterpret_cast<ring_writer_words*>(arena_->address(owner, offset)))),
      mine_(words_->readers() + slot),
      position_(mine_->taken.load(std::memory_order_relaxed)) {}

const byte_window& ring_reader::window() const {
  const auto* all =
      reinterpret_cast<const byte_window*>(arena_->address(owner_, words_->windows.load(std::memory_order_acquire)));
  return all[position_ % ring_writer::windows];
}

void ring_reader::begin_at(std::uint64_t number) {
  position_ = number;
  mine_->taken.store(number, std::memory_order_release);
}

void ring_reader::give_up(std::uint64_t stream, std::string_view why) {
  std::memset(mine_->why, 0, sizeof mine_->why);
  std::memcpy(mine_->why, why.data(), std::min(why.size(), sizeof mine_->why - 1));
  mine_->given_up.store(stream + 1, std::memory_order_release);
}

}  // namespace wherry
