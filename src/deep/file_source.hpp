// Verifies the frames of a file, one after the other, and gives the bytes in them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "wherry/transport/byte_stream.hpp"

#include "file_format.hpp"

namespace wherry::deep {

/// Where the bytes of a file come from.
struct file_input {
  /// Gives the next ones, all that are asked for. @throws error where it cannot
  std::function<void(std::span<std::byte>)> get;
  /// How many can still come; `byte_source::unknown` is an answer.
  std::function<std::uint64_t()> room;
  /// Nothing may follow the object.
  bool alone = false;
};

class file_source final : public byte_source {
 public:
  /// Asks for nothing beyond the object's trailer. `type`: the fingerprint that is expected.
  /// `at_once`: all is verified here, before anybody reads; so it is, too, where nobody knows how much can come.
  /// @throws error(argument) for what is no file of ours, or has another type
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
  std::uint64_t left_ = 0;  // bytes of payload that follow the window, at most
  bool closed_ = false;
  std::unique_ptr<std::byte[]> window_;
  std::vector<std::byte> all_;
};

}  // namespace wherry::deep
