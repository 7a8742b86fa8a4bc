#include "wherry/core/checked.hpp"

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

template <class T> [[noreturn]] void throw_too_large(const detail::checked& context, T a, std::string_view sign, T b) {
  throw error(error_kind::argument, context.where, detail::text("the ", context.what, " does not fit: ", a, sign, b),
              context.rank);
}

}  // namespace

void detail::checked::report(std::int64_t a, std::string_view sign, std::int64_t b) const {
  throw_too_large(*this, a, sign, b);
}
void detail::checked::report(std::uint64_t a, std::string_view sign, std::uint64_t b) const {
  throw_too_large(*this, a, sign, b);
}

}  // namespace wherry
