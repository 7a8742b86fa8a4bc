#include "wherry/transport/byte_stream.hpp"

#include <algorithm>
#include <array>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr std::size_t window_bytes = std::size_t{64} << 10;

// A source returns these bytes after its failure. There are as many as may be asked for at once.
alignas(64) constexpr std::array<std::byte, byte_sink::largest_reservation> zeros{};

void resize(std::vector<std::byte>& memory, std::size_t bytes) {
  detail::allocating("deep copy", "packed bytes", bytes, [&] { memory.resize(bytes); });
}

}  // namespace

void byte_sink::write_long(const std::byte* from, std::size_t bytes) {
  while (bytes > 0) {
    if (at_ == end_) more(1);
    const auto part = std::min(bytes, static_cast<std::size_t>(end_ - at_));
    put(at_, from, part);
    at_ += part;
    from += part;
    bytes -= part;
  }
}

void byte_source::fail(std::exception_ptr failure) noexcept {
  if (failure_) return;
  failure_ = std::move(failure);
  at_ = zeros.data();
  end_ = at_ + zeros.size();
  after_bounce_ = end_after_bounce_ = nullptr;
}

void byte_source::next_window() noexcept {
  if (failure_) {
    at_ = zeros.data();
    end_ = at_ + zeros.size();
    return;
  }
  if (after_bounce_ != end_after_bounce_) {
    at_ = after_bounce_;
    end_ = end_after_bounce_;
    after_bounce_ = end_after_bounce_ = nullptr;
    return;
  }
  try {
    more();
  } catch (...) {
    fail(std::current_exception());
  }
}

const std::byte* byte_source::peek_slowly(std::size_t bytes) {
  if (at_ == end_) next_window();
  if (static_cast<std::size_t>(end_ - at_) >= bytes) return at_;
  // The writer ended a window inside this value. Put its parts together here; the rest of the later window follows.
  std::vector<std::byte> whole(bytes);
  std::size_t have = 0;
  while (have < bytes && !failure_) {
    if (at_ == end_) {
      next_window();
      continue;
    }
    const auto part = std::min(bytes - have, static_cast<std::size_t>(end_ - at_));
    std::memcpy(whole.data() + have, at_, part);
    at_ += part;
    have += part;
  }
  if (failure_) {
    next_window();
    return at_;
  }
  after_bounce_ = at_;
  end_after_bounce_ = end_;
  bounce_ = std::move(whole);
  at_ = bounce_.data();
  end_ = at_ + bytes;
  return at_;
}

void byte_source::read_long(std::byte* to, std::size_t bytes) {
  while (bytes > 0) {
    const auto [data, part] = next_piece(bytes);
    std::memcpy(to, data, part);
    to += part;
    bytes -= part;
  }
}

byte_source::piece byte_source::next_piece(std::size_t at_most) {
  while (at_ == end_) next_window();
  const auto part = std::min(at_most, static_cast<std::size_t>(end_ - at_));
  at_ += part;
  return {at_ - part, part};
}

void byte_source::finish() {
  if (!failure_ && at_ == end_ && after_bounce_ != end_after_bounce_) next_window();
  if (!failure_ && at_ != end_)
    fail(std::make_exception_ptr(
        error(error_kind::mismatch, "deep copy", "the stream is longer than the object that is read")));
  try {
    close(failure_ != nullptr);
  } catch (...) {
    fail(std::current_exception());
  }
  if (failure_) std::rethrow_exception(failure_);
}

memory_sink::memory_sink(std::size_t expected) {
  resize(bytes_, std::max(expected, largest_reservation));
  at_ = bytes_.data();
  end_ = at_ + bytes_.size();
}

void memory_sink::more(std::size_t bytes) {
  const auto used = static_cast<std::size_t>(at_ - bytes_.data());
  resize(bytes_, std::max(2 * bytes_.size(), used + bytes));
  at_ = bytes_.data() + used;
  end_ = bytes_.data() + bytes_.size();
}

void memory_sink::finish() {
  bytes_.resize(static_cast<std::size_t>(at_ - bytes_.data()));
  at_ = end_ = nullptr;
}

void counting_sink::count() {
  if (!window_.empty()) bytes_ += static_cast<std::size_t>(at_ - window_.data());
}

void counting_sink::more(std::size_t) {
  count();
  resize(window_, window_bytes);
  at_ = window_.data();
  end_ = at_ + window_.size();
}

void counting_sink::write_long(const std::byte*, std::size_t bytes) { bytes_ += bytes; }

void counting_sink::finish() {
  count();
  at_ = end_ = nullptr;
  window_.clear();
}

memory_source::memory_source(const void* data, std::size_t bytes) {
  at_ = static_cast<const std::byte*>(data);
  end_ = at_ + bytes;
}

void memory_source::more() {
  throw error(error_kind::mismatch, "deep copy", "the stream ends before the object is complete");
}

void memory_source::close(bool) {}

}  // namespace wherry
