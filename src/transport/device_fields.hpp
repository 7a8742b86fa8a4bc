// Fields in device memory, of an exchange of which every transport can carry the rest: what leaves is packed by the
// device into pinned memory of the host, or into its own where what carries it reaches that (packed_memory.hpp), and
// what arrives the device unpacks. What a rank moves to itself from device to device never leaves it. One launch packs
// all fields and directions of a stage, one unpacks them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/device/device.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

#include "device/device_handles.hpp"
#include "device/move_table.hpp"
#include "meeting_fields.hpp"
#include "packed_memory.hpp"

namespace wherry {

class device_fields {
 public:
  /// Null where no field of the plan is in device memory, or nobody has a device.
  /// @param code gets operations for messages that are for the host in part only
  /// @throws error(argument) for what no device does
  static std::unique_ptr<device_fields> of(const communicator& comm, const schedule& users, functions& code,
                                           bool snapshot);
  ~device_fields();

  /// What the host has to carry. Some fields more: the packed messages, and what goes between host and device.
  const schedule& on_host() const { return host_; }
  bool is_on_device(std::size_t field) const { return on_device_[field] != 0; }

  /// Where the messages to and from ranks of the same node are packed, and those of others.
  packed_memory& packed(bool same_node) { return same_node ? node_ : elsewhere_; }
  const packed_memory& packed(bool same_node) const { return same_node ? node_ : elsewhere_; }
  /// Which of them this field of `on_host` is; null: neither.
  packed_memory* packed_in(std::int32_t field);
  /// Before the first start: each is where it stays.
  void settle();

  /// The pointers of the starts that follow. @param host gets those for `on_host`
  /// @throws error(argument) for a pointer that is not where its field is said to be
  void set(field_table users, std::vector<void*>& host);

  bool is_set() const { return is_set_; }

  std::uint64_t start_number() const { return start_; }

  /// The exchange's data becomes ready in so many parts.
  void divide(std::size_t parts);
  /// This part of what leaves is there, when what is in the user's stream is done, if there is one. For any thread, but
  /// before the exchange's gates hear of it.
  void ready(std::size_t part);

  /// A start: after what is in the user's stream (see `in_stream`), if there is one. Until `started`, what the device
  /// does for it goes into that stream, where it waits for nothing else.
  void begin();
  /// What follows goes into this one's own stream again, and runs beside what the user puts into his.
  void started();
  void started_in_vain() noexcept;
  /// Packs what leaves in a stage, and copies what goes from device to device.
  /// @param has_room the peers have read what was there; else it is packed beside, for `bring_in`
  void leave(std::size_t stage, bool has_room);
  /// Packs what leaves in the next stage before its turn: it depends on nothing that this one brings. There is room.
  void leave_ahead(std::size_t stage);
  /// Is what leaves in the stage packed beside?
  bool is_aside(std::size_t stage) const { return stage == aside_ || stage >= aside_from_; }
  void bring_in(std::size_t stage);
  /// Is what leaves in the stage where it can be sent? Of a snapshot, is all of it taken?
  bool has_left(std::size_t stage) const {
    return (!needs_host_[stage] && !snapshot_) || by_.has_happened(left(stage));
  }
  bool waits_for_user() const { return waits_for_user_; }
  /// What has arrived in a stage is unpacked.
  void arrive(std::size_t stage);
  /// All has been unpacked that there was, as far as the host has to do with it.
  void end();
  /// Called by the user's thread after that. True when all is in the fields, or will be before anything that is put
  /// into the stream in which he waits from now on.
  bool is_delivered();
  /// The number of the last start of which all that arrived has been read, starts numbered from 1.
  std::uint64_t last_read();
  /// The same, once the device has finished: it touches nothing any more, even if it has failed.
  std::uint64_t last_ended() const { return ended_; }
  /// Waits until the device is done with all that it was given.
  void finish() noexcept;

  /// Nothing touches the user's memory any more when this returns. What leaves from `stage` on has been packed by then,
  /// so that the peers' exchanges can end; nothing more is unpacked.
  void let_go(std::size_t stage) noexcept;

  std::string explain() const;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct moved {
    block_row from, to;
    const reduction* how = nullptr;
    std::size_t arrival = none;  // of the node's messages, the one that it is a part of
    /// By way of memory in between: all is read before any is written. Between two fields only where these are found
    /// to lie in the same memory.
    enum class way : std::uint8_t { direct, buffered, buffered_where_fields_meet } by = way::direct;
    block_row between{};  // the buffer's
  };
  struct stage_part {
    std::vector<moved> packed, copied, unpacked;
  };
  using waves = std::vector<move_table>;  // one after the other
  struct stage_tables {
    waves packed, copied, read, written, unpacked;
  };
  struct tables {
    std::vector<stage_tables> stages;
    bool buffered = false;  // something goes by way of the buffer
  };

  // device_fields_binding.cpp
  device_fields(const communicator& comm, const device& by, const schedule& users, functions& code, bool snapshot);
  bool is_on_device(const block_row& row) const { return is_on_device(static_cast<std::size_t>(row.field)); }
  std::int32_t field_of(const packed_memory& where) const;
  block_row slot_for(const block_row& row, packed_memory& where);
  void take_stage(const communicator& comm, const schedule& users, std::size_t stage, functions& code);
  void take_sends(const communicator& comm, const schedule& users, std::size_t stage);
  void take_receives(const communicator& comm, const schedule& users, std::size_t stage, functions& code);
  void take_copies(const schedule& users, std::size_t stage, const functions& code);
  const reduction* of_block(const functions& code, int operation, const block_row& row) const;
  std::vector<std::pair<block_row, block_row>> combined_once(const block_row& from, const block_row& to,
                                                             const reduction* how);
  int by_block(functions& code, int operation);
  std::size_t pointers() const;
  block source_of(const moved& m) const;
  waves in_waves(const std::vector<moved>& all, std::int64_t alignment);
  void add_copies(const std::vector<moved>& all, std::int64_t alignment, bool fields_meet, stage_tables& made);
  const tables& tables_for(std::int64_t alignment, bool fields_meet);

  std::uint32_t parity() const { return static_cast<std::uint32_t>(start_ & 1); }
  device_event left(std::size_t stage) const { return stage % 2 == 0 ? left_even_ : left_odd_; }
  device_event done() const { return parity() == 0 ? done_even_ : done_odd_; }
  device_stream stream();
  bool is_alone() const;
  void hold_for_parts();
  void mark_end();
  void mark_end_or_finish();
  void hold_for_user();
  void upload();
  void put_places(void** next, std::uint32_t which, bool aside) const;
  void run(const waves& all, std::uint32_t image);

  const device& by_;
  schedule host_;
  bool snapshot_;
  std::vector<char> on_device_;  // of the user's fields
  std::vector<char> moves_;      // those of them that anything is moved from or to
  packed_memory mixed_, node_, elsewhere_;
  std::int32_t first_field_;  // of those three, in that order; then the buffer, then the node's arrivals
  std::int64_t buffer_bytes_ = 0;
  std::map<int, int> mixtures_;  // by the operation that they are of
  std::vector<stage_part> parts_;
  std::vector<char> needs_host_;  // of the stages

  // Field pointers in three images: for starts of either parity, and for what is packed beside.
  static constexpr std::uint32_t images = 3, beside = 2;
  bool are_many() const { return pointers() > field_places::most_that_go_along; }
  field_places places_[images];
  device_bytes buffer_, table_image_, table_;  // the latter two of many pointers
  owned_event uploaded_, ready_, left_even_, left_odd_, done_even_, done_odd_;
  std::vector<void*> users_;
  meeting_fields may_meet_;
  std::map<std::pair<std::int64_t, bool>, tables> tables_;  // by the pointers' alignment, and whether fields meet
  const tables* in_use_ = nullptr;
  bool is_set_ = false, is_let_go_ = false, waits_for_user_ = false, has_ended_ = true;
  std::optional<device_stream> users_stream_;  // between `begin` and `started`
  bool follows_ = false;  // this one's own stream has yet to wait for what a start has put into the user's
  std::optional<device_stream> delivered_in_;       // the last start, if not to the host
  std::optional<device_stream> unmarked_;           // there; its end is marked by no event yet
  bool changes_streams_ = false;                    // the user starts in one and then in another
  bool is_uploaded_ = false;                        // seen to have happened
  std::uint64_t start_ = 0, ended_ = 0, read_ = 0;  // numbers of starts
  std::size_t ahead_ = none;                        // the stage that was packed before its turn
  std::size_t aside_ = none, aside_from_ = none;    // stages
  struct announced {
    explicit announced(const device& by) : at(by) {}
    owned_event at;
    std::uint64_t start = 0;  // in which the event was recorded last
  };
  std::deque<announced> parts_ready_;
  owned_stream stream_;  // ended first
};

}  // namespace wherry
