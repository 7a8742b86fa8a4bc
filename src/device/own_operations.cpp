// The user's own operations for devices, as `make_device_reduction` has registered them.
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

#include "wherry/core/error.hpp"
#include "wherry/device/operation.hpp"

namespace wherry {
namespace {

struct known_own {
  std::type_index functor;
  own_operation how;
};
using key = std::tuple<std::string, plans::element_kind, std::int64_t>;

std::mutex guard;
std::map<key, known_own>& own_operations() {
  static std::map<key, known_own> rows;
  return rows;
}
key key_of(const plans::typed_reduction& made) {
  return {made.name, made.type.kind, static_cast<std::int64_t>(made.type.bytes)};
}

}  // namespace

/// If several compilers register the same operation, the version that the device's compiler made is kept.
void detail::register_own_operation(const plans::typed_reduction& made, std::type_index functor,
                                    const own_operation& how) {
  const std::lock_guard lock(guard);
  const auto [at, is_new] = own_operations().try_emplace(key_of(made), known_own{functor, how});
  if (is_new) return;
  if (at->second.functor != functor)
    throw error(error_kind::argument, "make_device_reduction",
                detail::text("'", made.name, "' on ", to_string(made.type),
                             " was already made from another functor: give this one another name"));
  if (at->second.how.launch == nullptr) at->second.how.launch = how.launch;
}

const own_operation* detail::find_own_operation(const plans::typed_reduction& made) {
  const std::lock_guard lock(guard);
  const auto found = own_operations().find(key_of(made));
  return found == own_operations().end() || made.wire_type != made.type ? nullptr : &found->second.how;
}

}  // namespace wherry
