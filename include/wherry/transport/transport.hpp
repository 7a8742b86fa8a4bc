/// @file
/// A transport: one way to carry a schedule. It is a row of facts and one function that binds. Add one of your own as
/// follows; docs/contribute.md says more:
///
///     wherry::transports::register_transport(
///         {.name = "mine",
///          .meaning = "what it does, in a line",
///          .estimate = [](const wherry::transports::message_load& load) { return 0.5 + 2e-4 * load.bytes; },
///          .bind = [](const wherry::transports::bind_request& request) -> std::unique_ptr<wherry::transports::carrier>
///          {
///            return std::make_unique<my_carrier>(request);
///          }});
///
/// Programs that only choose a transport set `carry_options::transport` or WHERRY_TRANSPORT.
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
class shape_kernels;  // plan/copy_engine.hpp, for transports that pack
}
class device_fields;  // src/transport/device_fields.hpp, for transports that lend data that the device has packed
}  // namespace wherry

namespace wherry::transports {

/// A schedule that is bound to one transport. The exchange drives it stage by stage, and makes the copies of a rank to
/// itself. `start_stage` and `test_stage` are called in each exchange: they allocate nothing, take no lock and never
/// block. All functions are local.
class carrier {
 public:
  virtual ~carrier() = default;

  /// Begins to receive and to send the messages of `stage`. `fields` stays valid until the stage is complete.
  virtual void start_stage(std::size_t stage, plans::field_table fields) = 0;

  /// True if the messages of a stage can be sent one by one, with the next two functions in place of `start_stage`.
  virtual bool sends_one_by_one() const { return false; }
  /// Begins to receive the messages of `stage`.
  virtual void start_receiving(std::size_t stage, plans::field_table fields) { start_stage(stage, fields); }
  /// Sends message number `message` of those that this rank sends in `stage`.
  virtual void send_one([[maybe_unused]] std::size_t stage, [[maybe_unused]] std::size_t message, plans::field_table) {}

  /// True if the data of message number `message` of those that this rank receives in `stage` is in the fields. False
  /// if that is not known before the whole stage is complete.
  virtual bool has_delivered([[maybe_unused]] std::size_t stage, [[maybe_unused]] std::size_t message) const {
    return false;
  }

  /// Makes progress. Returns true when all data that arrives in this stage is in the fields, and all data that is sent
  /// may be overwritten. It stays true until the next `start_stage`.
  virtual bool test_stage(std::size_t stage, plans::field_table fields) = 0;

  /// Appends the peers whose message of this stage has not arrived, for the text of a timeout.
  virtual void append_missing(std::size_t stage, std::vector<int>& peers) const = 0;

  /// The number of bytes of a message that are read directly from the sender's fields, for `explain`. The last argument
  /// is the place of the message among the sends or receives of the stage.
  virtual std::size_t bytes_in_place(std::size_t, [[maybe_unused]] bool sent, std::size_t) const { return 0; }

  /// One more line for `explain`, or nothing.
  virtual std::string remark() const { return {}; }

  /// True if this rank has data of `stage` yet to send, which it sends only if it is driven.
  virtual bool owes(std::size_t) const { return false; }
  /// True if `owes` can be true after a stage has begun. It is asked once, at bind; if it is true, each start calls
  /// `owes`.
  virtual bool may_owe() const { return true; }
  /// Sends as much as possible of the data that `owes` reports, and receives nothing. A class that overrides one of the
  /// two overrides the other, too.
  virtual void send_owed([[maybe_unused]] std::size_t stage, plans::field_table) {}
  /// True if some of that data is still in the fields. An abandoned exchange then keeps a copy of the data that it
  /// sends.
  virtual bool owes_from_fields(std::size_t stage) const { return owes(stage); }

  // For rows that reach device memory. Starts are numbered from 1.

  /// True if the device may pack the data of `stage` of this start; false while a peer still reads the data before it.
  virtual bool has_room([[maybe_unused]] std::size_t stage, [[maybe_unused]] std::uint64_t start) { return true; }
  /// Says that the device has read all data that arrived in this start and in those before it.
  virtual void has_read([[maybe_unused]] std::uint64_t start) {}

  /// The user has abandoned the exchange in `stage`. When this returns, neither this rank nor a peer touches `fields`
  /// any more. The exchange continues to its end with `substitutes`, so that the peers can complete theirs.
  virtual void let_go(std::size_t, [[maybe_unused]] plans::field_table fields,
                      [[maybe_unused]] plans::field_table substitutes) {}
};

/// The arguments of `transport::bind`. All references outlive the carrier.
struct bind_request {
  const communicator& comm;
  const plans::schedule& plan;              ///< the whole plan, to which the rows of the messages refer
  const std::vector<plans::stage>& stages;  ///< the messages of the peers that this transport reaches; no copies
  detail::shape_kernels& kernels;           ///< the kernels of the plan, to pack with
  const plans::functions& code;
  int tag;                             ///< of this exchange alone, on `comm.private_handle()`
  bool snapshot;                       ///< fields may be written after start, so that they must not be read later
  bool keep_buffers = true;            ///< false: no memory should be held between exchanges
  device_fields* on_device = nullptr;  ///< packs and unpacks in device memory; null: nothing does so on this rank
};

/// The properties of one message from which its cost is estimated.
struct message_load {
  double bytes = 0, blocks = 0;
  bool same_node = false;  ///< of the sender and the receiver
  int ranks = 0;           ///< number of ranks of the communicator
  int node_ranks = 1;      ///< number of ranks of the receiver's node
  bool on_device = false;  ///< a device packs and unpacks all of the message
};

/// One row of the table of transports: the abilities of the transport and its cost. `auto` chooses by this row alone.
struct transport {
  std::string name;
  std::string meaning;              ///< one line, for `./run info`
  const char* blocks_by = nullptr;  ///< the code that moves the blocks, for `explain`; null: the copy engine's kernels

  bool node_only = false;  ///< reaches only ranks of the same node, through memory that the node shares
  /// Carries data that a device has packed, from where it lies in device memory: each message is contiguous there.
  /// Messages that also have host memory do not go to such a transport. (Without a device: memory that is declared
  /// device memory.)
  bool device_memory = false;
  /// Allocates device memory itself, to lend it. Otherwise the library allocates it for the messages.
  bool lends = false;
  /// Says why the transport cannot be used in this process; empty or null: it can. Local.
  std::string (*absence)() = nullptr;
  bool gives_back_buffers = false;  ///< can do without memory between exchanges
  /// True if the transport suits a plan; null: it suits any plan. `auto` takes it only for whole plans that it suits on
  /// all ranks. Local.
  bool (*suits)(const plans::schedule& plan, const communicator& comm) = nullptr;
  /// The expected microseconds for one message, for comparisons with other rows; infinite: not for this message. The
  /// receiver calls it before anything is bound. Null: the transport is taken only by name.
  double (*estimate)(const message_load& load) = nullptr;

  /// Binds. Collective over `request.comm`, in the same order on all ranks, including ranks without messages.
  std::unique_ptr<carrier> (*bind)(const bind_request& request) = nullptr;
};

/// Adds a transport of your own. Local; all ranks must do it in the same order. Every exchange and `WHERRY_TRANSPORT`
/// then accept its name, and `auto` takes it where its estimate is the least; of equal ones it takes the first.
/// @throws error(argument) if the name is empty, "auto" or taken, or if `bind` is null
void register_transport(transport row);

/// The transport with this name. Local. @throws error(argument) that lists the known names, if there is none
const transport& find_transport(std::string_view name);

/// All transports, in the order in which they were registered. Local. "auto" is not one of them; it is the choice among
/// them.
std::vector<const transport*> all_transports();

}  // namespace wherry::transports
