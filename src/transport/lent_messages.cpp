#include "lent_messages.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "wherry/core/error.hpp"

#include "bind_mail.hpp"
#include "core/collective.hpp"
#include "device_fields.hpp"

namespace wherry {
namespace {

const char* const called = "transport 'device_shared'";
using device_name = std::array<char, 24>;

std::string told_name(const device& one) { return std::string(one.name.substr(0, device_name{}.size() - 1)); }

bool has_any(const std::vector<plans::stage>& stages, std::vector<plans::message> plans::stage::* list) {
  return std::any_of(stages.begin(), stages.end(), [list](const plans::stage& part) { return !(part.*list).empty(); });
}

/// The offset of the message in the packed bytes.
std::int64_t first_of(const plans::message& m, const plans::schedule& plan) {
  return m.count == 0 ? 0 : plan.rows[m.first].offset;
}

}  // namespace

/// A sender's message to the receiver at bind.
struct lent_messages::ticket {
  device_name device{};  // only the same device understands its tickets
  detail::device_ticket memory;
  std::uint64_t channel = 0;  // offset in the sender's arena
  std::uint64_t first = 0;    // of the message, in either buffer
  std::uint64_t stride = 0;   // bytes between them
};

lent_messages::~lent_messages() {
  for (auto* place : borrowed_) device_->give_back(place);
  for (auto& part : stages_) {
    for (auto& r : part.receives)
      if (r.is_attached) r.side.end();
    // A receiver may still have to unpack data of an exchange that is complete for this rank.
    for (auto& s : part.sends)
      if (is_told_) s.words.retire([side = s.side] { return side.has_ended(); }, memory_);
  }
}

/// If this throws, memory that peers know of stays until they have given it back.
void lent_messages::bind(const transports::bind_request& sends, const transports::bind_request& receives) {
  detail::collectively(comm_, called, [&] { allocate(sends, receives); });
  is_told_ = true;
  const auto refused = agree_with_peers(sends, receives);
  if (!refused.empty()) throw error(error_kind::resource, called, refused, comm_.rank());
}

void lent_messages::allocate(const transports::bind_request& sends, const transports::bind_request& receives) {
  stages_.resize(std::max(sends.stages.size(), receives.stages.size()));
  const bool lends = has_any(sends.stages, &plans::stage::sends),
             borrows = has_any(receives.stages, &plans::stage::receives);
  if (!lends && !borrows) return;
  if (comm_.arena() == nullptr)
    throw error(error_kind::resource, called, "the node has no shared memory for this process", comm_.rank());
  device_ = &(lends ? sends : receives).on_device->packed(true).by();
  for (std::size_t i = 0; i < receives.stages.size(); ++i)
    for (const auto& m : receives.stages[i].receives) stages_[i].receives.emplace_back().peer = m.peer;
  if (!lends) return;
  for (std::size_t i = 0; i < sends.stages.size(); ++i)
    for (const auto& m : sends.stages[i].sends) {
      auto& s = stages_[i].sends.emplace_back();
      s.peer = m.peer;
      s.words = arena_block(comm_, sizeof(lent_channel<>));
      s.channel = new (s.words.data()) lent_channel<>;
      s.side = lent_sender<>(*s.channel);
    }
  auto& packed = sends.on_device->packed(true);
  // Comes after the words: allocating those makes the arena free lent memory that peers have given back.
  packed.lend(ticket_);
  memory_ = packed.keep();
  if (sends.snapshot) packed.make_aside();  // done here, because all ranks learn of a failure here
}

/// All ranks exchange all messages, even after a failure. Returns why this rank cannot reach a peer's memory, or an
/// empty string.
std::string lent_messages::agree_with_peers(const transports::bind_request& sends,
                                            const transports::bind_request& receives) {
  std::string refused;
  bind_mail mail(sends);
  for (std::size_t i = 0; i < sends.stages.size(); ++i)
    for (std::size_t k = 0; k < stages_[i].sends.size(); ++k) {
      const auto& s = stages_[i].sends[k];
      ticket mine;
      told_name(*device_).copy(mine.device.data(), mine.device.size() - 1);
      mine.memory = ticket_;
      mine.channel = s.words.offset();
      mine.first = static_cast<std::uint64_t>(first_of(sends.stages[i].sends[k], sends.plan));
      mine.stride = sends.on_device->packed(true).stride();
      mail.send(s.peer, &mine, 1);
    }
  for (std::size_t i = 0; i < receives.stages.size(); ++i)
    for (std::size_t k = 0; k < stages_[i].receives.size(); ++k) {
      auto& r = stages_[i].receives[k];
      const auto& m = receives.stages[i].receives[k];
      ticket theirs;
      mail.receive(r.peer, &theirs, 1);
      const auto why =
          attach(r, theirs, first_of(m, receives.plan), receives.plan.bytes_of(m), receives.on_device->packed(true));
      if (refused.empty()) refused = why;
    }
  mail.finish();
  return refused;
}

std::string lent_messages::attach(incoming& r, const ticket& theirs, std::int64_t first, std::int64_t bytes,
                                  packed_memory& packed) {
  auto* const words = comm_.arena()->address(comm_.node_index(r.peer), theirs.channel);
  r.side = lent_receiver<>(*std::launder(reinterpret_cast<lent_channel<>*>(words)));
  r.is_attached = true;
  if (bytes == 0) return {};
  if (const std::string name(theirs.device.data()); name != told_name(*device_))
    return detail::text("rank ", r.peer, " packs on the device '", name, "', this rank unpacks on '", device_->name,
                        "'");
  std::string refused;
  auto* const memory = static_cast<std::byte*>(borrow(r.peer, theirs, refused));
  if (memory == nullptr)
    return detail::text("the device of this rank does not reach the memory that rank ", r.peer, " lends: ", refused);
  packed.read_from(first, {memory + theirs.first, memory + theirs.stride + theirs.first});
  return {};
}

void* lent_messages::borrow(int peer, const ticket& theirs, std::string& refused) {
  auto& place = by_peer_[peer];
  if (place != nullptr) return place;
  refused = device_->borrow(theirs.memory, place);
  if (!refused.empty()) place = nullptr;
  if (place != nullptr) borrowed_.push_back(place);
  return place;
}

bool lent_messages::has_room(std::size_t stage, std::uint64_t start) {
  bool all = true;
  for (auto& s : stages_[stage].sends) {
    s.wants_room = !s.side.has_room(start);
    all = all && !s.wants_room;
  }
  return all;
}

void lent_messages::tell(std::size_t stage, std::uint64_t start) {
  for (auto& s : stages_[stage].sends) s.side.tell(start);
}

bool lent_messages::has_arrived(std::size_t stage, std::uint64_t start) {
  bool all = true;
  for (auto& r : stages_[stage].receives) {
    if (r.arrived < start && r.side.is_ready(start)) r.arrived = start;
    all = all && r.arrived >= start;
  }
  return all;
}

void lent_messages::take(std::uint64_t start) {
  for (auto& part : stages_)
    for (auto& r : part.receives) r.side.take(start);
}

void lent_messages::append_late_readers(std::size_t stage, std::vector<int>& peers) const {
  for (const auto& s : stages_[stage].sends)
    if (s.wants_room) peers.push_back(s.peer);
}

void lent_messages::append_late_senders(std::size_t stage, std::uint64_t start, std::vector<int>& peers) const {
  for (const auto& r : stages_[stage].receives)
    if (r.arrived < start) peers.push_back(r.peer);
}

}  // namespace wherry
