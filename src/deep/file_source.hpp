// Verifies the frames of a file, one after the other, and gives their bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "wherry/transport/byte_stream.hpp"

#include "file_format.hpp"

namespace wherry::deep {

/// The source of a file's bytes.
struct file_input {
  /// Reads the next bytes, as many as are asked for.
  /// @throws error if it cannot
  std::function<void(std::span<std::byte>)> get;
  /// The number of bytes that can still come, or `byte_source::unknown`.
  std::function<std::uint64_t()> room;
  /// True: nothing may follow the object.
  bool alone = false;
};

class file_source final : public byte_source {
 public:
  /// Reads nothing beyond the object's trailer.
  /// @param type the expected fingerprint
  /// @param at_once verifies the whole file here, before any byte is used. This also happens if the number of bytes
  ///   that can come is unknown
  /// @throws error(argument) for a file that Wherry has not written, or that holds another type
  file_source(file_input input, std::uint64_t type, bool at_once);

 private:
  void more() override;
  std::size_t following() const override { return static_cast<std::size_t>(left_); }
  void close(bool failed) override;

  bool told() const { return facts_.payload != file_format::unknown_payload; }
  std::uint64_t bound() const;
  std::size_t next_length() const;
  [[noreturn]] void report_given_up() const;
  void load(std::byte* to);
  void load_all();
  void check_trailer();

  file_input input_;
  file_format::header facts_;
  file_format::frame_head next_;
  std::uint64_t chain_, given_ = 0;
  std::uint64_t left_ = 0;  // at most this many bytes of payload follow the window
  bool closed_ = false;
  std::unique_ptr<std::byte[]> window_;
  std::vector<std::byte> all_;
};

}  // namespace wherry::deep
