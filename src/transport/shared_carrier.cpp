// The transport `shared`: carries messages inside a node by flags and memory alone. Short rows are packed by the sender
// into staging and unpacked by the receiver; long rows of fields in node-shared memory are copied once, straight from
// the sender's field. Short rows are not read in place, because rows of a few doubles share cache lines with the
// neighbour's interior, and these lines would travel back and forth.
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "bind_mail.hpp"
#include "channel/shared_channel.hpp"
#include "core/arena_block.hpp"
#include "core/copies_for_reader.hpp"
#include "in_place_blocks.hpp"
#include "message_wise.hpp"
#include "one_copy_row.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

/// A sender's message to the receiver at bind. The list of blocks that may be read in place follows.
struct channel_ticket {
  std::uint64_t channel = 0;    // offset of the shared_channel in the sender's arena
  std::uint64_t staging[2]{};   // offsets of the buffers
  std::uint64_t addresses = 0;  // offset of the sender's published field addresses
  std::uint64_t fields = 0;
  std::uint64_t blocks = 0, shareable = 0;  // number of blocks; words of the list of those that may be read in place
};

struct leg {
  int peer;
  const plans::message* what;
  explicit leg(const plans::message& m) : peer(m.peer), what(&m) {}
};

struct outgoing : leg {
  using leg::leg;
  message_parts parts;
  arena_block memory;
  shared_channel<>* channel = nullptr;
  shared_sender<> side;
  std::byte* staging[2]{};
  copies_for_reader to_staging;
  int polls = 0, patience = 0;
  bool held = false;                // `send` has not been called in this start
  bool answered = false;            // a message from the same rank tells what that rank has taken
  std::vector<std::byte> snapshot;  // for a deferred start, during which the fields may change
};

struct incoming : leg {
  using leg::leg;
  int node_index = 0;
  message_parts parts;
  planned_copies in_place;  // from the sender's fields to this rank's
  shared_receiver<> side;
  const std::byte* staging[2]{};
  const std::uint64_t* addresses[2]{};  // of the sender's fields, by parity of the start
  std::vector<void*> their_fields;
};

using stage_part = stage_messages<outgoing, incoming>;

/// Prefetches the first cache lines of staging together, because unpacking short rows would ask another core for only a
/// few lines at a time.
void fetch(const std::byte* staging, std::size_t bytes) {
  constexpr std::size_t line = 64, most = 4096;
  for (std::size_t at = 0; at < std::min(bytes, most); at += line) __builtin_prefetch(staging + at);
}

using sending = shared_sender<>::phase;

class shared_carrier final : public message_wise<stage_part> {
 public:
  explicit shared_carrier(const transports::bind_request& request)
      : comm_(request.comm),
        snapshot_(request.snapshot),
        bounce_(std::make_unique_for_overwrite<std::byte[]>(detail::shape_kernels::piece_bytes)),
        in_place_is_asked_for_(current_settings().one_copy_row != 0) {
    detail::collectively(comm_, "transport 'shared'", [&] { allocate(request); });
    agree_with_peers(request);
  }

  ~shared_carrier() override {
    // A receiver may still have to copy out of the staging of an exchange that is complete for this rank.
    for (auto& part : stages_)
      for (auto& s : part.sends)
        s.memory.retire([channel = s.channel, last = s.side.last_sent()] { return channel->has_taken(last); });
  }

  void start_stage(std::size_t number, plans::field_table fields) override {
    start_receiving(number, fields);
    for (auto& s : stages_[number].sends) send(s, fields);
  }

  bool sends_one_by_one() const override { return true; }

  void start_receiving(std::size_t number, plans::field_table fields) override {
    if (number == 0) begin(fields);
    auto& part = stages_[number];
    part.begin(start_);
    for (auto& s : part.sends) s.held = true;
  }

  void send_one(std::size_t number, std::size_t message, plans::field_table fields) override {
    send(stages_[number].sends[message], fields);
  }

  bool has_delivered(std::size_t number, std::size_t message) const override {
    return is_done(stages_[number].receives[message].side);
  }

  void send_owed(std::size_t number, plans::field_table fields) override {
    for (auto& s : stages_[number].sends)
      if (s.side.now() == sending::deferred && !s.held) try_send(s, fields, true);
  }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    send_owed(number, fields);
    part.receive_rest([&](incoming& r) { try_receive(r, fields); });
    bool complete = part.undelivered == 0;
    const bool received_all = complete;
    for (auto& s : part.sends) {
      if (s.side.now() == sending::reader_may_read) settle(s, fields, received_all);
      complete = complete && is_done(s.side);
    }
    return complete;
  }

  std::size_t bytes_in_place(std::size_t stage, bool sent, std::size_t number) const override {
    const auto& part = stages_[stage];
    return sent ? part.sends[number].parts.in_place.bytes() : part.receives[number].parts.in_place.bytes();
  }

  bool owes(std::size_t number) const override {
    const auto& sends = stages_[number].sends;
    return std::any_of(sends.begin(), sends.end(), [](const auto& s) { return s.side.now() == sending::deferred; });
  }

  bool may_owe() const override {
    return std::any_of(stages_.begin(), stages_.end(), [](const stage_part& part) {
      return std::any_of(part.sends.begin(), part.sends.end(), [](const outgoing& s) { return !s.answered; });
    });
  }

  /// Packs the rows that peers may still read in place. If a peer is reading them already, waits the short time until
  /// it has.
  void let_go(std::size_t number, plans::field_table fields, plans::field_table) override {
    in_place_possible_ = false;
    for (auto& s : stages_[number].sends) {
      if (s.side.now() != sending::reader_may_read) continue;
      s.side.pack_late([&](std::uint32_t buffer) { pack_rows(s, fields, buffer); });
      while (s.side.now() == sending::reader_may_read && !s.side.is_taken()) {
        detail::progress_mpi(comm_.private_handle());
        sched_yield();
      }
    }
  }

 private:
  void allocate(const transports::bind_request& request);
  void agree_with_peers(const transports::bind_request& request);
  void attach(incoming& r, const channel_ticket& ticket);
  bool is_received_from(int peer) const;

  std::span<std::byte> bounce() const { return {bounce_.get(), detail::shape_kernels::piece_bytes}; }
  void begin(plans::field_table fields);
  void publish_addresses(plans::field_table fields);
  void send(outgoing& s, plans::field_table fields);
  void try_send(outgoing& s, plans::field_table fields, bool late = false);
  void pack_rows(outgoing& s, plans::field_table fields, std::uint32_t buffer);
  void try_receive(incoming& r, plans::field_table fields);
  void settle(outgoing& s, plans::field_table fields, bool received_all);

  const communicator& comm_;
  bool snapshot_;
  std::unique_ptr<std::byte[]> bounce_;  // see message_packing::pack_in_bulk
  std::uint64_t start_ = 0;              // counts the starts
  arena_block published_;           // the offsets of this rank's fields in its arena, for its peers; for two starts
  bool reads_in_place_ = false;     // a receiver chose to read some of this rank's data in place
  bool in_place_possible_ = false;  // all fields of this start are in the arena
  bool in_place_is_asked_for_;      // whatever the distance
};

// ---------------------------------------------------------------------------------------------------------------- bind

void shared_carrier::allocate(const transports::bind_request& request) {
  if (comm_.arena() == nullptr)
    throw error(error_kind::resource, "transport 'shared'", "the node has no shared memory for this process",
                comm_.rank());
  published_ = arena_block(comm_, 2 * sizeof(std::uint64_t) * std::max<std::size_t>(1, request.plan.fields.size()));
  make_stages(
      request,
      [&](stage_part&, const plans::message& m) {
        incoming r(m);
        r.node_index = comm_.node_index(m.peer);
        return r;
      },
      [&](stage_part&, const plans::message& m) {
        outgoing s(m);
        // Room for each of the message's two parts to begin on a cache line of its own.
        const std::size_t staging =
            (static_cast<std::size_t>(request.plan.bytes_of(m)) + 16 * m.count + 255) / 128 * 128;
        s.memory = arena_block(comm_, sizeof(shared_channel<>) + 2 * staging);
        s.channel = new (s.memory.data()) shared_channel<>;
        s.side = shared_sender<>(*s.channel);
        for (std::size_t i = 0; i < 2; ++i) s.staging[i] = s.memory.data() + sizeof(shared_channel<>) + i * staging;
        return s;
      });
}

/// The sender describes the blocks that may be shared. The receiver knows both sides and decides which it reads in
/// place.
void shared_carrier::agree_with_peers(const transports::bind_request& request) {
  const auto row = one_copy_row(request.plan, request.stages);
  bind_mail mail(request);
  for (const auto& part : stages_)
    for (const auto& s : part.sends) {
      const auto at = s.memory.offset();
      const auto shareable = shareable_blocks(*s.what, request);
      channel_ticket ticket;
      ticket.channel = at;
      for (std::size_t i = 0; i < 2; ++i)
        ticket.staging[i] = at + static_cast<std::uint64_t>(s.staging[i] - s.memory.data());
      ticket.addresses = published_.offset();
      ticket.fields = request.plan.fields.size();
      ticket.blocks = s.what->count;
      ticket.shareable = shareable.size();
      mail.send(s.peer, &ticket, 1);
      mail.send(s.peer, shareable.data(), shareable.size());
    }
  for (auto& part : stages_)
    for (auto& r : part.receives) {
      channel_ticket ticket;
      mail.receive(r.peer, &ticket, 1);
      std::vector<std::int32_t> theirs(ticket.shareable);
      mail.receive(r.peer, theirs.data(), theirs.size());
      attach(r, ticket);
      if (ticket.blocks != r.what->count) theirs.clear();
      auto direct = choose_in_place(theirs, *r.what, request, row, r.in_place);
      auto answer = direct;
      answer.resize(ticket.blocks, 0);
      mail.send(r.peer, answer.data(), answer.size());
      r.parts = message_parts(*r.what, std::move(direct), request);
    }
  for (auto& part : stages_)
    for (auto& s : part.sends) {
      std::vector<std::uint8_t> direct(s.what->count);
      mail.receive(s.peer, direct.data(), direct.size());
      if (std::find(direct.begin(), direct.end(), 1) == direct.end()) direct.clear();
      s.parts = message_parts(*s.what, std::move(direct), request);
      reads_in_place_ = reads_in_place_ || s.parts.in_place.bytes() > 0;
      if (snapshot_) s.snapshot.resize(s.parts.staged.bytes());  // nothing is read in place then
      s.patience = 200 + static_cast<int>(s.parts.in_place.bytes() / 1000);
    }
  mail.finish();
  for (auto& part : stages_)
    for (auto& s : part.sends) s.answered = is_received_from(s.peer);
}

bool shared_carrier::is_received_from(int peer) const {
  return std::any_of(stages_.begin(), stages_.end(), [&](const stage_part& part) {
    return std::any_of(part.receives.begin(), part.receives.end(), [&](const incoming& r) { return r.peer == peer; });
  });
}

void shared_carrier::attach(incoming& r, const channel_ticket& ticket) {
  const auto* arena = comm_.arena();
  const auto map = [&](std::uint64_t offset) { return arena->address(r.node_index, offset); };
  r.side = shared_receiver<>(*std::launder(reinterpret_cast<shared_channel<>*>(map(ticket.channel))));
  for (std::size_t i = 0; i < 2; ++i) {
    r.staging[i] = map(ticket.staging[i]);
    r.addresses[i] = reinterpret_cast<const std::uint64_t*>(map(ticket.addresses)) + i * ticket.fields;
  }
  r.their_fields.assign(ticket.fields, nullptr);
}

// ------------------------------------------------------------------------------------------------------------ exchange

void shared_carrier::begin(plans::field_table fields) {
  // The start before is complete. So a rank that sent to this rank in it had by then taken what this rank sent to it in
  // the start before that.
  for (auto& part : stages_)
    for (auto& s : part.sends)
      if (s.answered && start_ > 0) s.side.has_heard_taken(start_ - 1);
  ++start_;
  if (reads_in_place_) publish_addresses(fields);
}

void shared_carrier::publish_addresses(plans::field_table fields) {
  auto* published = reinterpret_cast<std::uint64_t*>(published_.data()) + (start_ & 1) * fields.size();
  in_place_possible_ = true;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto offset = comm_.arena()->offset_of(fields[f]);
    if (!offset) in_place_possible_ = false;
    published[f] = offset.value_or(0);
  }
}

void shared_carrier::send(outgoing& s, plans::field_table fields) {
  s.held = false;
  try_send(s, fields);
  if (s.side.now() == sending::deferred && snapshot_) s.parts.staged.pack(fields, s.snapshot.data());
}

void shared_carrier::try_send(outgoing& s, plans::field_table fields, bool late) {
  s.polls = 0;
  s.side.try_send([&](std::uint32_t buffer) {
    auto* const staging = s.staging[buffer];
    const auto rows = s.parts.in_place.bytes();
    s.to_staging.begin(staging, rows == 0 ? s.parts.staged.bytes() : s.parts.in_place_offset + rows);
    if (late && snapshot_)
      s.to_staging.copy(staging, s.snapshot.data(), s.snapshot.size());
    else
      s.parts.staged.pack_in_bulk(fields, bounce(), staging, s.to_staging);
    const bool in_place =
        rows > 0 && in_place_possible_ && (in_place_is_asked_for_ || s.to_staging.may_be_read_in_place());
    if (!in_place) s.parts.in_place.pack_in_bulk(fields, bounce(), staging + s.parts.in_place_offset, s.to_staging);
    s.to_staging.end();
    return in_place;
  });
}

/// Packs the rows that a nearby receiver might have read in place.
void shared_carrier::pack_rows(outgoing& s, plans::field_table fields, std::uint32_t buffer) {
  s.parts.in_place.pack(fields, s.staging[buffer] + s.parts.in_place_offset);
}

void shared_carrier::try_receive(incoming& r, plans::field_table fields) {
  r.side.try_receive(
      [&](std::uint32_t buffer) {
        fetch(r.staging[buffer], r.parts.staged.bytes());
        r.parts.staged.unpack(fields, r.staging[buffer]);
      },
      [&] {
        for (std::size_t f = 0; f < r.their_fields.size(); ++f)
          r.their_fields[f] = comm_.arena()->address(r.node_index, r.addresses[start_ & 1][f]);
        r.in_place.run(r.their_fields, fields);
      },
      [&](std::uint32_t buffer) { r.parts.in_place.unpack(fields, r.staging[buffer] + r.parts.in_place_offset); });
}

/// The rows that the receiver may read in place must not change until it has read them, or until I have packed them for
/// it: my wait may depend on its start, but not on what it does afterwards.
void shared_carrier::settle(outgoing& s, plans::field_table fields, bool received_all) {
  if (s.side.is_taken() || !received_all || ++s.polls < s.patience) return;
  s.side.pack_late([&](std::uint32_t buffer) { pack_rows(s, fields, buffer); });
}

}  // namespace

std::unique_ptr<transports::carrier> bind_shared(const transports::bind_request& request) {
  return std::make_unique<shared_carrier>(request);
}

}  // namespace wherry
