// Messages between devices of one node. The sender's device packs them in device memory that the sender lends to its
// peers, and the receivers' devices unpack them from there. Only words go through the host (channel/lent_channel.hpp):
// the sender says that its device has packed, and the receiver says that its device has read. These are not the
// messages of `message_wise`: the host moves no data of theirs, and a device may read them after their stage.
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
  /// By now the device must have read everything that it reads in the peers' memory.
  ~lent_messages();

  /// Collective. Binds the messages that leave by one plan and arrive by another one, which may be the same. The
  /// `on_device` of each plan packs or unpacks.
  /// @throws error(resource), possibly on some ranks only; the caller must agree on it
  void bind(const transports::bind_request& sends, const transports::bind_request& receives);

  // Starts are numbered from 1.

  /// True if the peers have read the buffers that this start is going to fill.
  bool has_room(std::size_t stage, std::uint64_t start);
  /// Tells the peers that the device has packed the messages of this stage.
  void tell(std::size_t stage, std::uint64_t start);
  /// True if all messages of this stage have come.
  bool has_arrived(std::size_t stage, std::uint64_t start);
  /// Tells the peers that the device has read the data of this start and of those before.
  void take(std::uint64_t start);

  /// Appends the peers that had read too little for the last `has_room`.
  void append_late_readers(std::size_t stage, std::vector<int>& peers) const;
  /// Appends the peers from which the last `has_arrived` had found nothing.
  void append_late_senders(std::size_t stage, std::uint64_t start, std::vector<int>& peers) const;

 private:
  struct outgoing {
    int peer = 0;
    arena_block words;
    lent_channel<>* channel = nullptr;
    lent_sender<> side;
    bool wants_room = false;  // the last `has_room` found none
  };
  struct incoming {
    int peer = 0;
    lent_receiver<> side;
    bool is_attached = false;
    std::uint64_t arrived = 0;  // the last start that has arrived
  };
  struct stage_part {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
  };
  struct ticket;

  void allocate(const transports::bind_request& sends, const transports::bind_request& receives);
  std::string agree_with_peers(const transports::bind_request& sends, const transports::bind_request& receives);
  std::string attach(incoming& r, const ticket& theirs, std::int64_t first, std::int64_t bytes, packed_memory& packed);
  void* borrow(int peer, const ticket& theirs, std::string& refused);

  const communicator& comm_;
  const device* device_ = nullptr;
  std::vector<stage_part> stages_;
  detail::device_ticket ticket_;
  std::shared_ptr<const void> memory_;  // which is lent
  std::map<int, void*> by_peer_;
  std::vector<void*> borrowed_;
  bool is_told_ = false;
};

}  // namespace wherry
