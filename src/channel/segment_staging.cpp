#include "segment_staging.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#include "wherry/core/error.hpp"

#include "core/patience.hpp"
#include "core/rank_lives.hpp"
#include "segment_state.hpp"

namespace wherry {
namespace {

constexpr int polls_between_looks = 64;

std::uint64_t windows_of(std::size_t bytes) {
  return bytes <= staged_ring::in_line ? 1 : (bytes + staged_ring::chunk - 1) / staged_ring::chunk;
}

void fill(staged_ring& ring, std::uint64_t window, std::size_t at, std::span<const std::byte> data) {
  auto& notice = ring.notices[window % staged_ring::windows];
  notice.at = at;
  notice.bytes = data.size();
  if (data.size() == sizeof(std::uint64_t))
    std::memcpy(notice.data, data.data(), sizeof(std::uint64_t));
  else
    std::memcpy(data.size() <= staged_ring::in_line ? notice.data : ring.chunks[window % staged_ring::windows],
                data.data(), data.size());
}

}  // namespace

bool staged_writer::make_ring() {
  if (is_refused_) return false;
  try {
    memory_ = arena_block(comm_, sizeof(staged_ring));
  } catch (const error&) {
    is_refused_ = true;
    return false;
  }
  auto* const made = reinterpret_cast<staged_ring*>(memory_.data());
  new (&made->words) staged_words<>;
  side_ = writer_of<machine_words, staged_ring::windows>(made->words);
  ring_.store(made, std::memory_order_release);
  theirs_->ring_of(comm_.node_index(comm_.rank())).store(memory_.offset() + 1, std::memory_order_release);
  return true;
}

bool staged_writer::try_write(std::size_t at, std::span<const std::byte> data) {
  if (busy_.test_and_set(std::memory_order_acquire)) return false;
  const struct open_again {
    std::atomic_flag& busy;
    ~open_again() { busy.clear(std::memory_order_release); }
  } at_end{busy_};
  auto* const ring = ring_.load(std::memory_order_relaxed);
  if (ring == nullptr && !make_ring()) return false;
  if (!side_.is_free(side_.next() + windows_of(data.size()) - 1)) return false;
  auto& to = *ring_.load(std::memory_order_relaxed);
  if (data.size() <= staged_ring::in_line) {
    fill(to, side_.next(), at, data);
    side_.publish();
    return true;
  }
  for (std::size_t done = 0; done < data.size(); done += staged_ring::chunk) {
    fill(to, side_.next(), at + done, data.subspan(done, std::min(staged_ring::chunk, data.size() - done)));
    side_.publish();
  }
  return true;
}

void staged_writer::retire(const std::shared_ptr<const bool>& gone) {
  memory_.retire([gone] { return *gone; });
}

bool byte_segment::state::stage(int to, std::size_t at, std::span<const std::byte> bytes) {
  auto& writer = staged[static_cast<std::size_t>(to)];
  return writer != nullptr && bytes.size() <= most_staged && !bytes.empty() && writer->try_write(at, bytes);
}

void byte_segment::state::bring_staged(int to) {
  if (const auto& writer = staged[static_cast<std::size_t>(to)])
    if (auto* const ring = writer->ring()) drain(*ring, to);
}

void byte_segment::state::settle(int rank) {
  auto* const table = tables[static_cast<std::size_t>(rank)];
  if (table == nullptr) return;
  const int ranks = static_cast<int>(comm.node_ranks().size());
  for (int writer = 0; writer < ranks; ++writer)
    if (const auto place = table->ring_of(writer).load(std::memory_order_acquire); place != 0)
      drain(*reinterpret_cast<staged_ring*>(comm.arena()->address(writer, static_cast<std::size_t>(place - 1))), rank);
}

void byte_segment::state::drain(staged_ring& ring, int rank) {
  const auto me = static_cast<std::uint32_t>(comm.node_index(comm.rank())) + 1;
  std::exception_ptr problem;
  const auto bring = [&](std::uint64_t window) {
    try {
      bring_there(rank, ring.at(window), ring.data(window));
    } catch (...) {
      problem = std::current_exception();
    }
    return problem == nullptr;
  };
  const auto is_drained = [&](std::uint32_t instead_of = no_drainer) {
    const bool drained = try_drain(ring.words, staged_ring::windows, me, bring, instead_of);
    if (problem) std::rethrow_exception(problem);
    return drained;
  };
  if (is_drained()) return;
  patience patient(comm, called, "bytes that another rank copies out of staging");
  for (int polls = 1; !is_drained(); ++polls) {
    patient.pause();
    if (polls % polls_between_looks != 0) continue;
    // Data that the dead rank has brought in part is brought again.
    const auto other = ring.words.drainer.load(std::memory_order_relaxed);
    if (other != no_drainer && other != me && comm.lives().has_died(comm.node_ranks()[other - 1]) && is_drained(other))
      return;
  }
}

void byte_segment::state::bring_there(int rank, std::size_t at, std::span<const std::byte> bytes) {
  if (rank == comm.rank()) {
    copy(data.memory + at, bytes.data(), bytes.size());
  } else if (tables[static_cast<std::size_t>(rank)]->closed.load(std::memory_order_acquire) != 0) {
    // The segment there has ended, so nothing reads the memory any more.
  } else if (is_through_kernel(rank)) {
    write_through_kernel(rank, at, bytes);
  } else {
    put(rank, at, bytes);
    flush_puts(rank);
  }
}

void byte_segment::state::close_staging() noexcept {
  auto* const mine = tables.empty() ? nullptr : tables[static_cast<std::size_t>(comm.rank())];
  if (mine == nullptr || mine->closed.load(std::memory_order_relaxed) != 0) return;
  mine->closed.store(1, std::memory_order_release);
  try {
    settle(comm.rank());
  } catch (const error&) {
    // The rank that drains has died or takes too long. The data is lost, as it would be with that rank.
  }
}

void staged_arrivals::settle() const { state_->settle(rank_); }

}  // namespace wherry
