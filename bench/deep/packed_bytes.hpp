/// @file
/// The buffer into which every peer packs. It is as good as a careful program's: it grows without being zeroed and, if
/// it is large, without being copied (realloc moves pages). The file also has the streams over such a buffer that
/// serialisers need.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <streambuf>

namespace bench::deep {

class packed_bytes {
 public:
  packed_bytes() = default;
  explicit packed_bytes(std::size_t bytes) { resize(bytes); }

  char* data() { return memory_.get(); }
  const char* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }

  void append(const void* from, std::size_t bytes) {
    if (size_ + bytes > capacity_) grow(size_ + bytes);
    std::memcpy(memory_.get() + size_, from, bytes);
    size_ += bytes;
  }
  template <class Value> void append(const Value& value) { append(&value, sizeof value); }
  /// New bytes are not initialised.
  void resize(std::size_t bytes) {
    if (bytes > capacity_) grow(bytes);
    size_ = bytes;
  }

 private:
  struct free_memory {
    void operator()(char* memory) const { std::free(memory); }
  };
  void grow(std::size_t bytes) {
    capacity_ = size_ == 0 ? bytes : bytes + bytes / 2 + 4096;
    char* const moved = static_cast<char*>(std::realloc(memory_.release(), capacity_));
    if (moved == nullptr) throw std::bad_alloc();
    memory_.reset(moved);
  }

  std::unique_ptr<char, free_memory> memory_;
  std::size_t size_ = 0, capacity_ = 0;
};

/// Reads values in sequence.
class packed_reader {
 public:
  explicit packed_reader(const packed_bytes& from) : at_(from.data()) {}
  void read(void* to, std::size_t bytes) {
    std::memcpy(to, at_, bytes);
    at_ += bytes;
  }
  template <class Value> Value read() {
    Value value;
    read(&value, sizeof value);
    return value;
  }

 private:
  const char* at_;
};

/// Writes to a buffer.
class packing_stream final : public std::streambuf {
 public:
  explicit packing_stream(packed_bytes& to) : to_(to) {}

 protected:
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    to_.append(from, static_cast<std::size_t>(count));
    return count;
  }
  int_type overflow(int_type c) override {
    to_.append(traits_type::to_char_type(c));
    return c;
  }

 private:
  packed_bytes& to_;
};

/// Reads a buffer in place.
class unpacking_stream final : public std::streambuf {
 public:
  explicit unpacking_stream(packed_bytes& from) { setg(from.data(), from.data(), from.data() + from.size()); }
};

}  // namespace bench::deep
