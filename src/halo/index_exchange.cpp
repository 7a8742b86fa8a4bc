#include "wherry/halo/index_exchange.hpp"

#include <algorithm>

#include "wherry/device/field_memory.hpp"

#include "arrival.hpp"
#include "core/terms.hpp"
#include "part_ranges.hpp"

namespace wherry {
namespace {

constexpr const char* in_index_exchange = "index exchange";

void check(const std::vector<detail::index_field>& fields, const index_lists& lists, const communicator& comm) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, in_index_exchange, what, comm.rank());
  };
  for (const auto* side : {&lists.sends, &lists.receives})
    for (const auto& list : *side)
      if (list.peer < 0 || list.peer >= comm.size())
        fail(detail::text("a list is for rank ", list.peer, ", expected 0 to ", comm.size() - 1));
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].element < 1)
      fail(detail::text("array ", f, " has elements of ", fields[f].element, " bytes, expected 1 or more"));
  }
}

std::vector<arriving_field> arriving_fields(const std::vector<detail::index_field>& arrays) {
  std::vector<arriving_field> list;
  for (const auto& a : arrays) list.push_back({detail::text("array ", list.size()), a.type, a.element});
  return list;
}

}  // namespace

namespace detail {

bound_arrays::bound_arrays(std::vector<index_field> arrays, int rank) : arrays_(std::move(arrays)), rank_(rank) {
  for (const auto& a : arrays_) table_.push_back(address(a));
}

// An array without elements has a dummy address here, so null means that the array comes with `start`.
bool bound_arrays::complete() const { return std::find(table_.begin(), table_.end(), nullptr) == table_.end(); }

std::span<void* const> bound_arrays::table() const { return table_; }

void* bound_arrays::address(const index_field& array) {
  static std::byte nowhere;
  return array.data != nullptr || array.count > 0 ? array.data : &nowhere;
}

void bound_arrays::refuse(const index_field& given, const index_field& wanted, int argument) const {
  const auto differ = [](std::string_view what, const auto& has, const auto& bound) {
    return text(what, ' ', has, " where the exchange was made for ", bound);
  };
  std::string problem;
  if (!plans::fits(given.type, wanted.type))
    problem = differ("elements that are", to_string(given.type), to_string(wanted.type));
  else if (given.element != wanted.element)
    problem = differ("an element size of", given.element, wanted.element);
  else if (given.count != wanted.count)
    problem = differ("a number of elements of", given.count, wanted.count);
  else if (given.stride != wanted.stride)
    problem = differ("a stride in bytes of", given.stride, wanted.stride);
  else
    problem = differ("memory of", to_string(given.space), to_string(wanted.space));
  throw error(error_kind::argument, in_index_exchange, text("array ", argument, " that start was given has ", problem),
              rank_);
}

}  // namespace detail

struct index_plan::planned {
  communicator comm;
  std::shared_ptr<const wherry::plans::schedule> steps;
  plans::functions code;
  carry_options carry;
  std::vector<detail::index_field> fields;
  part_ranges parts;
};

index_plan::index_plan(const communicator& comm, const index_lists& lists, const index_options& options,
                       std::vector<detail::index_field> fields) {
  wherry::plans::schedule steps;
  plans::functions code;
  std::optional<part_ranges> parts;
  const auto way = way_of(options);
  const terms agreed([&](auto& say) {
    say(fields.size(), "the number of arrays");
    say(options.reverse, "'reverse'");
    say(options.combine_copies.has_value(), "whether there is a 'combine_copies'");
    say(options.update.has_value(), "whether there is an 'update'");
    say(options.carry.snapshot, "'snapshot'");
    say(options.carry.packet_bytes, "'packet_bytes'");
  });
  collectively_on(agreed, comm, in_index_exchange, [&] {
    check(fields, lists, comm);
    check_way(options, in_index_exchange, comm.rank());
    parts.emplace(options.parts, fields, options.carry, comm.rank());
    for (auto& f : fields) f.space = detail::space_of(comm, f.data, f.space);
    auto arriving = arrival_of(way.update, arriving_fields(fields), in_index_exchange, comm.rank());
    code = std::move(arriving.code);
    steps = plan_indices(lists, fields, way.reverse, way.gives_back, arriving.operations, comm.rank(),
                         options.carry.packet_bytes);
    if (way.reverse) check_reverse(steps, code, comm.rank());
  });
  planned_ =
      std::make_shared<const planned>(planned{comm, std::make_shared<const wherry::plans::schedule>(std::move(steps)),
                                              std::move(code), options.carry, std::move(fields), *std::move(parts)});
}

const communicator& index_plan::comm() const { return planned_->comm; }
const wherry::plans::schedule& index_plan::schedule() const { return *planned_->steps; }

index_exchange::index_exchange(const index_plan& plan)
    : bound_pattern(exchange(plan.comm(), plan.planned_->steps, plan.planned_->code, plan.planned_->carry)),
      arrays_(plan.planned_->fields, plan.comm().rank()) {
  if (arrays_.complete()) exchange_.set_fields(arrays_.table());
  const auto& planned = *plan.planned_;
  if (planned.parts.size() > 0)
    exchange_.divide(planned.parts.size(), [&](const plans::block_row& row, std::vector<int>& needed) {
      planned.parts.append_needed(*planned.steps, row, needed);
    });
}

void index_exchange::refuse(std::size_t given) const {
  throw error(
      error_kind::argument, in_index_exchange,
      detail::text("start was given ", given, " arrays, but the exchange was made for ", arrays_.table().size()),
      exchange_.comm().rank());
}

}  // namespace wherry
