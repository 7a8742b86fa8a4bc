#include "wherry/deep/detail/class_registry.hpp"

#include <deque>
#include <typeindex>
#include <unordered_map>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"

namespace wherry::deep {
namespace {

struct registry {
  std::deque<class_entry> entries;  // which stay where they are
  std::unordered_map<std::type_index, const class_entry*> by_type;
  std::unordered_map<std::uint32_t, const class_entry*> by_mark;
  std::unordered_map<std::uintptr_t, const class_entry*> by_address;
};

registry& classes() {
  static registry them;
  return them;
}

}  // namespace

void* class_entry::as(const std::type_info& wanted, void* object) const {
  for (const base& b : bases)
    if (*b.type == wanted) return b.from_object(object);
  return nullptr;
}

const class_entry& register_class(class_entry entry) {
  entry.mark = wherry::detail::name_hash(entry.name);
  registry& r = classes();
  if (const auto same = r.by_mark.find(entry.mark); same != r.by_mark.end()) {
    // The same header in two shared libraries registers twice.
    if (*same->second->type == *entry.type) return *same->second;
    throw error(error_kind::argument, "deep::registered",
                text("the name \"", entry.name, "\" collides with \"", same->second->name, "\" of another class"));
  }
  r.entries.push_back(std::move(entry));
  const class_entry& e = r.entries.back();
  r.by_mark.emplace(e.mark, &e);
  r.by_type.emplace(*e.type, &e);
  r.by_address.emplace(reinterpret_cast<std::uintptr_t>(&e), &e);
  return e;
}

const class_entry& registered_class(const std::type_info& type) {
  const auto found = classes().by_type.find(type);
  if (found != classes().by_type.end()) return *found->second;
  throw error(error_kind::argument, "deep copy",
              text("class ", type.name(), " is met through a pointer to a base, but is not registered: ",
                   "wherry::deep::registered<Class, Base> it"));
}

const class_entry* class_with_mark(std::uint32_t mark) noexcept {
  const auto found = classes().by_mark.find(mark);
  return found == classes().by_mark.end() ? nullptr : found->second;
}

const class_entry* class_at(std::uintptr_t entry) noexcept {
  const auto found = classes().by_address.find(entry);
  return found == classes().by_address.end() ? nullptr : found->second;
}

}  // namespace wherry::deep
