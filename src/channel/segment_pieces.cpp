// Long data in pieces: each piece is announced, so that the target can copy it out while the next one is written.
#include <algorithm>
#include <cstdint>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/error.hpp"

#include "core/patience.hpp"
#include "measured_wait.hpp"
#include "segment_state.hpp"

namespace wherry {
namespace {

/// Large enough that an announcement costs little beside it, and small enough that most of the copies on the two sides
/// overlap. Shorter data is written through the caches, because past them 2 KiB take three times as long between near
/// cores.
constexpr std::size_t piece_bytes = 8 * 1024;
std::uint32_t pieces_of(std::size_t bytes) {
  return static_cast<std::uint32_t>(std::max<std::size_t>((bytes + piece_bytes - 1) / piece_bytes, 1));
}

}  // namespace

void byte_segment::write_in_pieces(int to, std::size_t at, std::span<const std::byte> data, int id) {
  const auto& target = part("to", to, at, data);
  const auto pieces = pieces_of(data.size());
  check_notification(id, pieces);
  // Over MPI, each piece would cost a way there and back.
  if (target.memory == nullptr) return write_notify(to, at, data, id, pieces);
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    const auto begin = piece * piece_bytes;
    const auto part_of_it = data.subspan(begin, std::min(piece_bytes, data.size() - begin));
    if (target.words == nullptr || data.size() < piece_bytes) {
      write_notify(to, at + begin, part_of_it, id, piece + 1);
      continue;
    }
    if (counts_ != nullptr) count_write_notify(part_of_it.size());
    state_->copy_long(to, target.memory + at + begin, part_of_it, &state::long_writes_to::in_pieces);
    detail::notification_word::tell(target.words[id], piece + 1);
  }
}

bool byte_segment::write_in_pieces(int to, std::size_t at, std::span<const std::byte> data, int id, double seconds) {
  const auto& target = part("to", to, at, data);
  state_->check(seconds);
  if (target.memory == nullptr || target.words == nullptr)
    return write_notify(to, at, data, id, pieces_of(data.size()), seconds);
  write_in_pieces(to, at, data, id);  // stores do not wait for another rank
  return true;
}

bool byte_segment::copy_out(std::size_t at, std::span<std::byte> into, int id, double seconds) {
  part("this", comm().rank(), at, into);
  const auto pieces = pieces_of(into.size());
  const measured_wait wait(counts_, "copy out", static_cast<std::uint64_t>(id));
  std::uint32_t copied = 0;
  const auto copy_what_came = [&] {
    const auto there = value(id);
    if (there > pieces) throw_pieces(id, there, pieces);
    if (there > copied) {
      const auto begin = copied * piece_bytes;
      const measured_copy measured(counts_);
      copy(into.data() + begin, mine_.data() + at + begin, std::min(there * piece_bytes, into.size()) - begin);
      copied = there;
    }
    return copied == pieces;
  };
  patience patient(comm(), state_->called, "the pieces of a notification", static_cast<std::uint64_t>(id));
  if (!patient.poll_for(seconds, copy_what_came)) return false;
  reset(id);
  return true;
}

void byte_segment::throw_pieces(int id, std::uint32_t came, std::uint32_t expected) const {
  throw error(error_kind::argument, state_->called,
              detail::text("notification ", id, " brought ", came, " pieces, and 'into' has room for ", expected,
                           " of ", piece_bytes, " bytes"),
              state_->comm.rank());
}

}  // namespace wherry
