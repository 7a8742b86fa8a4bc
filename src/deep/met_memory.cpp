#include "met_memory.hpp"

#include <iterator>
#include <string>

#include "type_names.hpp"

namespace wherry::deep {
namespace {

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

constexpr const char* advice =
    ": describe a pointer into another object with m.points_into(p, base, n), and one that "
    "must not travel with m.skip(p)";

}  // namespace

void refuse_inner(const std::type_info* type, const std::type_info* around, std::size_t at) {
  refuse(wherry::detail::text("a shared or observed pointer points to ", name_of(*type),
                              " inside another object that travels by itself, ", at, " bytes from the beginning of ",
                              name_of(*around), advice));
}

void refuse_other_type(const std::type_info* type, const std::type_info* known) {
  refuse(wherry::detail::text("a shared or observed pointer points to ", name_of(*type), " where ",
                              known != nullptr ? name_of(*known) : "an object of another class",
                              " begins, which travels by itself", advice));
}

void met_memory::shared(const void* first, std::size_t bytes, const std::type_info* type) {
  if (bytes > 0) add(number(first), {number(first) + bytes, type, true});
}

void met_memory::brought(const void* first, std::size_t bytes, const std::type_info* type) {
  if (bytes > 0) add(number(first), {number(first) + bytes, type, false});
}

const std::type_info* met_memory::type_at(const void* first) const {
  const auto found = outermost_.find(number(first));
  return found != outermost_.end() ? found->second.type : nullptr;
}

void met_memory::add(std::uintptr_t begin, const piece& added) {
  auto next = outermost_.upper_bound(begin);
  if (next != outermost_.begin()) {
    const auto& [around_begin, around] = *std::prev(next);
    if (added.end <= around.end) {
      // Members of a shared object belong to it; only the object itself must not arrive twice.
      const bool is_itself = begin == around_begin && added.end == around.end && added.type == around.type;
      if (added.is_shared || (around.is_shared && is_itself))
        refuse_inner(added.type, around.type, begin - around_begin);
      return;
    }
  }
  if (next != outermost_.begin() && std::prev(next)->first == begin) --next;
  while (next != outermost_.end() && next->second.end <= added.end) {
    if (next->second.is_shared) refuse_inner(next->second.type, added.type, next->first - begin);
    next = outermost_.erase(next);
  }
  outermost_.insert_or_assign(begin, added);
}

}  // namespace wherry::deep
