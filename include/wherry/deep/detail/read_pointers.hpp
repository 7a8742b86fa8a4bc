/// @file
/// The parts of the reader that exist once for each type: making objects of the type, and shared pointers to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "wherry/deep/detail/reader.hpp"

namespace wherry::deep {

namespace detail {

/// Memory for an object that a shared_ptr owns, in one allocation with the reference count. The object is always made,
/// so that the destructor may destroy it.
template <class T> struct shared_place {
  alignas(T) std::byte memory[sizeof(T)];
  T* object() { return reinterpret_cast<T*>(memory); }
  shared_place() {}  // leaves the memory as it is
  shared_place(const shared_place&) = delete;
  shared_place& operator=(const shared_place&) = delete;
  ~shared_place() { std::destroy_at(object()); }
};

/// The owner for an object that was made before its shared_ptr. It gets the object only when nothing can fail any more.
template <class T> struct adopted {
  T* object = nullptr;
  adopted() = default;
  adopted(const adopted&) = delete;
  adopted& operator=(const adopted&) = delete;
  ~adopted() { delete object; }
};

/// Makes a shared_ptr that owns the existing object `p`, and tells an object with std::enable_shared_from_this about
/// it. If there is no memory for this the program ends, because no owner could free the parts of the object that are
/// still to arrive.
template <class T>
std::shared_ptr<T> owner_of(std::shared_ptr<adopted<T>> owner, T* p, const class_entry* entry, void* whole) noexcept {
  if (entry != nullptr && entry->own != nullptr) return {entry->own(whole), p};
  if constexpr (knows_its_owner<T>) return std::shared_ptr<T>(p);
  owner->object = p;
  return {std::move(owner), p};
}

}  // namespace detail

template <class T> constexpr object_type reader::describe_type() {
  object_type x{};
  x.mark = &shared_table::mark_of<T>;
  x.alignment = alignof(T);
  x.least = detail::least_bytes<T>;
  x.before_array = detail::bytes_before<T>;
  x.innermost = sizeof(detail::innermost<T>);
  if constexpr (std::is_polymorphic_v<T>) x.base = &typeid(T);
  x.visit = &detail::visit_object<T>;
  x.free = &detail::delete_object<T>;
  if constexpr (!std::is_abstract_v<T>) {
    x.bytes = sizeof(T);
    x.values = &run_values<T, false>;
    x.at_once = &make_at_once<T, false>;
    if constexpr (!detail::allocated_as_usual<T>) x.allocate = &detail::allocate_as_new<T>;
    if constexpr (detail::knows_its_owner<T>) {
      x.make = []() -> void* { return new T(); };
      x.defer_members = [](reader& r, void* object) { r.defer_members(static_cast<T*>(object)); };
    }
  }
  return x;
}
template <class T> const object_type reader::type_of = reader::describe_type<T>();

/// Reads the members of an object that has been made already. If there is no memory to remember it, the object stays as
/// it is.
template <class T> void reader::defer_members(T* object) {
  const auto step = [](reader& r) {
    T& made = *static_cast<T*>(r.top().at);
    r.pop();
    const std::size_t here = r.waiting();
    r.members(made);
    r.stack_.reverse(here);  // as run_values does
  };
  push({step, object, 1, nullptr});
}

template <class T, bool Again> void reader::make_at_once(reader& r, void* first, std::size_t n) {
  T* const x = static_cast<T*>(first);
  if constexpr (flat<T> && !Again) {
    r.source_.read(first, n * sizeof(T));
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (Again)
        r.value_again(x[i]);
      else
        r.value(x + i);
    }
  }
}

template <class T, bool Again> void reader::run_values(reader& r) {
  if constexpr (flat<T>) {
    const item now = r.stack_.top();
    r.stack_.pop();
    r.source_.read(now.at, now.left * sizeof(T));
  } else if constexpr (detail::kind_of<T>() == kind::pointer) {
    r.next_pointers(type_of<detail::pointee<T>>);
  } else {
    const std::size_t here = r.stack_.size();
    const bool in_arena = r.stack_.top().other != nullptr;
    const bool through = work_on_top(
        r,
        [](item& now) {
          T* const x = static_cast<T*>(now.at);
          now.at = x + 1;
          return x;
        },
        [&r, in_arena](T* x) {
          r.in_arena_ = in_arena;
          if constexpr (Again)
            r.value_again(*x);
          else
            r.value(x);
        });
    r.stack_.reverse(through ? here - 1 : here);
  }
}

template <class T> std::shared_ptr<T> reader::shared_owner_of_known(std::uint64_t number) {
  if (const auto* owner = table_.owner(number); owner != nullptr && *owner != nullptr)
    return {*owner, static_cast<T*>(known_object(type_of<T>, number, {}))};
  std::shared_ptr<detail::adopted<T>> owner;
  if (!guarded([&] {
        if (number < table_.size()) table_.make_room_for_owner(number);
        owner = std::make_shared<detail::adopted<T>>();
      }))
    return nullptr;
  T* const p = smart<T>(number + 1);
  if (p == nullptr) return nullptr;
  std::shared_ptr<T> result =
      detail::owner_of(std::move(owner), p, class_at(table_.type(number)), table_.object(number));
  table_.own(number, result);
  return result;
}

template <class T> std::shared_ptr<T> reader::shared_owner(std::uint64_t token) {
  if (token == 0 || failed()) return nullptr;
  if ((token & tokens::fresh) == 0) return shared_owner_of_known<T>(token - 1);
  const std::uint64_t payload = token & ~tokens::fresh, number = table_.size();
  std::shared_ptr<T> result;
  if (!make_room_for_owner(number)) return result;
  if constexpr (std::is_polymorphic_v<T>) {
    if (payload & tokens::by_class) {
      std::shared_ptr<detail::adopted<T>> owner;
      if (!guarded([&] { owner = std::make_shared<detail::adopted<T>>(); })) return result;
      const classified made = make_class(type_of<T>, payload);
      if (made.part == nullptr) return result;
      table_.add(made.whole, reinterpret_cast<std::uintptr_t>(made.entry), holder::smart);
      result = detail::owner_of(std::move(owner), static_cast<T*>(made.part), made.entry, made.whole);
      table_.own(number, result);
      return result;
    }
  }
  if constexpr (!std::is_abstract_v<T> && detail::knows_its_owner<T>) {
    if (payload == 1) {
      if (!guarded([&] { result = std::make_shared<T>(); })) return result;
      table_.add(result.get(), shared_table::type_of<T>(), holder::smart);
      table_.own(number, result);
      defer_members(result.get());
      return result;
    }
  } else if constexpr (!std::is_abstract_v<T>) {
    if (payload == 1) {
      std::shared_ptr<detail::shared_place<T>> place;
      if (!guarded([&] { place = std::make_shared<detail::shared_place<T>>(); })) return result;
      result = std::shared_ptr<T>(place, place->object());
      table_.add(result.get(), shared_table::type_of<T>(), holder::smart);
      table_.own(number, result);
      defer(result.get(), 1, false);
      return result;
    }
  }
  wrong_count(payload, {});
  return result;
}

}  // namespace wherry::deep
