/// @file
/// A stream of bytes whose length is not known in advance: a deep copy writes to a `byte_sink` and reads from a
/// `byte_source`. All classes here are local and work without MPI.
///
///     wherry::memory_sink out;
///     out.write(&count, sizeof count);
///     out.finish();
///     wherry::memory_source in(out.bytes().data(), out.bytes().size());
///     in.read(&count, sizeof count);
///     in.finish();
///
/// Both ends offer a window of memory, so that small objects are written and read in place. A virtual function is
/// called only when a window is used up.
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace wherry {

/// The writing end of a stream. Not thread safe.
class byte_sink {
 public:
  /// The largest argument of `reserve`.
  static constexpr std::size_t largest_reservation = 4096;

  virtual ~byte_sink() = default;
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;

  /// Returns `bytes` bytes (at most `largest_reservation`) of contiguous memory to write to, which stay valid until the
  /// next call.
  /// @throws the failure of the other end, in streams between ranks
  std::byte* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) more(bytes);
    return at_;
  }
  /// Says that the first `bytes` bytes of the reserved memory are written.
  void advance(std::size_t bytes) { at_ += bytes; }

  /// Writes any number of bytes. @throws as `reserve`
  void write(const void* from, std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - at_)) {
      std::memcpy(at_, from, bytes);
      at_ += bytes;
    } else {
      write_long(static_cast<const std::byte*>(from), bytes);
    }
  }

  /// Ends the stream and hands over the last window. Nothing may be written afterwards.
  virtual void finish() = 0;
  /// Gives up: the reader gets an error with this text.
  virtual void abandon(std::string_view why) noexcept = 0;

 protected:
  byte_sink() = default;
  /// Takes what was written before `at_`, and offers a window of at least `bytes` bytes and at least one byte.
  virtual void more(std::size_t bytes) = 0;
  /// Writes a run that exceeds the window, by calls of `more`. A sink that handles long runs faster overrides it.
  virtual void write_long(const std::byte* from, std::size_t bytes);
  /// Copies a part of a long run to the window that `more` has offered.
  virtual void put(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

  std::byte *at_ = nullptr, *end_ = nullptr;
};

/// The reading end of a stream. After its first failure it gives zeros, so that a reader can complete its objects
/// before `finish` reports the failure. Not thread safe.
class byte_source {
 public:
  /// The value of `remaining` if the length is not known.
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

  virtual ~byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// The next `bytes` bytes (at most `byte_sink::largest_reservation`), contiguous and valid until the next call. They
  /// are not consumed.
  const std::byte* peek(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) >= bytes) return at_;
    return peek_slowly(bytes);
  }
  /// Consumes `bytes` bytes that were peeked.
  void skip(std::size_t bytes) { at_ += bytes; }

  /// Reads any number of bytes.
  void read(void* to, std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - at_)) {
      std::memcpy(to, at_, bytes);
      at_ += bytes;
    } else {
      read_long(static_cast<std::byte*>(to), bytes);
    }
  }

  /// Consumes the contiguous bytes that are ready, at least one and no more than `at_most`. For readers that can take
  /// pieces of any length.
  struct piece {
    const std::byte* data;
    std::size_t bytes;
  };
  piece next_piece(std::size_t at_most);
  /// Consumes the bytes that are ready in whole units of `unit` bytes (at most `byte_sink::largest_reservation`), and
  /// at least one unit.
  piece next_piece(std::size_t at_most, std::size_t unit) {
    peek(unit);
    const auto ready = static_cast<std::size_t>(end_ - at_);
    const std::size_t part = (ready < at_most ? ready : at_most) / unit * unit;
    at_ += part;
    return {at_ - part, part};
  }

  /// The bytes that have come and are not read yet; 0 after a failure.
  std::size_t ready() const { return failure_ ? 0 : static_cast<std::size_t>(end_ - at_); }
  /// The largest number of bytes that can still come: `unknown` between ranks, known in files and buffers, 0 after a
  /// failure. A reader should not allocate more than this for a length that the stream announces.
  std::size_t remaining() const {
    if (failure_) return 0;
    const auto here = static_cast<std::size_t>((end_ - at_) + (end_after_bounce_ - after_bounce_));
    return following() == unknown ? unknown : following() + here;
  }

  /// Stores the first failure. From now on the source gives zeros.
  void fail(std::exception_ptr failure) noexcept;
  std::exception_ptr failure() const noexcept { return failure_; }

  /// Ends the stream, which must end here, and tells the other end. @throws the stored failure, if any; error(mismatch)
  /// if bytes are left
  void finish();

 protected:
  byte_source() = default;
  /// Offers the next window, of at least one byte. It is called when the previous one is used up. If it throws, that is
  /// the failure of the stream; it must throw at the end of the stream, where bytes are read that were never written.
  virtual void more() = 0;
  /// The bytes after the current window, or `unknown`.
  virtual std::size_t following() const { return unknown; }
  /// Checks the end of the stream and releases it. It is called after a failure too, and must not throw then.
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

/// A sink that keeps everything in memory.
class memory_sink final : public byte_sink {
 public:
  /// @param expected bytes to reserve memory for
  explicit memory_sink(std::size_t expected = 0);
  void finish() override;
  void abandon(std::string_view) noexcept override {}
  /// The written bytes. Call it after `finish`.
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  void more(std::size_t bytes) override;
  std::vector<std::byte> bytes_;
};

/// A sink that counts the bytes and keeps none.
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

/// A source that reads from memory, which the caller keeps.
class memory_source final : public byte_source {
 public:
  memory_source(const void* data, std::size_t bytes);

 private:
  void more() override;
  std::size_t following() const override { return 0; }
  void close(bool failed) override;
};

}  // namespace wherry
