#include "wherry/plan/element.hpp"

#include <iomanip>
#include <sstream>

#include "wherry/core/error.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/numbers.hpp"

namespace wherry::plans {

std::string to_string(const element_type& type) {
  constexpr std::string_view words[] = {"raw",
                                        "boolean",
                                        "character",
                                        "signed integer",
                                        "unsigned integer",
                                        "floating-point",
                                        "complex",
                                        "brain floating-point",
                                        "user's type"};
  if (type.kind == element_kind::bytes) return "raw bytes";
  std::ostringstream out;
  out << type.bytes << "-byte " << words[static_cast<std::size_t>(type.kind)];
  if (type.kind == element_kind::users) out << " #" << std::hex << std::setw(8) << std::setfill('0') << type.name;
  return std::move(out).str();
}

typed_reduction operations_by_block(const std::vector<typed_reduction>& operations) {
  typed_reduction made;
  for (const auto& op : operations) made.name += detail::text(op.name, ", ");
  made.name += "store";
  made.by_block = operations;
  return made;
}

std::string identity(const typed_reduction& operation) {
  const bool converts = operation.type != operation.wire_type;
  return detail::text('\'', operation.name, "' of ", to_string(operation.type),
                      converts ? " from " + to_string(operation.wire_type) : "");
}

}  // namespace wherry::plans

std::string_view wherry::detail::name_of_number(const plans::element_type& type) {
  constexpr auto names =
      std::apply([](auto... row) { return std::array{std::string_view(), row.name...}; }, number_rows);
  return names[place_of_number(type)];
}
