#include "wherry/halo/index_exchange.hpp"

namespace wherry {
namespace {

constexpr const char* pattern = "index exchange";

void check(const std::vector<index_field>& fields, const index_lists& lists, const index_options& options,
           const communicator& comm) {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, pattern, what, comm.rank()); };
  for (const auto* side : {&lists.sends, &lists.receives})
    for (const auto& list : *side)
      if (list.peer < 0 || list.peer >= comm.size())
        fail(text("a list is for rank ", list.peer, "; there are ", comm.size(), " ranks"));
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].element < 1) fail(text("array ", f, " has elements of ", fields[f].element, " bytes"));
    if (options.accumulate && fields[f].element % static_cast<index_t>(options.accumulate->element) != 0)
      fail(text("the reduction '", options.accumulate->name, "' works on elements of ", options.accumulate->element,
                " bytes, array ", f, " has elements of ", fields[f].element));
  }
}

// An array without elements may have no address, but an exchange wants one for each field.
std::vector<void*> addresses(const std::vector<index_field>& fields) {
  static std::byte nowhere;
  std::vector<void*> table;
  for (const auto& f : fields) table.push_back(f.data != nullptr || f.count > 0 ? f.data : &nowhere);
  return table;
}

exchange bind_lists(const communicator& comm, const index_lists& lists, const index_options& options,
                    const std::vector<index_field>& fields) {
  schedule plan;
  collectively(
      comm, pattern,
      [&] {
        check(fields, lists, options, comm);
        plan = plan_indices(lists, fields, options.accumulate.has_value(), comm.rank());
      },
      static_cast<std::uint32_t>(4 * fields.size() + (options.accumulate ? 2 : 0) + (options.snapshot ? 1 : 0)),
      "the ranks disagree on the number of arrays or the options");
  functions code;
  if (options.accumulate) code.reductions.push_back(*options.accumulate);
  exchange bound(comm, std::move(plan), std::move(code), {options.transport, options.snapshot});
  const auto table = addresses(fields);
  collectively(comm, pattern, [&] { bound.set_fields(table); });
  return bound;
}

}  // namespace

index_exchange::index_exchange(const communicator& comm, const index_lists& lists, const index_options& options,
                               std::vector<index_field> fields)
    : exchange_(bind_lists(comm, lists, options, fields)) {}

void index_exchange::start_at(const std::vector<index_field>& fields) {
  const auto table = addresses(fields);
  exchange_.start(table);
}

}  // namespace wherry
