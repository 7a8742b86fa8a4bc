#include "selection.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "arguments.hpp"
#include "checking.hpp"
#include "communicator_state.hpp"
#include "core/collective.hpp"
#include "datatypes.hpp"

namespace wherry::collective {
namespace {

std::int64_t sent(const call& c) { return c.send_count * facts_of(c.send_type).size; }
std::int64_t received(const call& c) { return c.receive_count * facts_of(c.receive_type).size; }

std::int64_t received_from_all(const call& c, int size) {
  std::int64_t all = 0;
  for (int r = 0; r < size; ++r) all += c.receive_counts[r];
  return all * facts_of(c.receive_type).size;
}

std::int64_t bytes_known_to_all(const call& c, int size) {
  switch (c.kind) {
    case kind::bcast:
    case kind::reduce:
    case kind::allreduce:
    case kind::scan:
    case kind::exscan:
    case kind::reduce_scatter_block:
      return received(c);
    case kind::gather:
    case kind::allgather:
    case kind::alltoall:
      return c.send == MPI_IN_PLACE ? received(c) : sent(c);
    case kind::scatter:
      return c.receive == MPI_IN_PLACE ? sent(c) : received(c);
    case kind::allgatherv:
    case kind::reduce_scatter:
      return received_from_all(c, size);
    case kind::barrier:
      return 0;
    default:
      return -1;
  }
}

selection by(const call& what, const communicator_state& on, const rule& chosen, const shape_of_call& shape) {
  const auto& row = implementations()[static_cast<std::size_t>(chosen.implementation)];
  if (const auto obstacle = row.obstacle(row, shape, on); !obstacle.empty())
    return {mpi_itself, chosen.source, obstacle, row.name};
  if (!on.given_up.empty() && chosen.implementation != mpi_itself)
    throw error(error_kind::state, name_of(what.kind),
                wherry::detail::text("this communicator's ", on.given_up,
                                     " was given up: ranks no longer agree on what comes next"),
                on.comm.rank());
  return {chosen.implementation, chosen.source, {}, {}};
}

}  // namespace

shape_of_call shape_of(const call& what, const communicator_state& on) {
  shape_of_call shape{what.kind, bytes_known_to_all(what, on.comm.size()), 0, true};
  if (what.op != MPI_OP_NULL) {
    int commutes = 0;
    check_mpi(PMPI_Op_commutative(what.op, &commutes), "MPI_Op_commutative");
    shape.element = facts_of(what.send_type).size;
    shape.commutative = commutes != 0;
  }
  return shape;
}

namespace {

/// The rule for an implementation that the caller has named.
/// @throws error(argument) for an unknown name
rule wish_for(const call& what, std::string_view implementation, const communicator_state& on) {
  const int place = implementation_named(implementation);
  if (place < 0)
    throw error(error_kind::argument, name_of(what.kind),
                wherry::detail::text("there is no implementation named '", implementation, "'"), on.comm.rank());
  return {0, place, "the caller"};
}

}  // namespace

selection explained_selection(const call& what, const communicator_state& on, std::string_view implementation) {
  const bool is_named = !implementation.empty();
  const rule wish = is_named ? wish_for(what, implementation, on) : rule{};
  check_arguments(what, on.comm.rank(), on.comm.size(), on.around.get());
  const auto shape = shape_of(what, on);
  return by(what, on, is_named ? wish : on.chosen.of(what.kind, shape.bytes), shape);
}

std::string words_of(const selection& chosen) {
  const auto name = implementations()[static_cast<std::size_t>(chosen.implementation)].name;
  if (chosen.obstacle.empty()) return wherry::detail::text(name, ": chosen by ", chosen.source);
  return wherry::detail::text(name, ": ", chosen.wanted, ", chosen by ", chosen.source, ", cannot: ", chosen.obstacle);
}

namespace {

/// With WHERRY_CHECK all ranks learn of an error before they begin, so that none has to be told later.
template <class Check> void tell_of_errors(const call& what, const communicator_state& on, Check&& check) {
  if (is_of_neighbors(what.kind) && on.around == nullptr) return check();
  collectively(on.comm, name_of(what.kind), std::forward<Check>(check));
}

shape_of_call checked_shape(const call& what, communicator_state& on, std::string_view implementation = {}) {
  const auto check = [&] { check_arguments(what, on.comm.rank(), on.comm.size(), on.around.get()); };
  if (on.checked)
    tell_of_errors(what, on, check);
  else
    refusing(on, check);
  const auto shape = shape_of(what, on);
  if (on.checked) compare_calls(what, shape, on, implementation);
  return shape;
}

}  // namespace

namespace {

/// Remembers the decision for the next call with the same arguments.
void remember(const call& what, const shape_of_call& shape, communicator_state& on, const selection& found,
              int wish = nobody) {
  const auto& row = implementations()[static_cast<std::size_t>(found.implementation)];
  const bool needs_preparation = is_of_neighbors(what.kind) || row.prepare != nullptr;
  if (on.checked || needs_preparation) return;
  auto* const fell = found.obstacle.empty() ? nullptr : &on.counts.fallen(what.kind, found.wanted, found.obstacle);
  on.chosen.remember(what, on.comm.rank(),
                     {figures_of_call(what), wish, found.implementation, row.name,
                      row.shorter != nullptr ? row.shorter(what, shape, on) : brief_way{}, fell, found});
}

template <bool MayTry> selection selected(const call& what, communicator_state& on) {
  if (const auto* known = repeated(what, on)) return known->said;
  const auto shape = checked_shape(what, on);
  const bool open = on.first && on.given_up.empty() && on.first->tries(shape, on);
  if (MayTry && open) return {on_trial, {}, {}, {}};
  const auto found = by(what, on, on.chosen.of(what.kind, shape.bytes), shape);
  if (!open) remember(what, shape, on, found);
  return found;
}

}  // namespace

selection select(const call& what, communicator_state& on) { return selected<false>(what, on); }
selection select_or_try(const call& what, communicator_state& on) { return selected<true>(what, on); }

selection select(const call& what, communicator_state& on, std::string_view implementation) {
  rule wish{};
  refusing(on, [&] { wish = wish_for(what, implementation, on); });
  const auto shape = checked_shape(what, on, implementation);
  const auto found = by(what, on, wish, shape);
  remember(what, shape, on, found, wish.implementation);
  return found;
}

namespace {

/// The bytes of a block, relative to the send buffer.
struct span_of_block {
  std::int64_t from, to;
};

span_of_block span_of(std::int64_t at, std::int64_t count, MPI_Datatype type) {
  MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  check_mpi(PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent), "MPI_Type_get_true_extent_x");
  const auto reach = (count - 1) * extent;
  return {at + true_lower + std::min<std::int64_t>(0, reach),
          at + true_lower + true_extent + std::max<std::int64_t>(0, reach)};
}

template <class Visit> void for_each_sent(const call& c, const communicator_state& on, Visit&& visit) {
  if (c.send == MPI_IN_PLACE || (c.send_type == MPI_DATATYPE_NULL && c.send_types == nullptr)) return;
  const int rank = on.comm.rank(), size = on.comm.size();
  const auto what = pattern_of(c.kind);
  const auto one = [&](std::int64_t at, std::int64_t count, MPI_Datatype type) {
    if (count > 0) visit(span_of(at, count, type));
  };
  if (what == pattern::scatter && rank != c.root) return;
  const int blocks = what == pattern::neighbor_alltoall ? static_cast<int>(on.around->destinations().size()) : size;
  const auto is_sent = [&](int b) {
    return what != pattern::neighbor_alltoall ||
           on.around->destinations()[static_cast<std::size_t>(b)] != MPI_PROC_NULL;
  };
  if (c.send_types != nullptr) {
    for (int b = 0; b < blocks; ++b)
      if (is_sent(b))
        one(c.send_addresses != nullptr ? c.send_addresses[b] : c.send_displacements[b], c.send_counts[b],
            c.send_types[b]);
  } else if (c.send_counts != nullptr) {
    const auto extent = facts_of(c.send_type).extent;
    for (int b = 0; b < blocks; ++b)
      if (is_sent(b)) one(c.send_displacements[b] * extent, c.send_counts[b], c.send_type);
  } else if (what == pattern::alltoall || what == pattern::scatter || what == pattern::neighbor_alltoall) {
    one(0, c.send_count * blocks, c.send_type);
  } else if (what == pattern::reduce_scatter) {
    std::int64_t all = c.receive_count * size;
    if (c.receive_counts != nullptr) {
      all = 0;
      for (int r = 0; r < size; ++r) all += c.receive_counts[r];
    }
    one(0, all, c.send_type);
  } else if (what != pattern::bcast) {
    one(0, c.send_count, c.send_type);
  }
}

}  // namespace

call with_copy_of_input(const call& what, communicator_state& on, scratch& copy) {
  if (is_of_neighbors(what.kind) && on.around == nullptr) return what;  // MPI will report the error
  span_of_block whole{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for_each_sent(what, on, [&](const span_of_block& one) {
    whole.from = std::min(whole.from, one.from);
    whole.to = std::max(whole.to, one.to);
  });
  if (whole.from >= whole.to) return what;
  copy = on.pool.take(static_cast<std::size_t>(whole.to - whole.from));
  const auto* const from = static_cast<const std::byte*>(what.send);
  for_each_sent(what, on, [&](const span_of_block& one) {
    std::memcpy(copy.data() + (one.from - whole.from), from + one.from, static_cast<std::size_t>(one.to - one.from));
  });
  call copied = what;
  copied.send = copy.data() - whole.from;
  return copied;
}

}  // namespace wherry::collective
