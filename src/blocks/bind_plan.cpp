#include "bind_plan.hpp"

#include <utility>

#include "core/collective.hpp"

namespace wherry {
namespace {

constexpr const char* where = "mover";

/// Some transports are collective in every stage, so that all ranks must have as many.
void agree_on_stages(const communicator& comm, schedule& plan) {
  plan.stages.resize(patient::allreduce(comm, where, std::vector{plan.stages.size()}, patient::most)[0]);
}

}  // namespace

void check_elements(const moved_elements& what, const mover_options& how, int rank) {
  const auto fail = [&](std::string_view problem) { throw error(error_kind::argument, where, problem, rank); };
  if (what.source_components != what.destination_components)
    fail(text("the source has ", what.source_components, " components, the destination ", what.destination_components));
  if (how.packet_bytes < 0) fail(text("packet_bytes is ", how.packet_bytes));
  if (!how.update) return;
  const auto& op = *how.update;
  const auto element = static_cast<index_t>(op.element), arriving = static_cast<index_t>(op.arriving());
  if (element == arriving ? what.source != what.destination || what.destination % element != 0
                          : what.destination != element || what.source != arriving)
    fail(text("the update '", op.name, "' makes elements of ", element, " bytes from ", arriving,
              ", the destination has elements of ", what.destination, " and the source of ", what.source));
}

exchange bind_plan(const communicator& comm, const std::function<schedule()>& inspect, const terms& agreed,
                   std::span<void* const> table, const mover_options& how) {
  schedule found;
  collectively_on(agreed, comm, where, [&] { found = inspect(); });
  if (how.packet_bytes > 0) agree_on_stages(comm, found);
  if (how.inspected) collectively(comm, where, [&] { how.inspected(found); });
  functions code;
  if (how.update) code.reductions.push_back(*how.update);
  // Staging in shared memory is as large as the message: it would not be bounded.
  auto carry = how.carry;
  if (how.packet_bytes > 0 && carry.transport == "auto") carry.transport = "two_sided";
  exchange bound(comm, std::move(found), std::move(code), carry);
  bound.set_fields(table);
  return bound;
}

}  // namespace wherry
