// Cuts a stream of bytes into the frames of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "wherry/transport/byte_stream.hpp"

#include "file_format.hpp"

namespace wherry::deep {

/// Takes the next bytes of a file. @throws error where it cannot
using put_bytes = std::function<void(std::span<const std::byte>)>;

class file_sink final : public byte_sink {
 public:
  /// `facts.payload` may be unknown. Nothing is put before the first frame is full.
  file_sink(put_bytes put, const file_format::header& facts);

  /// The last frame and the trailer. @throws error(state) when a payload was announced and it is another
  void finish() override;
  /// Whoever reads what was put already finds the reason.
  void abandon(std::string_view why) noexcept override;

  /// Bytes of payload, after `finish`.
  std::uint64_t payload() const { return payload_; }
  /// What belongs in place of the header that was put, when it did not know the payload.
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
  std::unique_ptr<std::byte[]> memory_;  // header, head, frame, what is reserved beyond it, trailer
};

}  // namespace wherry::deep
