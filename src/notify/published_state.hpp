// The state of published layouts: what is bound (published_binding.cpp), and what each step does with it
// (published_layouts.cpp). How two ranks go about it is in channel/notified_channel.hpp and channel/read_claim.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/plan/functions.hpp"

#include "channel/notified_channel.hpp"
#include "channel/read_claim.hpp"
#include "transport/in_place_blocks.hpp"

namespace wherry {

/// What stands before the data in a slot.
struct slot_head {
  std::uint64_t in_place = 0;  // 1: the second part is to be read from the fields, whose places in the arena follow
  read_claim<> claim;          // of that
};
inline slot_head& head_of(std::byte* slot) { return *std::launder(reinterpret_cast<slot_head*>(slot)); }

struct published_layouts::state {
  struct outgoing {
    const message* what = nullptr;
    message_parts parts;
    std::size_t slots[2]{};  // in the receiver's segment
    int arrival = 0;         // the receiver's notification
    int acknowledgement = 0;
    notified_sender<> side;
    std::size_t data = 0;         // where it begins in a slot
    std::vector<std::byte> wire;  // a slot, for a receiver that is not reached by stores
  };

  struct incoming {
    const message* what = nullptr;
    int node_index = -1;
    message_parts parts;
    planned_copies in_place;
    std::size_t slots[2]{};
    int arrival = 0;
    int acknowledgement = 0;  // the sender's notification
    std::size_t data = 0;
    std::vector<void*> their_fields;
    notified_receiver<> side;
  };

  state(const communicator& on, wherry::schedule what, const published_options& how);

  void bind();
  void check() const;
  void lay_out(std::size_t most_fields);
  void meet(const bind_request& request);
  void require_fields(field_table fields) const;

  bool try_send_all(field_table fields);
  void put(outgoing& s, field_table fields);
  void fill(outgoing& s, field_table fields, std::byte* slot) const;
  bool try_receive(incoming& r, field_table fields);
  void take(incoming& r, field_table fields, std::byte* slot);
  void withdraw_all() noexcept;

  std::string transport() const;

  communicator comm;
  std::string name, called;  // the user's; the whole
  wherry::schedule plan;
  functions code;
  shape_kernels kernels;
  std::vector<direct_copies> to_oneself;  // a stage each; those of the first wait for nobody
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  std::size_t segment_bytes = 0;
  std::unique_ptr<byte_segment> segment;
  std::vector<char> needed;
  std::uint64_t published = 0, readings = 0;
  bool publishing = false, reading = false;  // one that a timeout has cut short goes on
  std::uint64_t finished = 0;                // steps
  std::unique_ptr<segment_counts> counts;    // of waits and copies; null: nobody wants to know
};

}  // namespace wherry
