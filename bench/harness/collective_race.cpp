#include "harness/collective_race.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "harness/arguments.hpp"
#include "harness/neighbors.hpp"

namespace bench::collective {

using wherry::collective::kind;

namespace {

bool has_blocks(kind what, bool of_send) {
  switch (what) {
    case kind::alltoall:
      return true;
    case kind::gather:
    case kind::allgather:
      return !of_send;
    case kind::scatter:
    case kind::reduce_scatter_block:
      return of_send;
    default:
      return false;
  }
}

}  // namespace

std::vector<kind> kinds_there_are(bool of_neighbors) {
  std::vector<kind> all;
  for (int k = 0; k < wherry::collective::kinds; ++k)
    if (const auto what = static_cast<kind>(k); of_neighbors || !is_timed_among_neighbors(what)) all.push_back(what);
  return all;
}

std::vector<kind> timed_kinds(const std::vector<std::string>& names, bool of_neighbors) {
  const auto can_be_timed = kinds_there_are(of_neighbors);
  std::string all;
  for (const auto one : can_be_timed) all += (all.empty() ? "" : ", ") + std::string(name_of(one));
  std::vector<kind> kinds;
  for (const auto& name : names) {
    const auto what = wherry::collective::detail::kind_named(name);
    if (!what || std::find(can_be_timed.begin(), can_be_timed.end(), *what) == can_be_timed.end())
      throw usage_error("--collectives has '" + name + "', expected some of: " + all);
    kinds.push_back(*what);
  }
  return kinds;
}

void check_implementations(const std::vector<std::string>& names) {
  const auto there = wherry::collective::implementations_there_are();
  std::string all;
  for (const auto& one : there) all += (all.empty() ? "" : ", ") + std::string(one.name);
  for (const auto& name : names)
    if (std::none_of(there.begin(), there.end(), [&](const auto& one) { return one.name == name; }))
      throw usage_error("--implementations has '" + name + "', expected some of: " + all);
}

std::vector<int> checked_sizes(std::vector<int> bytes) {
  std::sort(bytes.begin(), bytes.end());
  bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
  if (bytes.front() < static_cast<int>(sizeof(double)))
    throw usage_error("--sizes has " + std::to_string(bytes.front()) + ", less than the 8 bytes of a number");
  return bytes;
}

void buffer::resize(std::size_t count, const wherry::communicator* of_node) {
  count_ = count;
  const auto room = std::max(count, std::size_t{1});  // MPICH needs an address, even of an empty buffer
  if (of_node == nullptr) {
    own_.resize(room);
    data_ = own_.data();
  } else {
    of_node_ = wherry::node_memory(*of_node, room * sizeof(double));
    data_ = reinterpret_cast<double*>(of_node_.data());
  }
}

repeated_call::repeated_call(kind what, MPI_Comm comm, std::size_t bytes, lengths how,
                             const wherry::communicator* of_node)
    : count_(bytes / sizeof(double)) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
  if (has_lists(what)) {
    listed_.emplace(what, rank_, size_, count_, how);
    send_.resize(listed_->sent(), of_node);
    receive_.resize(listed_->received(), of_node);
    call_ = listed_->call_of(comm, send_.data(), receive_.data());
    return;
  }
  const auto blocks = [&](bool of_send) { return has_blocks(what, of_send) ? static_cast<std::size_t>(size_) : 1; };
  const bool among_neighbors = is_timed_among_neighbors(what);
  const auto neighbors = among_neighbors ? count_neighbors(comm) : neighbor_counts{};
  const auto sent_blocks = among_neighbors && has_a_block_for_each(what) ? neighbors.destinations : 1;
  send_.resize(count_ * (among_neighbors ? static_cast<std::size_t>(sent_blocks) : blocks(true)), of_node);
  receive_.resize(count_ * (among_neighbors ? static_cast<std::size_t>(neighbors.sources) : blocks(false)), of_node);
  using wherry::collective::call;
  const auto n = static_cast<std::int64_t>(count_);
  double *const s = send_.data(), *const r = receive_.data();
  const auto type = MPI_DOUBLE;
  switch (what) {
    case kind::barrier:
      call_ = call::barrier(comm);
      break;
    case kind::bcast:
      call_ = call::bcast(r, n, type, 0, comm);
      break;
    case kind::gather:
      call_ = call::gather(s, n, type, r, n, type, 0, comm);
      break;
    case kind::scatter:
      call_ = call::scatter(s, n, type, r, n, type, 0, comm);
      break;
    case kind::reduce:
      call_ = call::reduce(s, r, n, type, MPI_SUM, 0, comm);
      break;
    case kind::allgather:
      call_ = call::allgather(s, n, type, r, n, type, comm);
      break;
    case kind::allreduce:
      call_ = call::allreduce(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::reduce_scatter_block:
      call_ = call::reduce_scatter_block(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::scan:
      call_ = call::scan(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::exscan:
      call_ = call::exscan(s, r, n, type, MPI_SUM, comm);
      break;
    case kind::alltoall:
      call_ = call::alltoall(s, n, type, r, n, type, comm);
      break;
    default:
      if (!among_neighbors)
        throw wherry::error(wherry::error_kind::argument, "bench_collective", "cannot time this collective");
      call_ = call_of_neighbors(what, comm, s, r, static_cast<int>(n), lists_);
  }
}

void repeated_call::rewrite() {
  ++rounds_;
  auto& writes = call_.kind == kind::bcast ? receive_ : send_;
  if (call_.kind == kind::bcast && rank_ != call_.root) return;
  for (std::size_t i = 0; i < writes.size(); ++i) writes[i] = sent(rank_, i);
}

bool repeated_call::is_right() const {
  const int all = size_ * (size_ - 1) / 2 * 7, before = rank_ * (rank_ - 1) / 2 * 7;
  const auto base = [&](std::size_t i) { return sent(0, i); };
  const auto vector_is = [&](auto value) {
    for (std::size_t i = 0; i < count_; ++i)
      if (receive_[i] != value(i)) return false;
    return true;
  };
  const bool at_root = rank_ == 0;
  if (listed_)
    return listed_->is_right(
        receive_.data(), [&](int from, std::size_t i) { return sent(from, i); },
        [&](std::size_t i) { return size_ * base(i) + all; });
  switch (call_.kind) {
    case kind::bcast:
      return vector_is(base);
    case kind::reduce:
      return !at_root || vector_is([&](std::size_t i) { return size_ * base(i) + all; });
    case kind::allreduce:
      return vector_is([&](std::size_t i) { return size_ * base(i) + all; });
    case kind::scan:
      return vector_is([&](std::size_t i) { return (rank_ + 1) * base(i) + before + 7 * rank_; });
    case kind::exscan:
      return at_root || vector_is([&](std::size_t i) { return rank_ * base(i) + before; });
    case kind::reduce_scatter_block:
      return vector_is([&](std::size_t i) { return size_ * base(static_cast<std::size_t>(rank_) * count_ + i) + all; });
    case kind::scatter:
      return vector_is([&](std::size_t i) { return base(static_cast<std::size_t>(rank_) * count_ + i); });
    case kind::gather:
    case kind::allgather:
    case kind::alltoall:
      if (call_.kind == kind::gather && !at_root) return true;
      for (int from = 0; from < size_; ++from)
        for (std::size_t i = 0; i < count_; ++i) {
          const auto at = call_.kind == kind::alltoall ? static_cast<std::size_t>(rank_) * count_ + i : i;
          if (receive_[static_cast<std::size_t>(from) * count_ + i] != sent(from, at)) return false;
        }
      return true;
    case kind::neighbor_allgather:
    case kind::neighbor_allgatherv:
    case kind::neighbor_alltoall:
    case kind::neighbor_alltoallv:
    case kind::neighbor_alltoallw: {  // the linked MPI defines which of a neighbour's blocks arrives here
      std::vector<double> expected(receive_.size() + 1);
      auto asked = call_;
      asked.receive = expected.data();
      call_mpi_of_neighbors(asked);
      for (std::size_t i = 0; i < receive_.size(); ++i)
        if (receive_[i] != expected[i]) return false;
      return true;
    }
    default:
      return true;
  }
}

int calls_of(std::size_t bytes) { return bytes <= 4096 ? 200 : bytes <= 65536 ? 40 : bytes <= 524288 ? 8 : 2; }

/// MPI's own function, as a program calls it. All others are compared with it.
void call_mpi_directly(const wherry::collective::call& c) {
  const auto n = static_cast<int>(c.receive_count);
  switch (c.kind) {
    case kind::barrier:
      MPI_Barrier(c.comm);
      return;
    case kind::bcast:
      MPI_Bcast(c.receive, n, c.receive_type, c.root, c.comm);
      return;
    case kind::gather:
      MPI_Gather(c.send, n, c.send_type, c.receive, n, c.receive_type, c.root, c.comm);
      return;
    case kind::scatter:
      MPI_Scatter(c.send, n, c.send_type, c.receive, n, c.receive_type, c.root, c.comm);
      return;
    case kind::reduce:
      MPI_Reduce(c.send, c.receive, n, c.send_type, c.op, c.root, c.comm);
      return;
    case kind::allgather:
      MPI_Allgather(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm);
      return;
    case kind::allreduce:
      MPI_Allreduce(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::reduce_scatter_block:
      MPI_Reduce_scatter_block(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::scan:
      MPI_Scan(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::exscan:
      MPI_Exscan(c.send, c.receive, n, c.send_type, c.op, c.comm);
      return;
    case kind::alltoall:
      MPI_Alltoall(c.send, n, c.send_type, c.receive, n, c.receive_type, c.comm);
      return;
    default:
      has_lists(c.kind) ? call_mpi_with_lists(c) : call_mpi_of_neighbors(c);
  }
}

namespace {

/// The seconds of a call, from the share of the time of a whole run that was spent in calls.
std::vector<standing> per_call(std::vector<standing> all, const std::vector<int>& calls) {
  for (std::size_t which = 0; which < all.size(); ++which)
    for (std::size_t i = 0; i < all[which].us.size(); ++i) all[which].us[i] *= all[which].waiting[i] / calls[which];
  return all;
}

/// The number of calls that are timed at once, the same on all ranks. It is small for an implementation whose call
/// takes far too long, so that its calls take no longer than the others'.
int affordable_calls(std::size_t bytes, double seconds_a_call, MPI_Comm comm) {
  constexpr double long_enough = 0.02;
  double slowest = 0;
  MPI_Allreduce(&seconds_a_call, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  const int most = calls_of(bytes);
  return slowest * most <= long_enough ? most : std::max(1, static_cast<int>(long_enough / slowest));
}

bool is_right_everywhere(const repeated_call& one, MPI_Comm comm) {
  int right = one.is_right() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, comm);
  return right == 1;
}

}  // namespace

std::vector<standing> race(std::vector<racer>& racers, std::size_t named, MPI_Comm comm, std::size_t bytes,
                           double seconds, int fewest_rounds) {
  std::vector<int> calls;
  calls.reserve(racers.size());
  std::vector<contender> contenders;
  for (std::size_t i = 0; i < racers.size(); ++i) {
    auto& one = racers[i];
    const auto& what = one.on.call();
    one.seconds += one.on.time(1, one.run);
    const double seconds_a_call = one.on.time(2, one.run) / 2;
    // The first call may have shown that it cannot do this call.
    if (i >= named && !wherry::collective::obstacle(what, one.name).empty()) continue;
    if (!is_right_everywhere(one.on, comm)) {
      // If a rank is two neighbours of another rank, the non-blocking calls of some MPIs may exchange its two blocks.
      if (is_timed_among_neighbors(what.kind) && one.name == "nonblocking") continue;
      throw std::runtime_error(one.name + ": wrong result");
    }
    calls.push_back(affordable_calls(bytes, seconds_a_call, comm));
    contenders.push_back({one.name, [&one, each = calls.back()] { one.seconds += one.on.time(each, one.run); },
                          [&one] { return one.seconds; }});
  }
  return per_call(contest(comm, contenders, seconds, fewest_rounds), calls);
}

std::vector<standing> race(kind what, MPI_Comm comm, std::size_t bytes, const std::vector<std::string>& wanted,
                           double seconds, lengths how) {
  repeated_call repeated(what, comm, bytes, how);
  const wherry::communicator node(comm);
  repeated_call in_node_memory(what, comm, bytes, how, &node);
  std::vector<racer> racers;
  const auto chosen = [](const auto& c) { wherry::collective::run(c); };
  racers.push_back({"auto", chosen, repeated});
  racers.push_back({"MPI", call_mpi_directly, repeated});
  const bool shares = what != kind::barrier && node.arena() != nullptr;
  if (shares) racers.push_back({"node memory", chosen, in_node_memory});
  const auto named = racers.size();
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), row.name) == wanted.end()) continue;
    if (!wherry::collective::obstacle(repeated.call(), row.name).empty()) continue;
    const auto by_name = [name = row.name](const auto& c) { wherry::collective::run(c, name); };
    racers.push_back({std::string(row.name), by_name, repeated});
  }
  const int fewest = wanted.empty() ? 5 : 9;  // few rounds for a look at all, more for a comparison of some
  return race(racers, named, comm, bytes, seconds, fewest);
}

}  // namespace bench::collective
