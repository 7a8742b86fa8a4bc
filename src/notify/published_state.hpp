// The state of published layouts: what is bound (published_binding.cpp), and what each step does with it
// (published_steps.cpp). How two ranks go about it is in channel/notified_channel.hpp and channel/read_claim.hpp, and
// for what lies in device memory in channel/lent_channel.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/plan/functions.hpp"

#include "channel/notified_channel.hpp"
#include "channel/read_claim.hpp"
#include "field_groups.hpp"
#include "flight/flight.hpp"
#include "node_places.hpp"
#include "transport/device_fields.hpp"
#include "transport/in_place_blocks.hpp"
#include "transport/lent_messages.hpp"

namespace wherry {

/// What stands before the data in a slot.
struct slot_head {
  std::uint64_t in_place = 0;  // 1: some is to be read from the fields, whose places follow
  read_claim<> claim;          // of that
};
inline slot_head& head_of(std::byte* slot) { return *std::launder(reinterpret_cast<slot_head*>(slot)); }

struct published_layouts::state final : flight {
  static constexpr const char* handle = "published_layouts";

  /// One direction of the plan, what leaves or what arrives, as the host carries it: all of it, or what a device leaves
  /// to the host.
  struct direction {
    /// @param half that direction of the user's plan
    direction(const communicator& comm, const wherry::plans::schedule& users, const wherry::plans::schedule& half,
              plans::functions& code);

    std::unique_ptr<device_fields> device;  // null: it has no fields there
    const wherry::plans::schedule& plan;
    detail::shape_kernels kernels;
    std::vector<void*> fields;
  };

  struct outgoing {
    const plans::message* what = nullptr;
    field_groups parts;
    std::size_t slots[2]{};  // in the receiver's segment
    int arrival = 0;         // the receiver's notification
    int acknowledgement = 0;
    notified_sender<> side;
    std::size_t data = 0;         // where it begins in a slot
    std::vector<std::byte> wire;  // a slot, for a receiver that is not reached by stores
  };

  struct incoming {
    const plans::message* what = nullptr;
    int node_index = -1;
    field_groups parts;
    planned_copies in_place;  // of all groups
    std::size_t slots[2]{};
    int arrival = 0;
    int acknowledgement = 0;  // the sender's notification
    std::size_t data = 0;
    std::vector<void*> their_fields;
    notified_receiver<> side;
  };

  state(const communicator& on, wherry::plans::schedule what, const published_options& how);
  ~state() override;

  // published_binding.cpp
  void bind(const published_options& how);
  void check() const;
  void find_devices();
  bool has_messages_of_node() const;
  bool can_lend() const;
  void bind_lent(int tag);
  bool is_lent(const plans::message& m) const { return lent != nullptr && comm.node_index(m.peer) >= 0; }
  void lay_out(std::size_t most_fields);
  void meet(int tag);
  transports::bind_request request(direction& of, const std::vector<plans::stage>& stages, int tag) const;

  // published_steps.cpp: each is asked again until it is true
  void require_fields(plans::field_table fields) const;
  /// @throws error(state) where what was published last has been freed before all had read it
  void require_published() const;
  bool try_publish(plans::field_table fields);
  bool try_read(plans::field_table fields);
  bool have_all_read();
  /// What is published is on its way, or there is nothing.
  bool drive();

  void append_who_has_not_read(std::vector<int>& ranks);
  void append_who_has_not_published(std::vector<int>& ranks);
  void withdraw_all() noexcept;

  std::string transport() const;

  communicator comm;
  std::string name, called;  // the user's; the whole
  wherry::plans::schedule plan;
  plans::functions code;
  std::optional<node_places> places;
  std::optional<direction> leaving, arriving;
  std::unique_ptr<lent_messages> lent;  // null: no message of the node is, as `why_not_lent` says where some could be
  std::string why_not_lent;
  std::vector<detail::direct_copies> to_oneself;  // a stage each; those of the first wait for nobody
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  std::size_t segment_bytes = 0;
  std::unique_ptr<byte_segment> segment;
  std::vector<char> needed;
  std::uint64_t published = 0, readings = 0;
  std::uint64_t frees_seen = 0;  // of the arena's pieces, at the last publication
  bool is_unread = false;        // as far as its user knows
  enum class stage_of { nothing, waiting_for_room, packing, leaving } publishing = stage_of::nothing;
  bool goes_on = false;  // one that a timeout has cut short
  enum class reading_of { nothing, arriving, unpacking } reading = reading_of::nothing;
  std::size_t stage_read = 0;
  bool has_left = false, has_copied_own = false;   // of that stage, what goes to oneself
  std::uint64_t finished = 0;                      // steps
  std::unique_ptr<detail::segment_counts> counts;  // of waits and copies; null: nobody wants to know

 private:
  bool advance() override;

  /// Those of this step. @throws error(argument) for a pointer that is not where its field is said to be
  void set_fields(direction& of, plans::field_table users) const;
  void begin_publication(plans::field_table fields);
  void begin_reading(plans::field_table fields);
  bool try_pack();
  bool has_packed() const;
  void leave_stage();
  bool is_the_hosts_turn() const;
  void send_what_is_packed() noexcept;
  bool bring_in();
  bool receive_all();
  void tell_read();

  bool try_send_all();
  void put(outgoing& s);
  void fill(outgoing& s, std::byte* slot) const;
  bool try_receive(incoming& r);
  void take(incoming& r, std::byte* slot);

  std::uint64_t told_read_ = 0;
};

}  // namespace wherry
