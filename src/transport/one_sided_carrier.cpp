// one_sided: pack, put into the peer's window, then put a notification that the peer polls in its own memory: no
// receive call. How the two sides go about it is in notified_channel.hpp. Without credit the put is left to test_stage:
// start never waits for a peer.
#include "one_sided_carrier.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "bind_mail.hpp"
#include "channel/notified_channel.hpp"
#include "channel/window_pool.hpp"
#include "staging.hpp"

namespace wherry {
namespace {

constexpr std::size_t line = 64;  // no two words, and no two messages, share a cache line

constexpr std::size_t in_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// Where a peer's side of a message lies in its window.
struct remote_places {
  MPI_Aint slot[2] = {}, word = 0;
};

/// What sends and receives have in common: a word in this rank's window that the peer writes, and places in the peer's.
struct leg {
  int peer = 0;
  message_packing packing;
  std::size_t word = 0;  // offset in my window: credit of a send, notification of a receive
  remote_places remote;
};

struct outgoing : leg {
  std::vector<std::byte> wire;
  notified_sender<> side;
};

struct incoming : leg {
  std::size_t slot[2] = {};
  notified_receiver<> side;
};

using sending = notified_sender<>::phase;
using receiving = notified_receiver<>::phase;

struct stage_part {
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  std::uint64_t number = 0;  // of exchanges started
  std::size_t undelivered = 0, ungone = 0;
  bool in_order = false;
};

class one_sided_carrier final : public carrier {
 public:
  explicit one_sided_carrier(const bind_request& request) : pool_(window_pool::of(request.comm)) {
    std::size_t end = 0;
    collectively(request.comm, request.plan.pattern, [&] { end = lay_out(request); });
    window_ = pool_->make(request.comm, end);
    for (auto& part : stages_) {
      for (auto& s : part.sends) s.side = notified_sender<>(make_word(s));
      for (auto& r : part.receives) r.side = notified_receiver<>(make_word(r));
    }
    tell_places(request);
  }

  ~one_sided_carrier() override { pool_->give_back(window_); }

  void start_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    ++part.number;
    part.undelivered = part.receives.size();
    part.ungone = part.sends.size();
    for (auto& r : part.receives) r.side.begin(part.number);
    for (auto& s : part.sends) {
      s.packing.pack(fields, s.wire.data());
      s.side.begin(part.number);
    }
    push(part);
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    if (part.ungone == 0 && part.undelivered == 0) return true;
    check_mpi(PMPI_Win_sync(window_.handle), "MPI_Win_sync");
    if (part.ungone > 0) push(part);
    if (part.undelivered > 0) pull(part, fields);
    return part.ungone == 0 && part.undelivered == 0;
  }

  bool owes(std::size_t number) const override { return stages_[number].ungone > 0; }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& part = stages_[number];
    for (const auto& r : part.receives)
      if (r.side.now() == receiving::waiting && !r.side.is_ready()) peers.push_back(r.peer);
    for (const auto& s : part.sends)
      if (s.side.now() != sending::done) peers.push_back(s.peer);
  }

 private:
  /// Gives every message its places in the window, and says how large that is to be.
  std::size_t lay_out(const bind_request& request) {
    std::size_t end = 0, wires = 0;
    const auto claim = [&end](std::size_t bytes) { return std::exchange(end, end + in_lines(bytes)); };
    for (const auto& part : request.stages) {
      auto& mine = stages_.emplace_back();
      for (const auto& m : part.receives) {
        auto& r = mine.receives.emplace_back();
        describe(r, m, request);
        for (auto& slot : r.slot) slot = claim(r.packing.bytes());
        r.word = claim(sizeof(notified_word<>));
        mine.in_order = mine.in_order || request.code.combines(m.operation);
      }
      for (const auto& m : part.sends) {
        auto& s = mine.sends.emplace_back();
        describe(s, m, request);
        wires += s.packing.bytes();
        s.word = claim(sizeof(notified_word<>));
      }
    }
    require_staging(request, end + wires);
    for (auto& part : stages_)
      for (auto& s : part.sends) s.wire.resize(s.packing.bytes());
    return end;
  }

  static void describe(leg& l, const message& m, const bind_request& request) {
    l.peer = m.peer;
    l.packing = message_packing(m, request.plan, request.kernels, request.code);
  }

  /// Each side of a message tells the other where to write. A rank writes to one peer stage by stage, receives before
  /// sends, and the peer reads in that order.
  void tell_places(const bind_request& request) {
    bind_mail mail(request);
    const auto place = [this](std::size_t at) { return window_.shift + static_cast<MPI_Aint>(at); };
    for (const auto& part : stages_) {
      for (const auto& r : part.receives) {
        const remote_places mine{{place(r.slot[0]), place(r.slot[1])}, place(r.word)};
        mail.send(r.peer, &mine, 1);
      }
      for (const auto& s : part.sends) {
        const remote_places mine{{}, place(s.word)};
        mail.send(s.peer, &mine, 1);
      }
    }
    for (auto& part : stages_) {
      for (auto& s : part.sends) mail.receive(s.peer, &s.remote, 1);
      for (auto& r : part.receives) mail.receive(r.peer, &r.remote, 1);
    }
    mail.finish();
  }

  /// A word of my window that a peer will write, once it has been told where it is.
  const notified_word<>& make_word(const leg& l) const { return *new (window_.memory + l.word) notified_word<>(0); }

  /// An aligned word arrives whole on any hardware. MPI promises that for MPI_Accumulate only, which MPICH 4.0 however
  /// lets the target carry out: a peer that computes would hold us up.
  void write_word(const leg& l, const std::uint32_t& value) const {
    check_mpi(PMPI_Put(&value, 1, MPI_UINT32_T, l.peer, l.remote.word, 1, MPI_UINT32_T, window_.handle), "MPI_Put");
  }

  bool flush(const leg& l) const {
    check_mpi(PMPI_Win_flush(l.peer, window_.handle), "MPI_Win_flush");
    return true;
  }

  /// Puts all messages with credit, then notifies: the latencies of several peers overlap.
  void push(stage_part& part) {
    for (auto& s : part.sends) s.side.try_put([&](std::uint64_t slot) { put(s, slot); });
    for (auto& s : part.sends)
      s.side.try_notify([&] { return flush(s); }, [&](const std::uint32_t& word) { write_word(s, word); });
    for (auto& s : part.sends) {
      if (s.side.now() == sending::done) continue;
      s.side.try_end([&] { return flush(s); });
      if (s.side.now() == sending::done) --part.ungone;
    }
  }

  void put(const outgoing& s, std::uint64_t slot_number) const {
    const MPI_Aint slot = s.remote.slot[slot_number];
    for (std::size_t at = 0; at < s.wire.size(); at += limit_) {
      const int bytes = static_cast<int>(std::min(limit_, s.wire.size() - at));
      check_mpi(PMPI_Put(s.wire.data() + at, bytes, MPI_BYTE, s.peer, slot + static_cast<MPI_Aint>(at), bytes, MPI_BYTE,
                         window_.handle),
                "MPI_Put");
    }
  }

  void pull(stage_part& part, field_table fields) {
    if (part.in_order &&
        std::any_of(part.receives.begin(), part.receives.end(), [](const incoming& r) { return !r.side.is_ready(); }))
      return;
    for (auto& r : part.receives) {
      if (r.side.now() == receiving::done) continue;
      r.side.try_receive([&](std::uint64_t slot) { r.packing.unpack(fields, window_.memory + r.slot[slot]); },
                         [&](const std::uint32_t& word) { write_word(r, word); }, [&] { return flush(r); });
      if (r.side.now() == receiving::done) --part.undelivered;
    }
  }

  std::shared_ptr<window_pool> pool_;
  window_pool::window window_;
  std::size_t limit_ = current_settings().message_limit;
  std::vector<stage_part> stages_;
};

}  // namespace

std::unique_ptr<carrier> bind_one_sided(const bind_request& request) {
  return std::make_unique<one_sided_carrier>(request);
}

}  // namespace wherry
