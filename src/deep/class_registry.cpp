#include "wherry/deep/detail/class_registry.hpp"

#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <typeindex>
#include <unordered_map>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/deep/detail/type_walk.hpp"

namespace wherry::deep {
namespace {

struct registry {
  std::deque<class_entry> entries;  // a deque, because entries must not move
  std::size_t looked_over = 0;  // entries that were checked; others wait, because they may be registered before main
  std::mutex looking;
  std::unordered_map<std::type_index, const class_entry*> by_type, faulty;
  std::unordered_map<std::uint32_t, const class_entry*> by_name, by_mark;
  std::unordered_map<std::uintptr_t, const class_entry*> by_address;
};

registry& classes() {
  static registry them;
  return them;
}

[[noreturn]] void collide(const class_entry& one, const class_entry& other) {
  throw error(error_kind::argument, "deep::registered",
              wherry::detail::text("the name \"", one.name, "\" collides with \"", other.name, "\" of another class"));
}

void look_over(registry& r) {
  const std::lock_guard alone(r.looking);
  for (; r.looked_over < r.entries.size(); ++r.looked_over) {
    class_entry& e = r.entries[r.looked_over];
    type_walk walk(e.mark);
    e.look_over(walk);
    e.problem = walk.problem();
    (e.problem.empty() ? r.by_type : r.faulty).emplace(*e.type, &e);
    if (!e.problem.empty()) continue;
    e.mark = static_cast<std::uint32_t>(walk.hash());
    if (const auto [same, is_new] = r.by_mark.emplace(e.mark, &e); !is_new) collide(e, *same->second);
  }
}

const class_entry* found_in(const std::unordered_map<std::type_index, const class_entry*>& map,
                            const std::type_info& type) {
  const auto found = map.find(type);
  return found == map.end() ? nullptr : found->second;
}

[[noreturn]] void not_registered(const std::type_info& type) {
  throw error(
      error_kind::argument, "deep copy",
      wherry::detail::text("class ", type.name(), " was found behind a pointer to a base, but is not registered: ",
                           "register it with wherry::deep::registered<Class, Base>"));
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
  if (const auto same = r.by_name.find(entry.mark); same != r.by_name.end()) {
    // One header in two shared libraries registers its classes twice.
    if (*same->second->type == *entry.type) return *same->second;
    collide(entry, *same->second);
  }
  r.entries.push_back(std::move(entry));
  const class_entry& e = r.entries.back();
  r.by_name.emplace(e.mark, &e);
  r.by_address.emplace(reinterpret_cast<std::uintptr_t>(&e), &e);
  return e;
}

void look_over_classes(const std::type_info& base) {
  registry& r = classes();
  look_over(r);
  for (const auto& [type, entry] : r.faulty)
    for (const auto& b : entry->bases)
      if (*b.type == base) throw error(error_kind::argument, "deep copy", entry->problem);
}

const class_entry& registered_class(const std::type_info& type) {
  registry& r = classes();
  if (const auto* entry = found_in(r.by_type, type)) return *entry;
  look_over(r);
  if (const auto* entry = found_in(r.by_type, type)) return *entry;
  if (const auto* entry = found_in(r.faulty, type)) throw error(error_kind::argument, "deep copy", entry->problem);
  not_registered(type);
}

const class_entry& registered_class_as_it_is(const std::type_info& type) {
  registry& r = classes();
  if (const auto* entry = found_in(r.by_type, type)) return *entry;
  look_over(r);
  if (const auto* entry = found_in(r.by_type, type)) return *entry;
  if (const auto* entry = found_in(r.faulty, type)) return *entry;
  not_registered(type);
}

const class_entry* class_with_mark(std::uint32_t mark) noexcept {
  registry& r = classes();
  const auto found = r.by_mark.find(mark);
  if (found != r.by_mark.end()) return found->second;
  try {
    look_over(r);
  } catch (const std::exception&) {
    return nullptr;
  }
  const auto again = r.by_mark.find(mark);
  return again == r.by_mark.end() ? nullptr : again->second;
}

const class_entry* class_at(std::uintptr_t entry) noexcept {
  const auto found = classes().by_address.find(entry);
  return found == classes().by_address.end() ? nullptr : found->second;
}

}  // namespace wherry::deep
