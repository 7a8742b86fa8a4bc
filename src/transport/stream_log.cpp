#include "stream_log.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/transport/byte_channels.hpp"
#include "wherry/transport/transport.hpp"

#include "byte_channel_state.hpp"
#include "channel/statistics_report.hpp"
#include "core/finalize.hpp"
#include "core/patience.hpp"
#include "core/trace.hpp"

namespace wherry {
namespace {

constexpr std::array<const char*, 2> names = {"shared", "two_sided"};

std::string names_of(std::array<bool, 2> ways) {
  std::string all;
  for (std::size_t i = names.size(); i-- > 0;)  // the slower one first
    if (ways[i]) all += detail::text(all.empty() ? "" : " + ", names[i]);
  return all;
}

/// Never destroyed: a communicator may be freed later than that.
struct all_logs {
  std::mutex guard;
  std::vector<stream_log*> list;
};
all_logs& all() {
  static auto* one = new all_logs;
  return *one;
}

/// The row that WHERRY_TRANSPORT names; null for "auto".
const transports::transport* forced() {
  const auto& name = current_settings().transport;
  return name == "auto" ? nullptr : &transports::find_transport(name);
}

void add_once(std::vector<int>& ascending, int rank) {
  const auto at = std::lower_bound(ascending.begin(), ascending.end(), rank);
  if (at == ascending.end() || *at != rank) ascending.insert(at, rank);
}

[[noreturn]] void refuse(std::string_view where, const communicator& comm, int to) {
  throw error(error_kind::argument, where,
              detail::text("rank ", to, " is on another node, which transport '", forced()->name, "' does not reach"),
              comm.rank());
}

/// A view of a plain MPI_Comm, for messages between two ranks, knows no nodes and has no shared memory.
bool knows_its_node(const communicator& comm) { return comm.arena() != nullptr; }

}  // namespace

bool streams_go_by_messages() {
  const auto* row = forced();
  return row != nullptr && !row->node_only;
}

void require_reach(std::string_view where, const communicator& comm, int to) {
  const auto* row = forced();
  if (row != nullptr && row->node_only && knows_its_node(comm) && comm.node_index(to) < 0) refuse(where, comm, to);
}

void require_reach(std::string_view where, const communicator& comm) {
  const auto* row = forced();
  if (row == nullptr || !row->node_only || !knows_its_node(comm)) return;
  for (int to = 0; to < comm.size(); ++to)
    if (comm.node_index(to) < 0) refuse(where, comm, to);
}

bool stream_log::measures() { return current_settings().statistics != "0" || trace_is_on(); }

stream_log::stream_log(int rank, int size) : rank_(rank), size_(size) {
  [[maybe_unused]] static const bool watched = (at_finalize(report_all), true);
  const std::lock_guard lock(all().guard);
  all().list.push_back(this);
}

stream_log::~stream_log() {
  {
    const std::lock_guard lock(all().guard);
    std::erase(all().list, this);
  }
  report();
}

void stream_log::report_all() {
  const std::lock_guard lock(all().guard);
  for (auto* log : all().list) log->report();
}

/// Reports each count once: later counts get a report of their own.
void stream_log::report() noexcept {
  const std::lock_guard lock(guard_);
  try {
    for (const auto& [where, c] : calls_)
      if (current_settings().statistics != "0")
        report_statistics(where, names_of(c.ways), rank_, size_, c.counted, c.peers);
    calls_.clear();
  } catch (...) {  // at the end nobody can be told
  }
}

stream_log::call& stream_log::of_call(std::string_view where) {
  const auto found = calls_.find(where);
  if (found != calls_.end()) return found->second;
  return calls_[std::string(where)];
}

/// The number of these streams in the trace, or -1 if there is no trace.
int stream_log::traced_as(std::string_view where, call& c, const std::vector<int>& peers) {
  if (!trace_is_on()) return -1;
  const auto known = c.traced.find(peers);
  if (known != c.traced.end()) return known->second;
  const auto more = peers.empty() ? std::string() : detail::text("\"peers\":[", list_of(peers), ']');
  const int made = trace_register({std::string(where), "stream", more});
  c.traced.emplace(peers, made);
  return made;
}

void stream_log::add_ways(call& to, std::array<bool, 2> ways, const std::vector<int>& peers) {
  ++to.counted.exchanges;
  for (std::size_t i = 0; i < ways.size(); ++i) to.ways[i] = to.ways[i] || ways[i];
  for (const int rank : peers) add_once(to.peers, rank);
}

void stream_log::count(std::string_view where, bool leaves, std::size_t bytes, std::array<bool, 2> ways,
                       std::int64_t began, const std::vector<int>& peers) {
  const std::lock_guard lock(guard_);
  auto& c = of_call(where);
  add_ways(c, ways, peers);
  (leaves ? c.counted.bytes_sent : c.counted.bytes_received) += static_cast<std::int64_t>(bytes);
  if (const int traced = traced_as(where, c, peers); traced >= 0)
    trace_event(traced, leaves ? "send" : "receive", began, c.counted.exchanges, static_cast<std::int64_t>(bytes));
}

void stream_log::count_exchange(std::string_view where, std::size_t sent, std::size_t received,
                                std::array<bool, 2> ways, std::int64_t began, const std::vector<int>& peers) {
  const std::lock_guard lock(guard_);
  auto& c = of_call(where);
  add_ways(c, ways, peers);
  c.counted.bytes_sent += static_cast<std::int64_t>(sent);
  c.counted.bytes_received += static_cast<std::int64_t>(received);
  if (const int traced = traced_as(where, c, {}); traced >= 0)
    trace_event(traced, "exchange", began, c.counted.exchanges, static_cast<std::int64_t>(sent + received));
}

double stream_log::count_wait(std::string_view where, std::int64_t began, const std::vector<int>& peers) {
  const std::lock_guard lock(guard_);
  auto& c = of_call(where);
  const double seconds = static_cast<double>(trace_clock() - began) * 1e-9;
  c.counted.seconds_waiting += seconds;
  if (const int traced = traced_as(where, c, peers); traced >= 0)
    trace_event(traced, "wait", began, c.counted.exchanges + 1);
  return seconds;
}

exchange_statistics stream_log::total() {
  const std::lock_guard lock(guard_);
  exchange_statistics sum;
  for (const auto& [where, c] : calls_) sum += c.counted;
  return sum;
}

std::string stream_log::transport() {
  const std::lock_guard lock(guard_);
  std::array<bool, 2> ways{};
  for (const auto& [where, c] : calls_)
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = ways[i] || c.ways[i];
  return names_of(ways);
}

std::string stream_log::explain() {
  const std::lock_guard lock(guard_);
  std::string out;
  for (const auto& [where, c] : calls_)
    out += detail::text("  ", where, ": ", c.counted.exchanges, " times, ", c.counted.bytes_sent, " B written, ",
                        c.counted.bytes_received, " B read, by ",
                        c.ways == std::array<bool, 2>() ? "copies to itself" : names_of(c.ways),
                        c.peers.empty() ? "" : detail::text(", with rank ", first_of(c.peers)), '\n');
  return out;
}

stream_record::stream_record(std::string_view where, std::shared_ptr<stream_log> log, bool leaves)
    : log_(std::move(log)), where_(where), leaves_(leaves), began_(trace_is_on() ? trace_clock() : 0) {}

void stream_record::end() noexcept {
  if (std::exchange(ended_, true) || !has_moved() || !log_) return;
  try {
    log_->count(where_, leaves_, bytes_, ways_, began_, peers_);
  } catch (...) {  // no memory for the name of a call: the stream is not counted
  }
}

exchange_statistics stream_record::figures() const {
  exchange_statistics all;
  all.exchanges = ended_ && has_moved() ? 1 : 0;
  (leaves_ ? all.bytes_sent : all.bytes_received) = static_cast<std::int64_t>(bytes_);
  all.seconds_waiting = seconds_;
  return all;
}

std::string stream_record::transport() const { return names_of(ways_); }

stream_wait::stream_wait(std::string_view where, const communicator& comm, stream_record* record, int rank)
    : where_(where), record_(record), rank_(rank) {
  if (!stream_log::measures() || detail::mpi_has_ended()) return;
  log_ = channel_state::of(comm)->log();
  began_ = trace_clock();
}

stream_wait::~stream_wait() {
  if (!log_) return;
  try {
    const auto other = rank_ >= 0 ? std::vector{rank_} : std::vector<int>();
    const double seconds = log_->count_wait(where_, began_, record_ != nullptr ? record_->peers() : other);
    if (record_ != nullptr) record_->waited(seconds);
  } catch (...) {
  }
}

exchange_statistics stream_statistics(const communicator& comm) { return channel_state::of(comm)->log()->total(); }

std::string stream_transport(const communicator& comm) { return channel_state::of(comm)->log()->transport(); }

std::string explain_ways(const communicator& comm) {
  const auto* row = forced();
  const auto asked = row == nullptr ? std::string("auto") : detail::text("asked for ", row->name);
  std::string out =
      detail::text("byte streams (", asked, "): what is packed first, and the first message, by MPI; what follows ");
  if (streams_share_memory(comm))
    out += detail::text("inside a node through rings in shared memory (shared)",
                        row == nullptr ? ", elsewhere as a message a window (two_sided)" : "");
  else
    out += detail::text("as a message a window (two_sided)",
                        row == nullptr || row->node_only ? ": the ranks share no memory here" : "");
  return out + '\n';
}

std::string explain_streams(const communicator& comm) {
  return explain_ways(comm) + channel_state::of(comm)->log()->explain();
}

}  // namespace wherry
