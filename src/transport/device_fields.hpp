// The part of an exchange that lies in device memory, so that every transport can carry the rest. The device packs the
// messages that leave into pinned memory of the host, or into device memory if the transport reaches it
// (packed_memory.hpp), and unpacks the messages that arrive. Copies of this rank to itself from device to device never
// leave the device. One launch packs all fields and directions of a stage, and one unpacks them.
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
  /// Null if no field of the plan is in device memory, or if there is no device.
  /// @param code gets operations for messages of which only a part belongs to the host
  /// @throws error(argument) if no device can do what the plan asks for
  static std::unique_ptr<device_fields> of(const communicator& comm, const plans::schedule& users,
                                           plans::functions& code, bool snapshot);
  ~device_fields();

  /// The plan that the host carries. It has three fields more than the user's plan: those for the packed messages of
  /// the node and of other nodes, and the one for copies between host and device.
  const plans::schedule& on_host() const { return host_; }
  bool is_on_device(std::size_t field) const { return on_device_[field] != 0; }

  /// Where the messages to and from the ranks of the same node are packed, or those of other nodes.
  packed_memory& packed(bool same_node) { return same_node ? node_ : elsewhere_; }
  const packed_memory& packed(bool same_node) const { return same_node ? node_ : elsewhere_; }
  /// The packed memory that this field of `on_host` stands for; null if it is another field.
  packed_memory* packed_in(std::int32_t field);
  /// Called once, before the first start, when the packed memories have found their places.
  void settle();

  /// Sets the pointers of the starts that follow. @param host gets the pointers for `on_host`
  /// @throws error(argument) if a pointer is not in the memory that its field names
  void set(plans::field_table users, std::vector<void*>& host);

  bool is_set() const { return is_set_; }

  std::uint64_t start_number() const { return start_; }

  /// Says that the exchange's data becomes ready in so many parts.
  void divide(std::size_t parts);
  /// This part of the data is ready when the work in the user's stream so far is done, if there is such a stream. Any
  /// thread may call it, but must do so before the exchange's gates learn of the part.
  void ready(std::size_t part);

  /// Begins a start, after the work that is in the user's stream (see `in_stream`), if there is one. Until `started`,
  /// the device's work for this start goes into that stream, where it waits for nothing else.
  void begin();
  /// Ends what `begin` began: later work goes into this object's own stream again, beside the user's work in the user's
  /// stream.
  void started();
  void started_in_vain() noexcept;
  /// Packs the messages that leave in a stage, and does the copies from device to device.
  /// @param has_room true: the peers have read the buffer; false: packs aside instead, for `bring_in`
  void leave(std::size_t stage, bool has_room);
  /// Packs the messages of the next stage before its turn. That stage must not depend on anything that this one brings,
  /// and its buffer must be free.
  void leave_ahead(std::size_t stage);
  /// True if the messages of the stage are packed aside.
  bool is_aside(std::size_t stage) const { return stage == aside_ || stage >= aside_from_; }
  void bring_in(std::size_t stage);
  /// True if the messages of the stage are where they can be sent from. With `snapshot`, true only if all data is
  /// taken.
  bool has_left(std::size_t stage) const {
    return (!needs_host_[stage] && !snapshot_) || by_.has_happened(left(stage));
  }
  bool waits_for_user() const { return waits_for_user_; }
  /// Unpacks the messages of a stage, which have arrived.
  void arrive(std::size_t stage);
  /// Ends the start: all that the host brings has been given to the device to unpack.
  void end();
  /// Called by the user's thread after `end`. Returns true if all data is in the fields, or will be there before
  /// anything that the user puts into the stream in which he waits from now on.
  bool is_delivered();
  /// The number of the last start, counted from 1, whose arrived data has all been read.
  std::uint64_t last_read();
  /// The number of the last start that has ended. Used once the device has finished, when even a failed device touches
  /// no memory any more.
  std::uint64_t last_ended() const { return ended_; }
  /// Waits until the device has done all its work.
  void finish() noexcept;

  /// When it returns, nothing touches the user's memory any more. The messages that leave from `stage` on have then
  /// been packed, so that the peers' exchanges can end; nothing more is unpacked.
  void let_go(std::size_t stage) noexcept;

  std::string explain() const;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct moved {
    plans::block_row from, to;
    const plans::typed_reduction* how = nullptr;
    std::size_t arrival = none;  // of the node's messages, the one that it is a part of
    /// How the bytes move. `buffered` reads everything into a buffer before anything is written.
    /// `buffered_where_fields_meet` does so only if the two fields turn out to lie in the same memory.
    enum class way : std::uint8_t { direct, buffered, buffered_where_fields_meet } by = way::direct;
    plans::block_row between{};  // in the buffer
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
    bool buffered = false;  // some copies use the buffer
  };

  // Defined in device_fields_binding.cpp:
  device_fields(const communicator& comm, const device& by, const plans::schedule& users, plans::functions& code,
                bool snapshot);
  bool is_on_device(const plans::block_row& row) const { return is_on_device(static_cast<std::size_t>(row.field)); }
  std::int32_t field_of(const packed_memory& where) const;
  plans::block_row slot_for(const plans::block_row& row, packed_memory& where);
  void take_stage(const communicator& comm, const plans::schedule& users, std::size_t stage, plans::functions& code);
  void take_sends(const communicator& comm, const plans::schedule& users, std::size_t stage);
  void take_receives(const communicator& comm, const plans::schedule& users, std::size_t stage, plans::functions& code);
  void take_copies(const plans::schedule& users, std::size_t stage, const plans::functions& code);
  const plans::typed_reduction* of_block(const plans::functions& code, int operation,
                                         const plans::block_row& row) const;
  std::vector<std::pair<plans::block_row, plans::block_row>> combined_once(const plans::block_row& from,
                                                                           const plans::block_row& to,
                                                                           const plans::typed_reduction* how);
  int by_block(plans::functions& code, int operation);
  std::size_t pointers() const;
  plans::block source_of(const moved& m) const;
  waves in_waves(const std::vector<moved>& all, std::int64_t alignment);
  void add_copies(const std::vector<moved>& all, std::int64_t alignment, bool fields_meet, stage_tables& made);
  const tables& tables_for(std::int64_t alignment, bool fields_meet);

  std::uint32_t parity() const { return static_cast<std::uint32_t>(start_ & 1); }
  detail::device_event left(std::size_t stage) const { return stage % 2 == 0 ? left_even_ : left_odd_; }
  detail::device_event done() const { return parity() == 0 ? done_even_ : done_odd_; }
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
  plans::schedule host_;
  bool snapshot_;
  std::vector<char> on_device_;  // for each of the user's fields
  std::vector<char> moves_;      // for each of them: data moves from or to it
  packed_memory mixed_, node_, elsewhere_;
  std::int32_t first_field_;  // of those three, in that order; then the buffer, then the node's arrivals
  std::int64_t buffer_bytes_ = 0;
  std::map<int, int> mixtures_;  // by operation of the plan
  std::vector<stage_part> parts_;
  std::vector<char> needs_host_;  // for each stage

  // The table of field pointers exists in three images: for even starts, for odd starts, and for packing aside.
  static constexpr std::uint32_t images = 3, beside = 2;
  bool are_many() const { return pointers() > field_places::most_that_go_along; }
  field_places places_[images];
  device_bytes buffer_, table_image_, table_;  // the latter two only if there are many pointers
  owned_event uploaded_, ready_, left_even_, left_odd_, done_even_, done_odd_;
  std::vector<void*> users_;
  meeting_fields may_meet_;
  std::map<std::pair<std::int64_t, bool>, tables> tables_;  // by the pointers' alignment, and whether fields meet
  const tables* in_use_ = nullptr;
  bool is_set_ = false, is_let_go_ = false, waits_for_user_ = false, has_ended_ = true;
  std::optional<device_stream> users_stream_;  // from `begin` to `started`
  bool follows_ = false;                       // the own stream has yet to wait for a start's work in the user's stream
  std::optional<device_stream> delivered_in_;  // of the last start; empty: to the host
  std::optional<device_stream> unmarked_;      // the stream in which no event marks the end of its start yet
  bool changes_streams_ = false;               // the user has started in more than one stream
  bool is_uploaded_ = false;                   // the upload was seen to be done
  std::uint64_t start_ = 0, ended_ = 0, read_ = 0;  // numbers of starts
  std::size_t ahead_ = none;                        // the stage that was packed before its turn
  std::size_t aside_ = none, aside_from_ = none;    // stages
  struct announced {
    explicit announced(const device& by) : at(by) {}
    owned_event at;
    std::uint64_t start = 0;  // the start in which the event was recorded last
  };
  std::deque<announced> parts_ready_;
  owned_stream stream_;  // the last member, so that it is ended first
};

}  // namespace wherry
