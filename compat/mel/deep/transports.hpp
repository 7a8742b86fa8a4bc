/// @file
/// Transports: classes that move a region of memory (MEL, "Transport method" and listing 18). Here are those of MEL,
/// under their names; mel.hpp shows how to write one.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <istream>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/transport/byte_stream.hpp"

#include "mel/collective.hpp"
#include "mel/comm.hpp"
#include "mel/file.hpp"
#include "mel/file_access.hpp"
#include "mel/point_to_point.hpp"

namespace MEL::Deep {

/// `SOURCE` is true if `transport` reads the memory that it is given, false if it fills that memory.
template <class Method>
concept TransportMethod = requires(Method& method, char*& ptr, int len) {
  { Method::SOURCE } -> std::convertible_to<bool>;
  method.transport(ptr, len);
};

class TransportSend {
 public:
  static constexpr bool SOURCE = true;
  TransportSend(int dst, int tag, const Comm& comm) : dst_(dst), tag_(tag), comm_(comm) {}
  template <class T> void transport(T*& ptr, const int len) { MEL::Send(ptr, len, dst_, tag_, comm_); }
  int dst() const { return dst_; }
  int tag() const { return tag_; }
  const Comm& comm() const { return comm_; }

 private:
  int dst_, tag_;
  Comm comm_;
};

class TransportRecv {
 public:
  static constexpr bool SOURCE = false;
  TransportRecv(int src, int tag, const Comm& comm) : src_(src), tag_(tag), comm_(comm) {}
  template <class T> void transport(T*& ptr, const int len) { MEL::Recv(ptr, len, src_, tag_, comm_); }
  int src() const { return src_; }
  int tag() const { return tag_; }
  const Comm& comm() const { return comm_; }

 private:
  int src_, tag_;
  Comm comm_;
};

/// The root of a broadcast, which is this rank.
class TransportBcastRoot {
 public:
  static constexpr bool SOURCE = true;
  explicit TransportBcastRoot(const Comm& comm) : TransportBcastRoot(CommRank(comm), comm) {}
  TransportBcastRoot(int root, const Comm& comm) : root_(root), comm_(comm) {}
  template <class T> void transport(T*& ptr, const int len) { MEL::Bcast(ptr, len, root_, comm_); }
  int root() const { return root_; }
  const Comm& comm() const { return comm_; }

 private:
  int root_;
  Comm comm_;
};

/// The other ranks of a broadcast.
class TransportBcast {
 public:
  static constexpr bool SOURCE = false;
  TransportBcast(int root, const Comm& comm) : root_(root), comm_(comm) {}
  template <class T> void transport(T*& ptr, const int len) { MEL::Bcast(ptr, len, root_, comm_); }
  int root() const { return root_; }
  const Comm& comm() const { return comm_; }

 private:
  int root_;
  Comm comm_;
};

namespace detail {

[[noreturn]] inline void transport_failed(std::string_view where, std::string_view why) {
  throw wherry::error(wherry::error_kind::resource, where, why);
}

}  // namespace detail

class TransportFileWrite {
 public:
  static constexpr bool SOURCE = true;
  explicit TransportFileWrite(const File& file) : file_(file) {}
  template <class T> void transport(T*& ptr, const int len) { MEL::FileWrite(file_, ptr, len); }
  const File& file() const { return file_; }

 private:
  File file_;
};

class TransportFileRead {
 public:
  static constexpr bool SOURCE = false;
  explicit TransportFileRead(const File& file) : file_(file) {}
  template <class T> void transport(T*& ptr, const int len) {
    const Status status = MEL::FileRead(file_, ptr, len);
    const int arrived = ProbeGetCount<T>(status);
    if (arrived != len)
      detail::transport_failed("MEL::Deep::TransportFileRead", "the file ends before the object is complete");
  }
  const File& file() const { return file_; }

 private:
  File file_;
};

class TransportSTLFileWrite {
 public:
  static constexpr bool SOURCE = true;
  explicit TransportSTLFileWrite(std::ostream& file) : file_(file) {}
  template <class T> void transport(T*& ptr, const int len) {
    if (!file_.write(reinterpret_cast<const char*>(ptr), static_cast<std::streamsize>(sizeof(T)) * len))
      detail::transport_failed("MEL::Deep::TransportSTLFileWrite", "the stream failed when the object was written");
  }
  std::ostream& file() const { return file_; }

 private:
  std::ostream& file_;
};

class TransportSTLFileRead {
 public:
  static constexpr bool SOURCE = false;
  explicit TransportSTLFileRead(std::istream& file) : file_(file) {}
  template <class T> void transport(T*& ptr, const int len) {
    if (!file_.read(reinterpret_cast<char*>(ptr), static_cast<std::streamsize>(sizeof(T)) * len))
      detail::transport_failed("MEL::Deep::TransportSTLFileRead", "the file ends before the object is complete");
  }
  std::istream& file() const { return file_; }

 private:
  std::istream& file_;
};

/// Writes to a user's buffer (MEL, listing 20).
class TransportBufferWrite {
 public:
  static constexpr bool SOURCE = true;
  TransportBufferWrite(char* buffer, int bufferSize)
      : buffer_(buffer), size_(static_cast<std::size_t>(std::max(bufferSize, 0))) {}
  template <class T> void transport(T*& ptr, const int len) {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(len);
    if (bytes > size_ - offset_) detail::transport_failed("MEL::Deep::TransportBufferWrite", "the buffer is too small");
    std::memcpy(buffer_ + offset_, ptr, bytes);
    offset_ += bytes;
  }
  int getOffset() const { return static_cast<int>(offset_); }

 private:
  char* buffer_;
  std::size_t size_, offset_ = 0;
};

class TransportBufferRead {
 public:
  static constexpr bool SOURCE = false;
  TransportBufferRead(const char* buffer, int bufferSize)
      : buffer_(buffer), size_(static_cast<std::size_t>(std::max(bufferSize, 0))) {}
  template <class T> void transport(T*& ptr, const int len) {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(len);
    if (bytes > size_ - offset_)
      detail::transport_failed("MEL::Deep::TransportBufferRead", "the buffer ends before the object is complete");
    std::memcpy(ptr, buffer_ + offset_, bytes);
    offset_ += bytes;
  }
  int getOffset() const { return static_cast<int>(offset_); }

 private:
  const char* buffer_;
  std::size_t size_, offset_ = 0;
};

/// Counts the bytes that would be moved.
class NoTransport {
 public:
  static constexpr bool SOURCE = true;
  template <class T> void transport(T*&, const int len) { bytes_ += sizeof(T) * static_cast<std::size_t>(len); }
  int getOffset() const {
    if (!std::in_range<int>(bytes_))
      throw wherry::error(
          wherry::error_kind::argument, "MEL::Deep::BufferSize",
          wherry::detail::text("the structure needs ", bytes_,
                               " bytes, which do not fit an int; wherry::deep::packed_bytes has no limit"));
    return static_cast<int>(bytes_);
  }

 private:
  std::size_t bytes_ = 0;
};

namespace detail {

constexpr std::size_t transport_window = std::size_t{1} << 16;

/// Wherry's stream of bytes over a transport: windows of bytes, each after its length.
template <TransportMethod Method> class transport_sink final : public wherry::byte_sink {
 public:
  explicit transport_sink(Method& method) : method_(method) {}
  void finish() override { flush(); }
  /// The other side cannot be told: it waits for bytes that do not come, as it would with the original MEL.
  void abandon(std::string_view) noexcept override {}

 private:
  void more(std::size_t) override {
    flush();
    window_.resize(transport_window);
    at_ = window_.data();
    end_ = at_ + window_.size();
  }
  void flush() {
    std::uint64_t bytes = window_.empty() ? 0 : static_cast<std::uint64_t>(at_ - window_.data());
    at_ = window_.data();
    if (bytes == 0) return;
    auto* length = reinterpret_cast<char*>(&bytes);
    method_.transport(length, static_cast<int>(sizeof bytes));
    auto* data = reinterpret_cast<char*>(window_.data());
    method_.transport(data, static_cast<int>(bytes));
  }

  Method& method_;
  std::vector<std::byte> window_;
};

template <TransportMethod Method> class transport_source final : public wherry::byte_source {
 public:
  explicit transport_source(Method& method) : method_(method) {}

 private:
  void more() override {
    std::uint64_t bytes = 0;
    auto* length = reinterpret_cast<char*>(&bytes);
    method_.transport(length, static_cast<int>(sizeof bytes));
    if (bytes == 0 || bytes > transport_window)
      throw wherry::error(wherry::error_kind::mismatch, "MEL::Deep::Message",
                          "the incoming data was not written by a Message");
    window_.resize(transport_window);
    auto* data = reinterpret_cast<char*>(window_.data());
    method_.transport(data, static_cast<int>(bytes));
    at_ = window_.data();
    end_ = at_ + bytes;
  }
  void close(bool) override {}

  Method& method_;
  std::vector<std::byte> window_;
};

}  // namespace detail
}  // namespace MEL::Deep
