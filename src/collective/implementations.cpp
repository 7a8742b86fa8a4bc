#include "implementations.hpp"

#include <array>

#include "wherry/core/error.hpp"

#include "algorithm_carrier.hpp"
#include "hierarchical.hpp"
#include "mailed.hpp"
#include "mpi_implementations.hpp"
#include "neighbor_messages.hpp"
#include "shared.hpp"
#include "shared_brief.hpp"

namespace wherry::collective {
namespace {

std::string_view nothing(const implementation&, const shape_of_call&, const communicator_state&) { return {}; }

constexpr std::string_view no_topology = "the communicator has no topology";

std::string_view without_neighbors(const communicator_state& on, std::int64_t slot) {
  if (on.around == nullptr) return no_topology;
  constexpr std::int64_t line = 64;
  return on.around->most_destinations() > slot / line ? "a rank has more neighbours than a slot has cache lines"
                                                      : std::string_view();
}

std::string_view without_shared_memory(const implementation&, const shape_of_call& shape,
                                       const communicator_state& on) {
  const auto what = pattern_of(shape.what);
  if (!on.one_node) return "not all ranks share memory";
  if (on.board == nullptr) return "there is no shared memory for it";
  if (is_of_neighbors(what)) return without_neighbors(on, on.board->slot());
  constexpr std::int64_t line = 64;  // for blocks of different sizes, which have their lengths with them
  const auto room = what == pattern::reduce_scatter ? on.board->slot() / on.board->members() - line : on.board->slot();
  return shape.element > room ? "one element is larger than a slot" : std::string_view();
}

task start_shared(const implementation&, invocation& call) {
  return shared::run(*call.on.board, call.on.board->reserve(1), call.dense);
}

std::string_view without_nodes(const implementation&, const shape_of_call& shape, const communicator_state& on) {
  const auto what = pattern_of(shape.what);
  if (on.board == nullptr) return "there is no shared memory for it";
  if (is_of_neighbors(what)) return without_neighbors(on, on.least_slot);
  if (shape.element > on.least_slot) return "one element is larger than a slot";
  const bool in_order = !shape.commutative || what == pattern::scan || what == pattern::exscan;
  if (in_order && !on.nodes.consecutive) return "the order of the ranks is not that of the nodes";
  return {};
}

task start_hierarchical(const implementation&, invocation& call) { return hierarchical::run(call); }

const algorithm* algorithm_of(const implementation& self, pattern what);

std::string_view without_algorithm(const implementation& self, const shape_of_call& shape,
                                   const communicator_state& on) {
  const auto what = pattern_of(shape.what);
  if (is_of_neighbors(what)) return on.around == nullptr ? no_topology : "there is no such algorithm for it";
  const auto* const how = algorithm_of(self, what);
  return how == nullptr ? "there is no such algorithm for it"
                        : obstacle_of(*how, shape.what, on.comm.size(), shape.commutative);
}

task start_algorithm(const implementation& self, invocation& call) {
  call.room->messages.begin(call.on.sequence, call.on.pool, call.on.comm.size(), call.on.comm, call.tag);
  return carry(*algorithm_of(self, call.dense.what), {call.on.comm}, call.dense, call.room->messages, call.on.pool,
               *call.room);
}

/// Among neighbours `linear` sends everything at once, as it does among all ranks.
std::string_view without_messages_at_once(const implementation& self, const shape_of_call& shape,
                                          const communicator_state& on) {
  if (!is_of_neighbors(shape.what)) return without_algorithm(self, shape, on);
  return on.around == nullptr ? no_topology : std::string_view();
}

task start_messages_at_once(const implementation& self, invocation& call) {
  if (!is_of_neighbors(call.dense.what)) return start_algorithm(self, call);
  call.room->messages.begin(call.on.sequence, call.on.pool, call.on.comm.size(), call.on.comm, call.tag);
  return exchange_with_neighbors(call.dense, call.room->messages, neighbors::all);
}

constexpr implementation by_messages(std::string_view name, std::string_view what) {
  return {name, what, without_algorithm, start_algorithm, false, implementation::needs::dense_call_and_tag};
}

constexpr implementation by_mail(std::string_view name, std::string_view what,
                                 task (*start)(const implementation&, invocation&)) {
  return {name,
          what,
          without_mailboxes,
          start,
          false,
          implementation::needs::dense_call_and_tag,
          prepare_mailboxes,
          give_back_mailboxes};
}

using needs = implementation::needs;
constexpr std::array rows{
    implementation{"mpi", "MPI's own collective", nothing, start_nonblocking, false, needs::users_call, nullptr,
                   nullptr, directly_to_mpi},
    implementation{"nonblocking", "MPI's non-blocking collective, and a wait", nothing, start_nonblocking, false,
                   needs::users_call},
    implementation{"shared", "by the memory that the ranks of a node share", without_shared_memory, start_shared, true,
                   needs::dense_call, nullptr, nullptr, shared::briefly},
    implementation{"hierarchical", "within nodes by shared memory, between them by messages", without_nodes,
                   start_hierarchical, false, needs::dense_call_and_tag},
    by_mail("one_sided", "by MPI's puts into windows", start_one_sided),
    by_mail("pgas", "by notified writes, as in a partitioned global address space", start_pgas),
    by_mail("coarray", "by assignments to a Fortran coarray", start_coarray),
    implementation{"linear", "all messages at once", without_messages_at_once, start_messages_at_once, false,
                   needs::dense_call_and_tag},
    by_messages("binomial", "along a binomial tree"),
    by_messages("chain", "from rank to rank, in a pipeline of segments"),
    by_messages("scatter_allgather", "pieces to all, which then exchange them (van de Geijn)"),
    by_messages("ring", "around the ring of ranks, a block at a time"),
    by_messages("recursive_doubling", "with partners at twice the distance each time"),
    by_messages("recursive_halving", "with partners at half the distance each time"),
    by_messages("rabenseifner", "reduces pieces by halving, then collects them"),
    by_messages("bruck", "log P messages of many blocks"),
    by_messages("dissemination", "log P rounds around the ring"),
    by_messages("neighbor_exchange", "pairs of neighbours in turn"),
    by_messages("pairwise", "one partner at a time"),
};
static_assert(rows.size() <= call_counts::most_implementations);

const algorithm* algorithm_of(const implementation& self, pattern what) {
  static const auto found = [] {
    std::array<std::array<const algorithm*, patterns>, rows.size()> all{};
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t p = 0; p < patterns; ++p) all[i][p] = find(rows[i].name, static_cast<pattern>(p));
    return all;
  }();
  return found[static_cast<std::size_t>(&self - rows.data())][static_cast<std::size_t>(what)];
}

}  // namespace

std::span<const implementation> implementations() { return rows; }

int implementation_named(std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name) return static_cast<int>(i);
  return -1;
}

std::string names_of_implementations() {
  std::string names;
  for (const auto& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

int implementation_named(std::string_view name, std::string_view where, int rank) {
  const int place = implementation_named(name);
  if (place < 0)
    throw error(
        error_kind::argument, where,
        wherry::detail::text("there is no implementation named '", name, "'; there are ", names_of_implementations()),
        rank);
  return place;
}

}  // namespace wherry::collective
