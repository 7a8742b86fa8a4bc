#include "wherry/channel/byte_segment.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "core/patience.hpp"
#include "core/trace.hpp"
#include "measured_wait.hpp"
#include "segment_state.hpp"

namespace wherry {
namespace {

/// The rest of a time limit that several waits share.
class time_left {
 public:
  explicit time_left(double seconds) : seconds_(seconds) {}
  double seconds() const {
    return std::max(0.0, seconds_ - std::chrono::duration<double>(clock::now() - began_).count());
  }

 private:
  using clock = std::chrono::steady_clock;
  double seconds_;
  clock::time_point began_ = clock::now();
};

call_mark mark_of(int to, int id, std::uint32_t value) {
  return {call_mark::notify, to, static_cast<std::size_t>(id), value};
}

}  // namespace

byte_segment::byte_segment(byte_segment&& other) noexcept
    : channels::notification_words(other),
      notifications_(other.notifications_),
      counts_(other.counts_),
      mine_(other.mine_),
      peers_(std::move(other.peers_)),
      state_(std::move(other.state_)) {
  other.let_go();
}

byte_segment& byte_segment::operator=(byte_segment&& other) noexcept {
  if (this == &other) return *this;
  if (state_) state_->close_staging();
  has_words(other);
  notifications_ = other.notifications_;
  counts_ = other.counts_;
  mine_ = other.mine_;
  peers_ = std::move(other.peers_);
  state_ = std::move(other.state_);
  other.let_go();
  return *this;
}

void byte_segment::let_go() noexcept {
  has_words({});
  notifications_ = 0;
  counts_ = nullptr;
  mine_ = {};
  peers_.clear();
}
byte_segment::~byte_segment() {
  if (state_ && !detail::is_forked_child()) state_->close_staging();  // a queue may still hold the state
}

const communicator& byte_segment::comm() const { return state_->comm; }

bool byte_segment::is_aligned(int rank) const {
  peer_at("rank", rank);
  return state_->is_aligned(rank);
}

std::string byte_segment::explain() const {
  const auto near = std::count_if(peers_.begin(), peers_.end(), [](const peer& p) { return p.memory != nullptr; });
  const auto across = std::count_if(state_->across.begin(), state_->across.end(),
                                    [](const state::process_part& p) { return p.process != 0; });
  const auto staged =
      std::count_if(state_->staged.begin(), state_->staged.end(), [](const auto& w) { return w != nullptr; });
  return detail::text(
      state_->called, " of ", mine_.size(), " bytes and ", notifications(), " notifications: ", near,
      " ranks by loads and stores, ", across, " through the kernel, ", std::ssize(peers_) - near - across,
      " by MPI_Put",
      staged > 0 ? detail::text("; to ", staged, " up to ", state_->most_staged, " bytes by staging") : "");
}

std::string byte_segment::transport() const { return state::transport; }

void byte_segment::begin_to_count(const segment_options& options) {
  if (!options.counted || (current_settings().statistics == "0" && !trace_is_on())) return;
  state_->counts = std::make_unique<detail::segment_counts>();
  counts_ = state_->counts.get();
  if (trace_is_on()) counts_->traced = trace_register({state_->called, transport()});
}

void byte_segment::count_write_notify(std::size_t bytes) {
  counts_->count_written(bytes);
  counts_->count_notification();
}

exchange_statistics byte_segment::statistics() const {
  return state_->counts != nullptr ? statistics_of(*state_->counts) : exchange_statistics{};
}

void byte_segment::read_notify(int from, std::size_t at, std::span<std::byte> into, int id, std::uint32_t value) {
  const channels::segment_read only{at, into};
  read_notify(from, std::span(&only, 1), id, value);
}

void byte_segment::write(int to, std::span<const channels::segment_write> list, segment_queue* queue) {
  for (const auto& piece : list) part("to", to, piece.at, piece.data);
  for (const auto& piece : list) write(to, piece.at, piece.data, queue);
}

void byte_segment::write_notify(int to, std::span<const channels::segment_write> list, int id, std::uint32_t value) {
  if (state_->has_cut_short()) return static_cast<void>(write_notify(to, list, id, value, no_limit));
  check_notification(id, value);
  write(to, list);
  notify(to, id, value);
}

void byte_segment::read(int from, std::span<const channels::segment_read> list, segment_queue* queue) {
  for (const auto& piece : list) part("from", from, piece.at, piece.into);
  for (const auto& piece : list) read(from, piece.at, piece.into, queue);
}

void byte_segment::read_notify(int from, std::span<const channels::segment_read> list, int id, std::uint32_t value) {
  if (state_->has_cut_short()) return static_cast<void>(read_notify(from, list, id, value, no_limit));
  check_notification(id, value);
  at(id);  // throws if this rank has no part
  read(from, list);
  flush_data(from);
  detail::notification_word::tell(peers_[static_cast<std::size_t>(comm().rank())].words[id], value);
}

void byte_segment::copy_long(int rank, std::byte* there, std::span<const std::byte> data) {
  state_->copy_long(rank, there, data, &state::long_writes_to::whole);
}

void byte_segment::state::copy_long(int rank, std::byte* there, std::span<const std::byte> bytes,
                                    long_writes long_writes_to::* as) {
  const int node_index = comm.node_index(rank);
  if (node_index < 0 || !(to_node[static_cast<std::size_t>(node_index)].*as).try_copy(there, bytes))
    std::memcpy(there, bytes.data(), bytes.size());
}

void byte_segment::put(int to, std::size_t at, std::span<const std::byte> data, segment_queue* queue) {
  if (state_->stage(to, at, data)) {
    if (queue != nullptr) queue->note(state_, to);
    return;
  }
  if (state_->is_through_kernel(to)) return state_->write_through_kernel(to, at, data);
  state_->put(to, at, data);
  note_unflushed(to, queue);
}

void byte_segment::get(int from, std::size_t at, std::span<std::byte> into, segment_queue* queue) {
  state_->bring_staged(from);  // a rank sees its own earlier writes
  if (state_->is_through_kernel(from)) return state_->read_through_kernel(from, at, into);
  state_->get(from, at, into);
  note_unflushed(from, queue);
}

void byte_segment::note_unflushed(int rank, segment_queue* queue) {
  if (queue != nullptr) return queue->note(state_, rank);
  const std::lock_guard lock(state_->guard);
  if (!std::exchange(state_->is_unflushed[static_cast<std::size_t>(rank)], 1)) state_->unflushed.push_back(rank);
}

void byte_segment::flush_data(int rank) {
  const auto& there = peers_[static_cast<std::size_t>(rank)];
  if (there.memory == nullptr && !state_->is_through_kernel(rank)) state_->flush_new_puts(rank);
}

void byte_segment::notify_far(int to, int id, std::uint32_t value) {
  const auto& target = peers_[static_cast<std::size_t>(to)];
  if (is_notifying(to, id, value)) {  // the earlier call had too little time; this one has no limit
    notify(to, id, value, no_limit);
    return;
  }
  flush_data(to);  // the data arrives before the word, or is in staging
  if (target.words != nullptr)
    detail::notification_word::tell(target.words[id], value);
  else
    put_word(to, id, value);
}

void byte_segment::put_word(int to, int id, const std::uint32_t& value) {
  state_->put_word(to, id, value);
  state_->flush_words(to);
}

bool byte_segment::notify(int to, int id, std::uint32_t value, double seconds) {
  const auto& target = peer_at("to", to);
  check_notification(id, value);
  state_->check(seconds);
  const bool is_near = target.words != nullptr;
  if ((seconds >= no_limit && !is_notifying(to, id, value)) ||
      (is_near && (target.memory != nullptr || state_->is_through_kernel(to)))) {
    notify(to, id, value);
    return true;
  }
  if (is_near) {
    if (!state::flush_within(state_, to, seconds)) return false;
    notify(to, id, value);
    return true;
  }
  const auto told = state_->within(mark_of(to, id, value), seconds, [s = state_, to, id, value] {
    s->flush_new_puts(to);
    s->put_word(to, id, value);
    s->flush_words(to);
    return std::uint64_t{0};
  });
  if (told && counts_ != nullptr) counts_->count_notification();
  return told.has_value();
}

bool byte_segment::write_notify(int to, std::span<const channels::segment_write> list, int id, std::uint32_t value,
                                double seconds) {
  peer_at("to", to);
  check_notification(id, value);
  state_->check(seconds);
  const call_mark which{call_mark::write, to, list.empty() ? 0 : list.front().at, static_cast<std::uint64_t>(id),
                        value};
  if (!state_->take_cut_short(which)) write(to, list);
  if (notify(to, id, value, seconds)) return true;
  state_->note_cut_short(which);
  return false;
}

bool byte_segment::read_notify(int from, std::span<const channels::segment_read> list, int id, std::uint32_t value,
                               double seconds) {
  peer_at("from", from);
  check_notification(id, value);
  state_->check(seconds);
  at(id);  // throws if this rank has no part
  const call_mark which{call_mark::read, from, list.empty() ? 0 : list.front().at, static_cast<std::uint64_t>(id),
                        value};
  if (!state_->take_cut_short(which)) read(from, list);
  const auto& source = peers_[static_cast<std::size_t>(from)];
  const bool is_there = source.memory != nullptr || state_->is_through_kernel(from);
  if (!is_there && seconds >= no_limit) {
    state_->flush_new_puts(from);
  } else if (!is_there && !state::flush_within(state_, from, seconds)) {
    state_->note_cut_short(which);
    return false;
  }
  detail::notification_word::tell(peers_[static_cast<std::size_t>(comm().rank())].words[id], value);
  return true;
}

bool byte_segment::is_notifying(int to, int id, std::uint32_t value) const {
  return state_->is_under_way(mark_of(to, id, value));
}

void byte_segment::notify(std::span<const channels::segment_notice> list) {
  if (state_->has_calls_under_way()) return static_cast<void>(notify(list, no_limit));
  bool far = false;
  for (const auto& n : list) {
    const auto& target = peer_at("to", n.to);
    check_notification(n.id, n.value);
    state_->require_alive(n.to);
    if (counts_ != nullptr) counts_->count_notification();
    far = far || target.words == nullptr || target.memory == nullptr;
  }
  if (far)
    for (const auto& n : list) flush_data(n.to);
  for (const auto& n : list) {
    const auto& target = peers_[static_cast<std::size_t>(n.to)];
    if (target.words != nullptr)
      detail::notification_word::tell(target.words[n.id], n.value);
    else
      state_->put_word(n.to, n.id, n.value);
  }
  if (far)
    for (const auto& n : list)
      if (peers_[static_cast<std::size_t>(n.to)].words == nullptr) state_->flush_words(n.to);
}

std::size_t byte_segment::notify(std::span<const channels::segment_notice> list, double seconds) {
  state_->check(seconds);
  for (const auto& n : list) {
    peer_at("to", n.to);
    check_notification(n.id, n.value);
  }
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto began = now();
  std::size_t told = 0;
  for (const auto& n : list) {
    const double spent = std::chrono::duration<double>(now() - began).count();
    if (!notify(n.to, n.id, n.value, std::max(0.0, seconds - spent))) break;
    ++told;
  }
  return told;
}

void byte_segment::write_notify_far(int to, std::size_t at, std::span<const std::byte> data, int id,
                                    std::uint32_t value) {
  if (state_->has_cut_short()) return static_cast<void>(write_notify(to, at, data, id, value, no_limit));
  if (!state_->stage(to, at, data)) {
    write(to, at, data);
    return notify(to, id, value);
  }
  if (counts_ != nullptr) count_write_notify(data.size());
  notify_far(to, id, value);
}

channels::notification_words byte_segment::notifications_of(int rank) const {
  const auto& there = peer_at("rank", rank);
  if (there.words == nullptr)
    throw error(
        error_kind::argument, state_->called,
        detail::text("'rank' is ", rank, ", and rank ", comm().rank(), " shares no memory with its notifications"),
        comm().rank(), {rank});
  const auto place = static_cast<std::size_t>(rank);
  auto* const arrivals = state_->tables[place] != nullptr ? &state_->arrivals[place] : nullptr;
  return {comm(), rank, there.words, notifications(), counts_, arrivals, state_->called};
}

std::uint64_t byte_segment::fetch_add(int on, std::size_t at, std::uint64_t value) {
  const auto& target = part("on", on, at, sizeof value);
  check_word(on, at);
  if (!state_->swaps_by_mpi(on))
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(target.memory + at)).fetch_add(value);
  if (state_->has_calls_under_way()) return *fetch_add(on, at, value, no_limit);
  return state_->fetch_add(on, at, value);
}

std::uint64_t byte_segment::compare_swap(int on, std::size_t at, std::uint64_t expected, std::uint64_t desired) {
  const auto& target = part("on", on, at, sizeof expected);
  check_word(on, at);
  if (!state_->swaps_by_mpi(on)) {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(target.memory + at)).compare_exchange_strong(expected, desired);
    return expected;
  }
  if (state_->has_calls_under_way()) return *compare_swap(on, at, expected, desired, no_limit);
  return state_->compare_swap(on, at, expected, desired);
}

std::optional<std::uint64_t> byte_segment::fetch_add(int on, std::size_t at, std::uint64_t value, double seconds) {
  const call_mark which{call_mark::fetch_add, on, at, value};
  part("on", on, at, sizeof value);
  check_word(on, at);
  state_->check(seconds);
  if (!state_->swaps_by_mpi(on)) return fetch_add(on, at, value);
  if (seconds >= no_limit && !state_->is_under_way(which)) return state_->fetch_add(on, at, value);
  return state_->within(which, seconds, [s = state_, on, at, value] { return s->fetch_add(on, at, value); });
}

std::optional<std::uint64_t> byte_segment::compare_swap(int on, std::size_t at, std::uint64_t expected,
                                                        std::uint64_t desired, double seconds) {
  const call_mark which{call_mark::compare_swap, on, at, expected, desired};
  part("on", on, at, sizeof expected);
  check_word(on, at);
  state_->check(seconds);
  if (!state_->swaps_by_mpi(on)) return compare_swap(on, at, expected, desired);
  if (seconds >= no_limit && !state_->is_under_way(which)) return state_->compare_swap(on, at, expected, desired);
  return state_->within(which, seconds,
                        [s = state_, on, at, expected, desired] { return s->compare_swap(on, at, expected, desired); });
}

bool byte_segment::flush(double seconds) {
  detail::require_mpi(state_->called, comm().rank());
  state_->check(seconds);
  if (state_->data.handle == MPI_WIN_NULL) return true;
  for (const int rank : comm().node_ranks()) state_->bring_staged(rank);
  std::vector<int> targets;
  {
    const std::lock_guard lock(state_->guard);
    targets.swap(state_->unflushed);
    for (const int target : targets) state_->is_unflushed[static_cast<std::size_t>(target)] = 0;
  }
  const time_left left(seconds);
  bool all = true;
  try {
    for (const int target : targets)
      if (seconds >= no_limit)
        state_->flush(target);
      else
        all = all && state::flush_within(state_, target, left.seconds());
  } catch (...) {
    for (const int target : targets)
      if (!comm().lives().is_lost_afar(target)) note_unflushed(target, nullptr);
    throw;
  }
  if (all) state_->forget_reads_cut_short();
  if (!all)
    for (const int target : targets) note_unflushed(target, nullptr);
  return all;
}

void byte_segment::throw_no_such_rank(std::string_view argument, int rank) const {
  throw error(error_kind::argument, state_->called,
              detail::text("'", argument, "' is rank ", rank, " of a communicator of ", peers_.size(), " ranks"),
              state_->comm.rank(), {rank});
}

void byte_segment::throw_outside(std::string_view argument, int rank, std::size_t at, std::size_t bytes) const {
  throw error(error_kind::argument, state_->called,
              detail::text("'", argument, "' is rank ", rank, ", 'at' ", at, " and there are ", bytes,
                           " bytes of data, beyond the ", peers_[static_cast<std::size_t>(rank)].bytes,
                           " bytes of that rank's segment"),
              state_->comm.rank(), {rank});
}

void byte_segment::throw_null(std::string_view argument, std::size_t bytes) const {
  throw error(error_kind::argument, state_->called,
              detail::text("'", argument, "' is null, expected ", bytes, " bytes there"), state_->comm.rank());
}

void byte_segment::throw_no_notification(int id) const {
  channels::notification_words(comm(), comm().rank(), nullptr, notifications_, nullptr, nullptr, state_->called).at(id);
}

void byte_segment::throw_no_value() const {
  throw error(error_kind::argument, state_->called,
              "'value' is 0, expected 1 or more: a value of 0 means that there is no notification",
              state_->comm.rank());
}

void byte_segment::check_word(int on, std::size_t at) const {
  if (at % sizeof(std::uint64_t) == 0 && state_->is_aligned(on)) return;
  throw error(error_kind::argument, state_->called,
              detail::text("'at' is ", at, ", and the word there on rank ", on,
                           at % sizeof(std::uint64_t) == 0 ? " lies in memory that is not aligned to 8 bytes"
                                                           : " is not aligned: expected a multiple of 8"),
              state_->comm.rank(), {on});
}

void segment_queue::note(const std::shared_ptr<byte_segment::state>& segment, int target) {
  ++size_;
  const auto known = [&](const entry& e) { return e.target == target && e.segment == segment; };
  if (std::none_of(entries_.begin(), entries_.end(), known)) entries_.push_back({segment, target});
}

bool segment_queue::wait(double seconds) {
  detail::require_mpi("segment_queue");
  require_seconds(seconds, "segment_queue", -1);
  const time_left left(seconds);
  while (!entries_.empty()) {
    const auto& last = entries_.back();
    if (seconds >= no_limit) {
      last.segment->flush(last.target);
    } else if (!byte_segment::state::flush_within(last.segment, last.target, left.seconds())) {
      return false;
    }
    entries_.pop_back();
  }
  size_ = 0;
  return true;
}

void segment_queue::purge() {
  entries_.clear();
  size_ = 0;
}

}  // namespace wherry
