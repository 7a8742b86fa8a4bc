#include "byte_ring.hpp"

#include <new>

#include "wherry/core/node_arena.hpp"

namespace wherry {
namespace {

/// The writer's words come first, and the words of each reader follow.
ring_writer_words<>& words_at(void* memory) { return *std::launder(static_cast<ring_writer_words<>*>(memory)); }
ring_reader_words<>* readers_at(void* memory) {
  return std::launder(
      reinterpret_cast<ring_reader_words<>*>(static_cast<std::byte*>(memory) + sizeof(ring_writer_words<>)));
}

}  // namespace

ring_writer::ring_writer(const communicator& comm, int readers, int myself)
    : arena_(readers > 0 ? comm.arena() : nullptr) {
  const auto bytes = sizeof(ring_writer_words<>) + static_cast<std::size_t>(readers) * sizeof(ring_reader_words<>);
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
  new (memory) ring_writer_words<>;
  for (int r = 0; r < readers; ++r) new (readers_at(memory) + r) ring_reader_words<>;
  static_cast<window_ring_writer&>(*this) = window_ring_writer(words_at(memory), readers_at(memory), readers, myself);
}

void ring_writer::prepare() {
  if (windows_ != nullptr) return;
  if (arena_ != nullptr) {
    windows_ = static_cast<byte_window*>(arena_->allocate((windows + 1) * sizeof(byte_window)));
    lie_at(*arena_->offset_of(windows_));
  } else {
    heap_windows_ = fresh_windows(windows + 1);
    windows_ = heap_windows_.get();
  }
}

ring_reader::ring_reader(const communicator& comm, int owner, std::uint64_t offset, int slot)
    : window_ring_reader(words_at(comm.arena()->address(owner, offset)),
                         readers_at(comm.arena()->address(owner, offset))[slot]),
      arena_(comm.arena()),
      owner_(owner) {}

const byte_window& ring_reader::window() const {
  const auto* windows = reinterpret_cast<const byte_window*>(arena_->address(owner_, place()));
  return windows[is_beside() ? ring_writer::windows : position() % ring_writer::windows];
}

void append_readers_behind(const communicator& comm, const ring_writer& ring, std::vector<int>& ranks) {
  for (int r = 0; r < ring.readers(); ++r)
    if (ring.is_behind(r)) ranks.push_back(comm.node_ranks()[static_cast<std::size_t>(r)]);
}

}  // namespace wherry
