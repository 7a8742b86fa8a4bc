// Writing ends: of streams that leave while they are written, and of streams to this rank itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_leaving.hpp"
#include "byte_roots.hpp"
#include "byte_staging.hpp"
#include "byte_waiting.hpp"
#include "flight/abandonable.hpp"
#include "stream_log.hpp"

namespace wherry {

/// Writes into the memory that the stream's readers read, or into its own staging buffer, and waits for room.
class stream_sink final : public byte_sink {
 public:
  /// @param to the ranks to which this rank sends
  /// @param others streams of other roots, which must not come
  stream_sink(std::string_view where, const communicator& comm, std::unique_ptr<leaving_stream> stream,
              std::vector<int> to, std::optional<stray_streams> others = {});

  void finish() override;
  /// Waits until the readers are told, unless this sink has just waited for them in vain.
  void abandon(std::string_view why) noexcept override;

 private:
  void more(std::size_t bytes) override;
  void write_long(const std::byte* from, std::size_t bytes) override;
  void put(std::byte* to, const std::byte* from, std::size_t bytes) override;
  void begin_window(bool staged);
  void hand_over(window_state state);
  void send_first(std::byte* first, bool all);
  template <class Ready> void wait(Ready ready);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string_view where_;
  communicator comm_;
  abandonable<leaving_stream> stream_;
  std::optional<stray_streams> others_;
  stream_record record_;
  byte_staging staging_;
  std::size_t offered_ = std::size_t{16} << 10;
  bool finished_ = false, staged_ = false, long_run_ = false, in_vain_ = false;
};

/// A stream to this rank itself. It is packed, and then waits to be received.
class self_sink final : public byte_sink {
 public:
  self_sink(std::string_view where, const communicator& comm, detail::stream_tag tag, std::uint64_t fingerprint)
      : where_(where), comm_(comm), tag_(tag), fingerprint_(fingerprint), packed_(where, comm) {}

  void finish() override;
  void abandon(std::string_view) noexcept override {}

 private:
  void more(std::size_t bytes) override;

  std::string_view where_;
  communicator comm_;
  detail::stream_tag tag_;
  std::uint64_t fingerprint_;
  detail::packed_stream packed_;
  std::byte* begin_ = nullptr;
};

}  // namespace wherry
