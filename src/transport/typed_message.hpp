// A message as MPI datatypes instead of packed bytes, for the transports that let MPI do the packing.
#pragma once

#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

#include "block_datatype.hpp"

namespace wherry {

/// One message in one direction, in pieces of at most WHERRY_MESSAGE_LIMIT bytes. A datatype cannot express a user's
/// functions and reductions; such data goes by way of a buffer, which the datatypes then describe. The other side need
/// not know.
class typed_message {
 public:
  struct part {
    detail::unique_datatype type;
    int field;    // or `through_buffer`
    MPI_Aint at;  // from there
    int bytes;    // of a part without gaps, which needs no derived type; else 0
  };
  using piece = std::vector<part>;
  static constexpr int through_buffer = -1;

  /// @param buffered true: uses the buffer even if datatypes would do
  typed_message(const plans::message& m, bool receive, const transports::bind_request& request, bool buffered);

  int peer() const { return peer_; }
  const std::vector<piece>& pieces() const { return pieces_; }
  std::byte* address(const part& p, plans::field_table fields) const {
    auto* base = p.field == through_buffer ? buffer_.data() : fields[static_cast<std::size_t>(p.field)];
    return static_cast<std::byte*>(base) + p.at;
  }

  void before_send(plans::field_table fields) {
    if (!buffer_.empty()) packing_.pack(fields, buffer_.data());
  }
  void after_receive(plans::field_table fields) const {
    if (!buffer_.empty()) packing_.unpack(fields, buffer_.data());
  }

 private:
  int peer_;
  detail::message_packing packing_;
  mutable std::vector<std::byte> buffer_;
  std::vector<piece> pieces_;
};

}  // namespace wherry
