#include "selection.hpp"

#include "wherry/core/error.hpp"

#include "arguments.hpp"
#include "checking.hpp"
#include "communicator_state.hpp"
#include "core/collective.hpp"

namespace wherry::collective {
namespace {

selection by(const call& what, const communicator_state& on, const rule& chosen, const shape_of_call& shape) {
  const auto& row = implementations()[static_cast<std::size_t>(chosen.implementation)];
  if (const auto obstacle = row.obstacle(row, shape, on); !obstacle.empty())
    return {mpi_itself, name_of(chosen.by), obstacle, row.name};
  if (!on.given_up.empty() && chosen.implementation != mpi_itself)
    throw error(
        error_kind::state, name_of(what.kind),
        wherry::detail::text("this communicator's ", on.given_up,
                             " was given up: its ranks no longer agree on their next call; make a new communicator"),
        on.comm.rank());
  return {chosen.implementation, name_of(chosen.by), {}, {}};
}

}  // namespace

int wish_for(const call& what, communicator_state& on, std::string_view implementation) {
  int place = nobody;
  refusing(on, [&] { place = implementation_named(implementation, name_of(what.kind), on.comm.rank()); });
  return place;
}

selection explained_selection(const call& what, const communicator_state& on, std::string_view implementation) {
  const int wish =
      implementation.empty() ? nobody : implementation_named(implementation, name_of(what.kind), on.comm.rank());
  check_arguments(what, on.comm.rank(), on.comm.size(), on.around.get());
  const auto shape = shape_of(what, on);
  return by(what, on, on.chosen.of(what.kind, shape.bytes, wish), shape);
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
  wherry::detail::collectively(on.comm, name_of(what.kind), std::forward<Check>(check));
}

shape_of_call checked_shape(const call& what, communicator_state& on, int wish) {
  const auto check = [&] { check_arguments(what, on.comm.rank(), on.comm.size(), on.around.get()); };
  if (on.checked)
    tell_of_errors(what, on, check);
  else
    refusing(on, check);
  const auto shape = shape_of(what, on);
  if (on.checked)
    compare_calls(what, shape, on, wish == nobody ? "" : implementations()[static_cast<std::size_t>(wish)].name);
  return shape;
}

/// Remembers the decision for the next call with the same arguments.
void remember(const call& what, const shape_of_call& shape, communicator_state& on, const selection& found, int wish) {
  const auto& row = implementations()[static_cast<std::size_t>(found.implementation)];
  const bool needs_preparation = is_of_neighbors(what.kind) || row.prepare != nullptr;
  if (on.checked || needs_preparation) return;
  auto* const fell = found.obstacle.empty() ? nullptr : &on.counts.fallen(what.kind, found.wanted, found.obstacle);
  on.chosen.remember(what, on.comm.rank(),
                     {figures_of_call(what), wish, found.implementation, row.name,
                      row.shorter != nullptr ? row.shorter(what, shape, on) : brief_way{}, fell, found});
}

}  // namespace

selection select(const call& what, communicator_state& on, int wish) {
  if (const auto* known = repeated(what, on, wish)) return known->said;
  const auto shape = checked_shape(what, on, wish);
  const auto found = by(what, on, on.chosen.of(what.kind, shape.bytes, wish), shape);
  remember(what, shape, on, found, wish);
  return found;
}

}  // namespace wherry::collective
