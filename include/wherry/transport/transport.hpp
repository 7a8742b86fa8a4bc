/// @file
/// A transport: one way to carry a schedule. A small table of facts and one function; see `docs/` or CONTRIBUTING.md
/// for how to add one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

namespace detail {
class shape_kernels;  // plan/copy_engine.hpp, for those who pack
}
class device_fields;  // src/transport/device_fields.hpp, for those who lend what the device has packed

/// A schedule bound to one transport. The exchange drives it stage by stage; copies to oneself are the exchange's.
/// Only `start_stage` and `test_stage` are on the hot path: they allocate nothing, take no lock and never block.
class carrier {
 public:
  virtual ~carrier() = default;

  /// Begins to receive and to send the messages of `stage`. `fields` stays valid until the stage is complete.
  virtual void start_stage(std::size_t stage, field_table fields) = 0;

  /// Can what is sent in a stage leave message by message, by these two instead of `start_stage`?
  virtual bool sends_one_by_one() const { return false; }
  /// Begins to receive the messages of `stage`.
  virtual void start_receiving(std::size_t stage, field_table fields) { start_stage(stage, fields); }
  /// Sends message number `message` of those that this rank sends in `stage`.
  virtual void send_one([[maybe_unused]] std::size_t stage, [[maybe_unused]] std::size_t message, field_table) {}

  /// Whether what arrives in `stage` by message number `message` of those that this rank receives is in the fields.
  /// False where nobody knows before the whole stage is complete.
  virtual bool has_delivered([[maybe_unused]] std::size_t stage, [[maybe_unused]] std::size_t message) const {
    return false;
  }

  /// Makes progress. True once everything that arrives in this stage is in the fields and everything that leaves has
  /// left them; it stays true until the next `start_stage`.
  virtual bool test_stage(std::size_t stage, field_table fields) = 0;

  /// Appends the peers whose message of this stage has not arrived, for the error text of a timeout.
  virtual void append_missing(std::size_t stage, std::vector<int>& peers) const = 0;

  /// Of a message, by its place among the sends or receives of `stage`, the bytes that are read straight from the
  /// sender's fields. For `explain`.
  virtual std::size_t bytes_in_place(std::size_t, [[maybe_unused]] bool sent, std::size_t) const { return 0; }

  /// What else is to be said of it, a line for `explain`; or nothing.
  virtual std::string remark() const { return {}; }

  /// Has this rank something of `stage` yet to send, which it does only when it is driven?
  virtual bool owes(std::size_t) const { return false; }
  /// Can that be so when a stage has begun? Asked once, when it is bound: of one that can, each start asks `owes`.
  virtual bool may_owe() const { return true; }
  /// Sends what `owes` speaks of, as far as it can go by now; receives nothing. Whoever has the one has the other.
  virtual void send_owed([[maybe_unused]] std::size_t stage, field_table) {}
  /// Is any of that still in the fields? Then an abandoned exchange keeps a copy of what it sends.
  virtual bool owes_from_fields(std::size_t stage) const { return owes(stage); }

  // Of a row that reaches device memory; starts are numbered from 1.

  /// May the device pack what leaves in `stage` of this start? Not while a peer reads what was there.
  virtual bool has_room([[maybe_unused]] std::size_t stage, [[maybe_unused]] std::uint64_t start) { return true; }
  /// What arrived in this start, and in those before, the device has read.
  virtual void has_read([[maybe_unused]] std::uint64_t start) {}

  /// The user has abandoned the exchange in `stage`: when this returns nobody, no peer either, touches `fields` any
  /// more. The exchange goes on to its end on `substitutes`, so that the peers can end theirs.
  virtual void let_go(std::size_t, [[maybe_unused]] field_table fields, [[maybe_unused]] field_table substitutes) {}
};

/// What a transport gets to bind. All references outlive the carrier.
struct bind_request {
  const communicator& comm;
  const schedule& plan;              ///< the whole of it: what the messages' rows refer to
  const std::vector<stage>& stages;  ///< only messages of peers this transport is asked to reach; no copies
  detail::shape_kernels& kernels;    ///< of the plan, to pack with
  const functions& code;
  int tag;                             ///< of this exchange alone, on `comm.handle()`
  bool snapshot;                       ///< fields may be written after start: they must not be read later
  bool keep_buffers = true;            ///< false: a wish that no memory be held between exchanges
  device_fields* on_device = nullptr;  ///< what packs and unpacks there; null: nothing does on this rank
};

/// One message, as `auto` weighs it.
struct message_load {
  double bytes = 0, blocks = 0;
  bool same_node = false;  ///< sender and receiver
  int ranks = 0;           ///< of the communicator
  int node_ranks = 1;      ///< of the receiver's node
  bool on_device = false;  ///< a device packs and unpacks all of it
};

/// One row of the table: what the transport can carry, and how well. `auto` chooses by this alone.
struct transport {
  std::string name;
  std::string meaning;              ///< one line, for `./run info`
  const char* blocks_by = nullptr;  ///< what moves the blocks, for `explain`; null: the copy engine's kernels

  bool node_only = false;  ///< reaches only ranks of the same node, by memory that the node shares
  /// Carries what a device has packed, as it lies in the device's memory: each message is contiguous there. Messages
  /// that have memory of the host, too, it does not get. (Without a device: what is said to be in device memory.)
  bool device_memory = false;
  /// Takes the device's memory itself, to lend it: none is taken for what it carries.
  bool lends = false;
  /// Local. Why it cannot be used in this process; empty where it can. Null: it can.
  std::string (*absence)() = nullptr;
  bool gives_back_buffers = false;  ///< can do without memory between exchanges
  /// Local. Null: good for any plan. Else `auto` takes it only for whole plans of which this is true on all ranks.
  bool (*suits)(const schedule& plan, const communicator& comm) = nullptr;
  /// Microseconds expected for one message, to compare rows with, not a promise; infinite: not this one. Asked of the
  /// receiver, before anything is bound. Null: only by name.
  double (*estimate)(const message_load& load) = nullptr;

  /// Collective over `request.comm`, in the same order on all ranks, also on ranks without messages.
  std::unique_ptr<carrier> (*bind)(const bind_request& request) = nullptr;
};

/// Adds a transport of your own, on all ranks in the same order. Its name can then be given to every exchange and to
/// `WHERRY_TRANSPORT`, and `auto` takes it where it is expected to take least; of equals it takes the first.
/// @throws error(argument) when the name is taken.
void register_transport(transport row);

/// @throws error(argument) that lists the names there are.
const transport& find_transport(std::string_view name);

/// All transports, in the order of registration; "auto" is not one of them but the choice among them.
std::vector<const transport*> all_transports();

}  // namespace wherry
