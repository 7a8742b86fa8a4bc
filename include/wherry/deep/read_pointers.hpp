/// @file
/// The reader's pointers: what a token becomes, who owns it, and objects that waited.
#pragma once

#include "wherry/deep/reader.hpp"

namespace wherry::deep {

namespace detail {

template <class T> void delete_object(void* p) {
  std::destroy_at(static_cast<T*>(p));
  free_object(static_cast<T*>(p));
}
template <class T> void visit_object(destroyer& d, void* p) { d.outside_arena(static_cast<T*>(p)); }

/// Memory of an object that a shared_ptr owns, in one piece with its count. The object is made there in any case.
template <class T> struct shared_place {
  alignas(T) std::byte memory[sizeof(T)];
  T* object() { return reinterpret_cast<T*>(memory); }
  shared_place() {}  // leaves the memory as it is
  shared_place(const shared_place&) = delete;
  shared_place& operator=(const shared_place&) = delete;
  ~shared_place() { std::destroy_at(object()); }
};

/// What a shared_ptr owns that came to its object later: the object is given when nothing can fail any more.
template <class T> struct adopted {
  T* object = nullptr;
  adopted() = default;
  adopted(const adopted&) = delete;
  adopted& operator=(const adopted&) = delete;
  ~adopted() { delete object; }
};

/// The owner of an object that is there, and knows it then if it wants to.
/// Without memory for that the program ends, since nobody could free what is still on its way into the object.
template <class T>
std::shared_ptr<T> owner_of(std::shared_ptr<adopted<T>> owner, T* p, const class_entry* entry, void* whole) noexcept {
  if (entry != nullptr && entry->own != nullptr) return {entry->own(whole), p};
  if constexpr (knows_its_owner<T>) return std::shared_ptr<T>(p);
  owner->object = p;
  return {std::move(owner), p};
}

}  // namespace detail

template <class T> T* reader::wrong_count(std::uint64_t arrived, extent expected) {
  report_wrong_count(arrived, expected.n);
  return nullptr;
}

template <class T> T* reader::make(extent announced, bool in_arena, bool now) {
  const std::size_t n = announced.is_array ? plausible(announced.n, least_bytes<T>) : 1;
  if (n != announced.n) return nullptr;
  T* p = nullptr;
  if constexpr (detail::knows_its_owner<T>) {
    // An owner may come before its members do.
    if (!in_arena && !now && !announced.is_array) {
      if (guarded([&] { p = new T(); }, sizeof(T))) defer_members(p);
      return p;
    }
  }
  if (!guarded(
          [&] {
            p = in_arena             ? arena_array<T>(*arena_, n)
                : announced.is_array ? allocate_array<T>(n)
                                     : allocate_object<T>();
          },
          detail::about_bytes<T>(n)))
    return nullptr;
  if (now) {
    const bool before = std::exchange(in_arena_, in_arena);
    if constexpr (flat<T>)
      source_.read(static_cast<void*>(p), n * sizeof(T));
    else
      now_in_place(p, n);
    in_arena_ = before;
  } else {
    defer(p, n, in_arena);
  }
  return p;
}

/// Of an object that has been made already, and stays as it is when there is no memory to remember it.
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

template <class T> void reader::now_in_place(T* p, std::size_t n) {
  // What follows are zeros then, and nothing is nested any more.
  if (nested_ == tokens::most_nested) fail("objects behind m.owned_now or m.shared_now are nested deeper than 100");
  ++nested_;
  for (std::size_t i = 0; i < n; ++i) value(p + i);
  --nested_;
}

// An object of a registered class, whose members wait.
template <class T> T* reader::make_class(std::uint64_t payload, const class_entry*& entry) {
  entry = class_with_mark(static_cast<std::uint32_t>(payload));
  if (entry == nullptr) {
    fail("an object of a class that is not registered here");
    return nullptr;
  }
  void* object = nullptr;
  if (!guarded([&] { object = entry->make(); })) return nullptr;
  void* part = entry->as(typeid(T), object);
  if (part == nullptr) {
    entry->free(object);
    fail("class \"", entry->name, "\" is not registered with the base through which it arrives");
    return nullptr;
  }
  if (!push({entry->read, object, 1, nullptr})) {
    entry->free(object);
    return nullptr;
  }
  return static_cast<T*>(part);
}

template <class T> T* reader::owned_by_itself(std::uint64_t token) {
  if (token == 0) return nullptr;
  const std::uint64_t payload = token - 1;
  if constexpr (std::is_polymorphic_v<T>) {
    const class_entry* entry = nullptr;
    if (payload & tokens::by_class) return make_class<T>(payload, entry);
  }
  if constexpr (std::is_abstract_v<T>)
    return wrong_count<T>(payload, {});
  else
    return payload == 1 ? make<T>({}, false, false) : wrong_count<T>(payload, {});
}

template <class T> T* reader::owned(std::uint64_t token, extent n, bool now) {
  if (token == 0) return nullptr;
  const std::uint64_t payload = token - 1;
  if constexpr (std::is_polymorphic_v<T>) {
    const class_entry* entry = nullptr;
    if (!n.is_array && (payload & tokens::by_class) != 0) {
      if (!make_room_in_arena()) return nullptr;
      T* p = make_class<T>(payload, entry);
      if (p != nullptr && arena_ != nullptr) arena_->destroy_later(dynamic_cast<void*>(p), entry->free);
      return p;
    }
  }
  if constexpr (std::is_abstract_v<T>)
    return wrong_count<T>(payload, n);
  else
    return payload == n.n ? make<T>(n, arena_ != nullptr, now) : wrong_count<T>(payload, n);
}

template <class T> T* reader::make_shared_object(std::uint64_t payload, extent n, holder who, bool in_arena, bool now) {
  const std::uint64_t number = table_.size();
  T* p = nullptr;
  if (!guarded([&] { table_.make_room(); }) || !make_room_in_arena()) return nullptr;
  if constexpr (std::is_polymorphic_v<T>) {
    const class_entry* entry = nullptr;
    if (!n.is_array && (payload & tokens::by_class) != 0) {
      p = make_class<T>(payload, entry);
      if (p == nullptr) return nullptr;
      void* whole = dynamic_cast<void*>(p);
      if (in_arena) arena_->destroy_later(whole, entry->free);
      table_.add(whole, reinterpret_cast<std::uintptr_t>(entry), who);
      if (who == holder::nobody) table_.observe(number, p, &detail::visit_object<T>);
      return p;
    }
  }
  if constexpr (std::is_abstract_v<T>) {
    return wrong_count<T>(payload, n);
  } else {
    if (payload != n.n) return wrong_count<T>(payload, n);
    if (n.is_array && !guarded([&] { table_.set_length(n.n); })) return nullptr;
    // Its number comes before those of what it points to.
    table_.add(nullptr, shared_table::type_of<T>(), who, n.is_array);
    p = make<T>(n, in_arena, now);
    if (p == nullptr) return nullptr;
    table_.set_object(number, p);
    if (who == holder::nobody) table_.observe(number, p, &detail::visit_object<T>);
    return p;
  }
}

// An object that was met before, whoever holds it.
template <class T> T* reader::known_object(std::uint64_t number, extent n) {
  if (number < table_.size()) {
    if (table_.length(number) != n) {
      fail("shared object ", number, " is ", table_.length(number), ", not ", n);
      return nullptr;
    }
    void* object = table_.object(number);
    if (table_.type(number) == shared_table::type_of<T>()) return static_cast<T*>(object);
    if constexpr (std::is_polymorphic_v<T>) {
      if (const class_entry* entry = class_at(table_.type(number))) {
        if (void* part = entry->as(typeid(T), object)) return static_cast<T*>(part);
      }
    }
  }
  fail("shared object ", number, " is none of this type");
  return nullptr;
}

template <class T> T* reader::shared(std::uint64_t token, extent n, bool now) {
  if (token == 0) return nullptr;
  if (token & tokens::fresh)
    return make_shared_object<T>(token & ~tokens::fresh, n, holder::raw, arena_ != nullptr, now);
  const std::uint64_t number = token - 1;
  T* p = known_object<T>(number, n);
  if (p == nullptr) return nullptr;
  switch (table_.held_by(number)) {
    case holder::smart:
      fail("m.shared of an object that a smart pointer owns: m.observed it");
      return nullptr;
    case holder::nobody:
      if (!make_room_in_arena()) return nullptr;
      table_.hold(number, holder::raw);
      // It was made for `delete`, because a smart pointer might have come for it; here none has.
      if (arena_ != nullptr) {
        const class_entry* const entry = class_at(table_.type(number));
        arena_->destroy_later(table_.object(number), entry != nullptr ? entry->free : &detail::delete_object<T>);
      }
      return p;
    default:
      return p;
  }
}

template <class T> T* reader::observed(std::uint64_t token) {
  if (token == 0) return nullptr;
  observes_ = true;
  if (token & tokens::fresh) return make_shared_object<T>(token & ~tokens::fresh, {}, holder::nobody, false, false);
  return known_object<T>(token - 1, {});
}

// After a failure smart pointers stay empty: one in an arena might be forgotten.
template <class T> T* reader::smart(std::uint64_t token) {
  if (token == 0 || failed()) return nullptr;
  if (token & tokens::fresh) return make_shared_object<T>(token & ~tokens::fresh, {}, holder::smart, false, false);
  T* p = known_object<T>(token - 1, {});
  if (p == nullptr) return nullptr;
  if (table_.held_by(token - 1) != holder::nobody) {
    fail("an object is owned by a smart pointer and by others, which do not just observe it");
    return nullptr;
  }
  table_.hold(token - 1, holder::smart);
  return p;
}

template <class T> std::shared_ptr<T> reader::shared_owner_of_known(std::uint64_t number) {
  if (const auto* owner = table_.owner(number); owner != nullptr && *owner != nullptr)
    return {*owner, known_object<T>(number, {})};
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
  if (!guarded([&] {
        table_.make_room();
        table_.make_room_for_owner(number);
      }))
    return result;
  if constexpr (std::is_polymorphic_v<T>) {
    if (payload & tokens::by_class) {
      std::shared_ptr<detail::adopted<T>> owner;
      if (!guarded([&] { owner = std::make_shared<detail::adopted<T>>(); })) return result;
      const class_entry* entry = nullptr;
      T* const p = make_class<T>(payload, entry);
      if (p == nullptr) return result;
      table_.add(dynamic_cast<void*>(p), reinterpret_cast<std::uintptr_t>(entry), holder::smart);
      table_.own(number, result = detail::owner_of(std::move(owner), p, entry, dynamic_cast<void*>(p)));
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
  wrong_count<T>(payload, {});
  return result;
}

template <class T> T* reader::owned_on_device(std::uint64_t token, extent announced) {
  if (token == 0) return nullptr;
  const std::size_t n = plausible(announced.n, sizeof(T));
  if (token - 1 != announced.n || n != announced.n) return wrong_count<T>(token - 1, announced);
  if (!make_room_in_arena()) return nullptr;
  T* p = nullptr;
  if (!guarded([&] {
        p = static_cast<T*>(the_device_hooks().allocate(n * sizeof(T), alignof(T)));
        if (p == nullptr) throw error(error_kind::resource, "deep copy", "no device memory");
      }))
    return nullptr;
  if (arena_ != nullptr) arena_->destroy_later(p, the_device_hooks().free);
  const auto step = [](reader& r) {
    const item now = r.top();
    r.pop();
    r.guarded([&] {
      const auto staging = std::make_unique_for_overwrite<std::byte[]>(device_staging_bytes);
      auto* to = static_cast<std::byte*>(now.at);
      for (std::size_t left = now.left * sizeof(T); left > 0;) {
        const std::size_t part = std::min(left, device_staging_bytes);
        r.source().read(staging.get(), part);
        the_device_hooks().copy_to_device(to, staging.get(), part);
        to += part;
        left -= part;
      }
    });
  };
  if (n > 0) push({step, p, n, nullptr});
  return p;
}

/// Without memory to remember them: nothing more comes, and so they have nothing in them and are ready at once.
template <class T, bool Again> void reader::make_of_zeros(T* first, std::size_t n, bool in_arena) {
  const bool before = std::exchange(in_arena_, in_arena);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (Again)
      value_again(first[i]);
    else
      value(first + i);
  }
  in_arena_ = before;
}

template <class T, bool Again> void reader::run_values(reader& r) {
  if constexpr (flat<T>) {
    const item now = r.stack_.top();
    r.stack_.pop();
    r.source_.read(now.at, now.left * sizeof(T));
  } else if constexpr (kind_of<T>() == kind::pointer) {
    r.next_pointers<detail::pointee<T>>();
  } else {
    const std::size_t here = r.stack_.size();
    const bool in_arena = r.stack_.top().other != nullptr;
    do {
      item& now = r.stack_.top();
      T* x = static_cast<T*>(now.at);
      const bool last = now.left == 1;
      if (last) {
        r.stack_.pop();
      } else {
        now.at = x + 1;
        --now.left;
      }
      r.in_arena_ = in_arena;
      if constexpr (Again)
        r.value_again(*x);
      else
        r.value(x);
      if (last) return r.stack_.reverse(here - 1);
    } while (r.stack_.size() == here);
    r.stack_.reverse(here);
  }
}

// One batch of an array of pointers.
template <class T> void reader::next_pointers() {
  const std::span<T*> batch = stack_.template take<T*>(tokens::batch);
  T** const first = batch.data();
  const std::size_t n = batch.size();
  const std::size_t mark = stack_.size();
  if constexpr (std::is_polymorphic_v<T>) {
    for (std::size_t i = 0; i < n; ++i) first[i] = shared<T>(count(), {});
  } else {
    std::uint8_t width;
    source_.read(&width, 1);
    if (width == 2) {
      from_tokens<std::uint16_t>(first, n);
    } else if (width == 4) {
      from_tokens<std::uint32_t>(first, n);
    } else if (width == 8) {
      from_tokens<std::uint64_t>(first, n);
    } else {
      fail("pointers of ", int{width}, " bytes");
      std::fill_n(first, n, nullptr);
    }
  }
  stack_.reverse(mark);
}

template <class Token, class T> void reader::from_tokens(T** to, std::size_t n) {
  Token token[tokens::batch];
  source_.read(token, n * sizeof(Token));
  const std::uintptr_t type = shared_table::type_of<T>();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t t = token[i];
    if (t >= 2 && table_.is_raw(t - 2, type))
      to[i] = static_cast<T*>(table_.object(t - 2));
    else
      to[i] = shared<T>(t == 0 ? 0 : t == 1 ? tokens::fresh | 1 : t - 1, {});
  }
}

}  // namespace wherry::deep
