// The reductions that are known for every type of numbers.
#include "wherry/plan/reduction.hpp"

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/plan/numbers.hpp"

namespace wherry {
namespace {

template <class T, class Row> const plans::typed_reduction* made(const Row& row) {
  if constexpr (Row::template has_meaning<T>) {
    const auto operation = [](const T& a, const T& b) { return Row::of(a, b); };
    static const auto reduction = plans::known_as(row.what, make_reduction<T>(std::string(row.name), operation));
    return &reduction;
  } else {
    return nullptr;
  }
}

/// The reduction, or null if it has no meaning for `T`.
template <class T> const plans::typed_reduction* known_for(plans::known_operation what) {
  const plans::typed_reduction* found = nullptr;
  std::apply([&](const auto&... row) { ((row.what == what ? void(found = made<T>(row)) : void()), ...); },
             detail::operation_rows);
  return found;
}

std::string_view name_of(plans::known_operation what) {
  std::string_view name = "nothing";
  std::apply([&](const auto&... row) { ((row.what == what ? void(name = row.name) : void()), ...); },
             detail::operation_rows);
  return name;
}

}  // namespace

std::string detail::name_of_function(const std::type_info& function) {
  return text("function ", name_hash(function.name()));
}

void detail::throw_no_meaning(const std::string& operation, const plans::element_type& type) {
  throw error(error_kind::argument, "reduction",
              text("'", operation, "' has no meaning for elements that are ", to_string(type),
                   "; make_reduction makes one of a function of yours"));
}

reduction::reduction(plans::typed_reduction made)
    : made_(std::make_shared<const plans::typed_reduction>(std::move(made))) {}

std::string reduction::name() const { return made_ ? made_->name : std::string(name_of(known_)); }

const plans::typed_reduction* reduction::on(const plans::element_type& type) const {
  if (made_) return made_.get();
  return wherry::detail::visit_number(type, [this]<class T>() { return known_for<T>(known_); });
}

}  // namespace wherry
