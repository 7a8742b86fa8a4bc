// device_shared: inside a node, between devices. What leaves is packed in device memory that the sender lends to its
// peers; their devices unpack it from there. Only words go through the host: that the bytes are there, which the
// sender says when its device has packed, and that they have been read, which the receiver says when its device has.
#include "lent_carrier.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"

#include "bind_mail.hpp"
#include "channel/lent_channel.hpp"
#include "core/arena_block.hpp"
#include "core/collective.hpp"
#include "device_fields.hpp"

namespace wherry {
namespace {

const char* const called = "transport 'device_shared'";

/// What a sender tells the receiver at bind.
struct lent_ticket {
  std::array<char, 24> device{};  // its name: others do not understand its tickets
  device_ticket memory;
  std::uint64_t channel = 0;  // offset in the sender's arena
  std::uint64_t first = 0;    // of the message, in either buffer
  std::uint64_t stride = 0;   // bytes between them
};

std::string told_name(const device& one) { return std::string(one.name.substr(0, sizeof lent_ticket{}.device - 1)); }

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
  bool is_attached = false, arrived = false;
};

class lent_carrier final : public carrier {
 public:
  explicit lent_carrier(const communicator& comm) : comm_(comm) {}

  /// Collective. What has been told to peers by an error stays until they have given it back.
  void bind(const bind_request& request) {
    collectively(comm_, called, [&] { allocate(request); });
    is_told_ = true;
    const auto refused = agree_with_peers(request);
    if (!refused.empty()) throw error(error_kind::resource, called, refused, comm_.rank());
  }

  ~lent_carrier() override {
    for (auto* place : borrowed_) device_->give_back(place);
    for (auto& part : stages_) {
      for (auto& r : part.receives)
        if (r.is_attached) r.side.end();
      // A receiver may still have to unpack what is complete for me.
      for (auto& s : part.sends)
        if (is_told_) s.words.retire([side = s.side] { return side.has_ended(); }, memory_);
    }
  }

  bool has_room(std::size_t number, std::uint64_t start) override {
    bool all = true;
    for (auto& s : stages_[number].sends) {
      s.wants_room = !s.side.has_room(start);
      all = all && !s.wants_room;
    }
    return all;
  }

  void start_stage(std::size_t number, field_table) override {
    if (number == 0) ++start_;
    auto& part = stages_[number];
    for (auto& s : part.sends) s.side.tell(start_);
    for (auto& r : part.receives) r.arrived = false;
  }

  bool test_stage(std::size_t number, field_table) override {
    bool complete = true;
    for (auto& r : stages_[number].receives) {
      r.arrived = r.arrived || r.side.is_ready(start_);
      complete = complete && r.arrived;
    }
    return complete;
  }

  void has_read(std::uint64_t start) override {
    for (auto& part : stages_)
      for (auto& r : part.receives) r.side.take(start);
  }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    for (const auto& s : stages_[number].sends)
      if (s.wants_room) peers.push_back(s.peer);
    for (const auto& r : stages_[number].receives)
      if (!r.arrived) peers.push_back(r.peer);
  }

 private:
  struct stage_part {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
  };

  void allocate(const bind_request& request);
  std::string agree_with_peers(const bind_request& request);
  std::string attach(incoming& r, const lent_ticket& ticket, std::int64_t first, std::int64_t bytes,
                     packed_memory& packed);
  void* borrow(int peer, const lent_ticket& ticket, std::string& refused);

  const communicator& comm_;
  const device* device_ = nullptr;
  std::vector<stage_part> stages_;
  device_ticket ticket_;
  std::shared_ptr<const void> memory_;  // that is lent
  std::map<int, void*> by_peer_;
  std::vector<void*> borrowed_;
  std::uint64_t start_ = 0;
  bool is_told_ = false;
};

void lent_carrier::allocate(const bind_request& request) {
  const auto has_messages = [](const stage& part) { return !part.sends.empty() || !part.receives.empty(); };
  stages_.resize(request.stages.size());
  if (std::none_of(request.stages.begin(), request.stages.end(), has_messages)) return;
  if (comm_.arena() == nullptr)
    throw error(error_kind::resource, called, "the node has no shared memory for this process", comm_.rank());
  auto& packed = request.on_device->packed(true);
  device_ = &packed.by();
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    for (const auto& m : request.stages[i].receives) stages_[i].receives.emplace_back().peer = m.peer;
    for (const auto& m : request.stages[i].sends) {
      auto& s = stages_[i].sends.emplace_back();
      s.peer = m.peer;
      s.words = arena_block(comm_, sizeof(lent_channel<>));
      s.channel = new (s.words.data()) lent_channel<>;
      s.side = lent_sender<>(*s.channel);
    }
  }
  packed.lend(ticket_);  // after the words, with which the arena gives back what was lent before and is returned
  memory_ = packed.keep();
  if (request.snapshot) packed.make_aside();  // here, where all ranks hear of it if there is none
}

/// Where the message begins in the packed bytes.
std::int64_t first_of(const message& m, const schedule& plan) { return m.count == 0 ? 0 : plan.rows[m.first].offset; }

/// All tell each other all, whatever any of them makes of it. Why this rank cannot reach a peer's memory.
std::string lent_carrier::agree_with_peers(const bind_request& request) {
  std::string refused;
  bind_mail mail(request);
  for (std::size_t i = 0; i < stages_.size(); ++i)
    for (std::size_t k = 0; k < stages_[i].sends.size(); ++k) {
      const auto& s = stages_[i].sends[k];
      const auto& packed = request.on_device->packed(true);
      lent_ticket ticket;
      told_name(*device_).copy(ticket.device.data(), ticket.device.size() - 1);
      ticket.memory = ticket_;
      ticket.channel = s.words.offset();
      ticket.first = static_cast<std::uint64_t>(first_of(request.stages[i].sends[k], request.plan));
      ticket.stride = packed.stride();
      mail.send(s.peer, &ticket, 1);
    }
  for (std::size_t i = 0; i < stages_.size(); ++i)
    for (std::size_t k = 0; k < stages_[i].receives.size(); ++k) {
      auto& r = stages_[i].receives[k];
      const auto& m = request.stages[i].receives[k];
      lent_ticket ticket;
      mail.receive(r.peer, &ticket, 1);
      const auto why =
          attach(r, ticket, first_of(m, request.plan), request.plan.bytes_of(m), request.on_device->packed(true));
      if (refused.empty()) refused = why;
    }
  mail.finish();
  return refused;
}

std::string lent_carrier::attach(incoming& r, const lent_ticket& ticket, std::int64_t first, std::int64_t bytes,
                                 packed_memory& packed) {
  auto* const words = comm_.arena()->address(comm_.node_index(r.peer), ticket.channel);
  r.side = lent_receiver<>(*std::launder(reinterpret_cast<lent_channel<>*>(words)));
  r.is_attached = true;
  if (bytes == 0) return {};
  if (const std::string theirs(ticket.device.data()); theirs != told_name(*device_))
    return text("rank ", r.peer, " packs on the device '", theirs, "', this rank unpacks on '", device_->name, "'");
  std::string refused;
  auto* const memory = static_cast<std::byte*>(borrow(r.peer, ticket, refused));
  if (memory == nullptr)
    return text("the device of this rank does not reach the memory that rank ", r.peer, " lends: ", refused);
  packed.read_from(first, {memory + ticket.first, memory + ticket.stride + ticket.first});
  return {};
}

void* lent_carrier::borrow(int peer, const lent_ticket& ticket, std::string& refused) {
  auto& place = by_peer_[peer];
  if (place != nullptr) return place;
  refused = device_->borrow(ticket.memory, place);
  if (!refused.empty()) place = nullptr;
  if (place != nullptr) borrowed_.push_back(place);
  return place;
}

}  // namespace

std::unique_ptr<carrier> bind_device_shared(const bind_request& request) {
  auto made = std::make_unique<lent_carrier>(request.comm);
  made->bind(request);
  return made;
}

}  // namespace wherry
