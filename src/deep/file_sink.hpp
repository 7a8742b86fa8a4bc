// Cuts a stream of bytes into the frames of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "wherry/transport/byte_stream.hpp"

#include "file_format.hpp"

namespace wherry::deep {

/// Writes the next bytes of a file.
/// @throws error if they cannot be written
using put_bytes = std::function<void(std::span<const std::byte>)>;

class file_sink final : public byte_sink {
 public:
  /// @param facts its payload may be unknown. Nothing is put before the first frame is full
  file_sink(put_bytes put, const file_format::header& facts);

  /// Writes the last frame and the trailer.
  /// @throws error(state) if the payload differs from the one that was announced
  void finish() override;
  /// A reader of the bytes that were put already finds the reason.
  void abandon(std::string_view why) noexcept override;

  /// The bytes of payload, after `finish`.
  std::uint64_t payload() const { return payload_; }
  /// The header that must replace the one that was put, if that did not know the payload.
  file_format::header_image header() const;

 private:
  void more(std::size_t bytes) override;
  std::byte* frame() const { return memory_.get() + file_format::header_bytes + file_format::head_bytes; }
  std::byte* sign(file_format::frame_kind kind, std::byte* bytes, std::size_t length);
  void put_until(const std::byte* end);

  put_bytes put_;
  file_format::header facts_;
  std::uint64_t payload_ = 0, chain_;
  bool begun_ = false, over_ = false;
  std::unique_ptr<std::byte[]> memory_;  // header, head, frame, the part of a reservation beyond it, trailer
};

}  // namespace wherry::deep
