/// @file
/// A stream of bytes whose length nobody knows in advance: what a deep copy writes to and reads from.
///
/// Both ends offer a window of memory, so that small objects are written in place and read in place; only when a window
/// is used up is a virtual function called.
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace wherry {

/// Takes bytes. Not thread safe.
class byte_sink {
 public:
  /// What `reserve` may be asked for at once.
  static constexpr std::size_t largest_reservation = 4096;

  virtual ~byte_sink() = default;
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;

  /// `bytes` (at most `largest_reservation`) of contiguous memory to write to, until the next call.
  /// @throws what the other end's failure is
  std::byte* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) more(bytes);
    return at_;
  }
  /// The first `bytes` of what was reserved are written.
  void advance(std::size_t bytes) { at_ += bytes; }

  /// Any number of bytes.
  void write(const void* from, std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - at_)) {
      std::memcpy(at_, from, bytes);
      at_ += bytes;
    } else {
      write_long(static_cast<const std::byte*>(from), bytes);
    }
  }

  /// All is written: hands the last window over. Nothing may be written afterwards.
  virtual void finish() = 0;
  /// The writer gives up: whoever reads gets an error with this text.
  virtual void abandon(std::string_view why) noexcept = 0;

 protected:
  byte_sink() = default;
  /// Takes away what was written before `at_` and offers a window of at least `bytes`, and at least one byte.
  virtual void more(std::size_t bytes) = 0;
  /// As many times `more` as it takes; a sink that can do better with long runs overrides it.
  virtual void write_long(const std::byte* from, std::size_t bytes);
  /// A part of a long run, to what `more` has offered.
  virtual void put(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

  std::byte *at_ = nullptr, *end_ = nullptr;
};

/// Gives bytes. After its first failure it gives zeros, so that a reader can bring what it builds to a valid end before
/// it reports. Not thread safe.
class byte_source {
 public:
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

  virtual ~byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// The next `bytes` (at most `byte_sink::largest_reservation`), contiguous, until the next call.
  const std::byte* peek(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) >= bytes) return at_;
    return peek_slowly(bytes);
  }
  /// Of what was peeked.
  void skip(std::size_t bytes) { at_ += bytes; }

  /// Any number of bytes.
  void read(void* to, std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - at_)) {
      std::memcpy(to, at_, bytes);
      at_ += bytes;
    } else {
      read_long(static_cast<std::byte*>(to), bytes);
    }
  }

  /// What lies ready in one piece, at least one byte: for whoever can take pieces of any length.
  struct piece {
    const std::byte* data;
    std::size_t bytes;
  };
  piece next_piece(std::size_t at_most);
  /// The same in whole units of `unit` bytes (at most `byte_sink::largest_reservation`), at least one of them.
  piece next_piece(std::size_t at_most, std::size_t unit) {
    peek(unit);
    const auto ready = static_cast<std::size_t>(end_ - at_);
    const std::size_t part = (ready < at_most ? ready : at_most) / unit * unit;
    at_ += part;
    return {at_ - part, part};
  }

  /// Bytes that have come and are not read yet; 0 after a failure.
  std::size_t ready() const { return failure_ ? 0 : static_cast<std::size_t>(end_ - at_); }
  /// How many bytes can still come at most: `unknown` between ranks, known in files and buffers, 0 after a failure.
  /// Nobody allocates more for what is announced than this.
  std::size_t remaining() const {
    if (failure_) return 0;
    const auto here = static_cast<std::size_t>((end_ - at_) + (end_after_bounce_ - after_bounce_));
    return following() == unknown ? unknown : following() + here;
  }

  /// Remembers the first failure; from now on there are only zeros.
  void fail(std::exception_ptr failure) noexcept;
  std::exception_ptr failure() const noexcept { return failure_; }

  /// All is read: the stream must end here, and its other end is told. @throws the failure, if any
  void finish();

 protected:
  byte_source() = default;
  /// Offers the next window, of at least one byte. Called when the one before is used up. May throw: that is the
  /// failure. At the end of the stream it throws as well: somebody asks for bytes that nobody wrote.
  virtual void more() = 0;
  /// Bytes after the window.
  virtual std::size_t following() const { return unknown; }
  /// Checks the end of the stream and lets go of it. After a failure too, and then without throwing.
  virtual void close(bool failed) = 0;

  const std::byte *at_ = nullptr, *end_ = nullptr;

 private:
  void next_window() noexcept;
  const std::byte* peek_slowly(std::size_t bytes);
  void read_long(std::byte* to, std::size_t bytes);

  std::exception_ptr failure_;
  std::vector<std::byte> bounce_;
  const std::byte *after_bounce_ = nullptr, *end_after_bounce_ = nullptr;
};

/// Keeps everything in memory.
class memory_sink final : public byte_sink {
 public:
  explicit memory_sink(std::size_t expected = 0);
  void finish() override;
  void abandon(std::string_view) noexcept override {}
  /// What was written, after `finish`.
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  void more(std::size_t bytes) override;
  std::vector<std::byte> bytes_;
};

/// Counts and forgets.
class counting_sink final : public byte_sink {
 public:
  void finish() override;
  void abandon(std::string_view) noexcept override {}
  std::size_t bytes() const { return bytes_; }

 private:
  void more(std::size_t bytes) override;
  void write_long(const std::byte* from, std::size_t bytes) override;
  void count();
  std::size_t bytes_ = 0;
  std::vector<std::byte> window_;
};

/// Reads from memory that the caller keeps.
class memory_source final : public byte_source {
 public:
  memory_source(const void* data, std::size_t bytes);

 private:
  void more() override;
  std::size_t following() const override { return 0; }
  void close(bool failed) override;
};

}  // namespace wherry
