// Messages inside a node, between devices: what leaves is packed in device memory that the sender lends to its peers,
// whose devices unpack it from there. Only words go through the host (channel/lent_channel.hpp): that the bytes are
// there, which the sender says when its device has packed, and that they have been read, which the receiver says when
// its device has.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wherry/device/device.hpp"
#include "wherry/transport/transport.hpp"

#include "channel/lent_channel.hpp"
#include "core/arena_block.hpp"

namespace wherry {

class packed_memory;

class lent_messages {
 public:
  explicit lent_messages(const communicator& comm) : comm_(comm) {}
  lent_messages(const lent_messages&) = delete;
  lent_messages& operator=(const lent_messages&) = delete;
  /// What is read of the peers' memory has been by then.
  ~lent_messages();

  /// Collective. What leaves of one plan, and what arrives of one, which may be the same: `on_device` of either packs.
  /// @throws error(resource) on some ranks only, which all ask each other about
  void bind(const bind_request& sends, const bind_request& receives);

  // Starts are numbered from 1.

  /// Have the peers read what was in the buffers of this start?
  bool has_room(std::size_t stage, std::uint64_t start);
  /// The device has packed what leaves.
  void tell(std::size_t stage, std::uint64_t start);
  /// Is all there that arrives?
  bool has_arrived(std::size_t stage, std::uint64_t start);
  /// The device has read what arrived in this start, and in those before.
  void take(std::uint64_t start);

  /// Those who had read too little for the last `has_room`.
  void append_late_readers(std::size_t stage, std::vector<int>& peers) const;
  /// Those of whom the last `has_arrived` had not heard.
  void append_late_senders(std::size_t stage, std::uint64_t start, std::vector<int>& peers) const;

 private:
  struct outgoing {
    int peer = 0;
    arena_block words;
    lent_channel<>* channel = nullptr;
    lent_sender<> side;
    bool wants_room = false;  // it was asked for, in vain
  };
  struct incoming {
    int peer = 0;
    lent_receiver<> side;
    bool is_attached = false;
    std::uint64_t arrived = 0;  // the last start that did
  };
  struct stage_part {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
  };
  struct ticket;

  void allocate(const bind_request& sends, const bind_request& receives);
  std::string agree_with_peers(const bind_request& sends, const bind_request& receives);
  std::string attach(incoming& r, const ticket& theirs, std::int64_t first, std::int64_t bytes, packed_memory& packed);
  void* borrow(int peer, const ticket& theirs, std::string& refused);

  const communicator& comm_;
  const device* device_ = nullptr;
  std::vector<stage_part> stages_;
  device_ticket ticket_;
  std::shared_ptr<const void> memory_;  // that is lent
  std::map<int, void*> by_peer_;
  std::vector<void*> borrowed_;
  bool is_told_ = false;
};

}  // namespace wherry
