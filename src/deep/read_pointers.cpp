// The reader's pointers: turns tokens into objects and records their owners.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "wherry/core/checked.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/device.hpp"

namespace wherry::deep {
namespace {

constexpr wherry::detail::checked array_bytes{"deep copy", "size of an array in bytes"};

// The bytes of `n` objects for the text of an error; the largest number if the product overflows.
std::size_t about_bytes(const object_type& type, std::size_t n) {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(n, type.bytes, &bytes) ? static_cast<std::size_t>(-1) : bytes;
}

void* allocate_as_usual(const object_type& type, std::size_t n, bool is_array) {
  if (!is_array) return ::operator new(type.bytes);
  const std::size_t before = type.before_array;
  auto* const memory =
      static_cast<std::byte*>(::operator new[](array_bytes.sum(before, array_bytes.product(n, type.bytes))));
  if (before > 0) {
    const std::size_t elements = n * (type.bytes / type.innermost);
    std::memcpy(memory + before - sizeof elements, &elements, sizeof elements);
  }
  return memory + before;
}

}  // namespace

// These functions run for each new object; they are in this file so that the compiler can inline them in their callers.
bool reader::push(const item& what) {
  return guarded([&] { stack_.push(what); });
}
bool reader::make_room_in_arena() {
  return arena_ == nullptr || guarded([this] { arena_->make_room_for_owner(); });
}
bool reader::make_room_for_shared() {
  return guarded([this] { table_.make_room(); }) && make_room_in_arena();
}
bool reader::make_room_for_owner(std::uint64_t number) {
  return guarded([this, number] {
    table_.make_room();
    table_.make_room_for_owner(number);
  });
}
void reader::defer_objects(void* first, std::size_t n, bool in_arena, item::step values, at_once place) {
  if (n == 0 || push({values, first, n, in_arena ? this : nullptr})) return;
  const bool before = std::exchange(in_arena_, in_arena);
  place(*this, first, n);
  in_arena_ = before;
}

std::nullptr_t reader::wrong_count(std::uint64_t arrived, extent expected) {
  fail("an array of ", arrived, " objects arrived where the description says ", expected.n);
  return nullptr;
}

void* reader::memory_for(const object_type& type, std::size_t n, bool is_array, bool in_arena) {
  void* p = nullptr;
  const auto allocate = [&] {
    if (in_arena)
      p = arena_->take(array_bytes.product(n, type.bytes), type.alignment);
    else
      p = type.allocate != nullptr ? type.allocate(n, is_array) : allocate_as_usual(type, n, is_array);
  };
  return guarded(allocate, about_bytes(type, n)) ? p : nullptr;
}

void* reader::make(const object_type& type, extent announced, bool in_arena, bool now, const std::uint64_t* number) {
  const std::size_t n = announced.is_array ? plausible(announced.n, type.least) : 1;
  if (n != announced.n) return nullptr;
  if (type.make != nullptr && !in_arena && !now && !announced.is_array) {
    void* p = nullptr;
    if (guarded([&] { p = type.make(); }, type.bytes)) type.defer_members(*this, p);
    return p;
  }
  void* const p = memory_for(type, n, announced.is_array, in_arena);
  if (p == nullptr) return nullptr;
  if (!now) {
    defer_objects(p, n, in_arena, type.values, type.at_once);
    return p;
  }
  const bool before = std::exchange(in_arena_, in_arena);
  // After this failure only zeros arrive, so that nothing is nested any deeper.
  if (nested_ == tokens::most_nested) fail("objects behind m.owned_now or m.shared_now are nested deeper than 100");
  if (number != nullptr) table_.set_object(*number, p);
  const nesting here(*this);
  type.at_once(*this, p, n);
  in_arena_ = before;
  return p;
}

reader::classified reader::make_class(const object_type& type, std::uint64_t payload) {
  const class_entry* const entry = class_with_mark(static_cast<std::uint32_t>(payload));
  if (entry == nullptr) {
    fail("an object arrived whose class is not registered on this rank");
    return {};
  }
  void* object = nullptr;
  if (!guarded([&] { object = entry->make(); })) return {};
  void* const part = entry->as(*type.base, object);
  if (part == nullptr) {
    entry->free(object);
    fail("class \"", entry->name, "\" is not registered with the base through which it arrives");
    return {};
  }
  if (!push({entry->read, object, 1, nullptr})) {
    entry->free(object);
    return {};
  }
  return {part, object, entry};
}

void* reader::own_object(const object_type& type, std::uint64_t token) {
  if (token == 0) return nullptr;
  const std::uint64_t payload = token - 1;
  if (is_classified(type, payload)) return make_class(type, payload).part;
  if (type.bytes == 0 || payload != 1) return wrong_count(payload, {});
  return make(type, {}, false, false);
}

[[gnu::noinline]] void* reader::owned_of_class(const object_type& type, std::uint64_t payload) {
  if (!make_room_in_arena()) return nullptr;
  const classified made = make_class(type, payload);
  if (made.part != nullptr && arena_ != nullptr) arena_->destroy_later(made.whole, made.entry->free);
  return made.part;
}

// As frequent as `new_object` below, and therefore also flattened.
[[gnu::flatten]] void* reader::owned_objects(const object_type& type, std::uint64_t token, extent n, bool now) {
  const std::uint64_t payload = token - 1;
  if (!n.is_array && is_classified(type, payload)) return owned_of_class(type, payload);
  if (type.bytes == 0 || payload != n.n) return wrong_count(payload, n);
  return make(type, n, arena_ != nullptr, now);
}

void* reader::make_shared_object(const object_type& type, std::uint64_t payload, extent n, holder who, bool in_arena,
                                 bool now) {
  const std::uint64_t number = table_.size();
  if (!make_room_for_shared()) return nullptr;
  if (!n.is_array && is_classified(type, payload)) {
    const classified made = make_class(type, payload);
    if (made.part == nullptr) return nullptr;
    if (in_arena) arena_->destroy_later(made.whole, made.entry->free);
    table_.add(made.whole, reinterpret_cast<std::uintptr_t>(made.entry), who);
    if (who == holder::nobody) table_.observe(number, made.part, type.visit);
    return made.part;
  }
  if (type.bytes == 0 || payload != n.n) return wrong_count(payload, n);
  if (n.is_array && !guarded([&] { table_.set_length(n.n); })) return nullptr;
  // Objects that it points to must get later numbers.
  table_.add(nullptr, mark_of(type), who, n.is_array);
  void* const p = make(type, n, in_arena, now, &number);
  if (p == nullptr) return nullptr;
  table_.set_object(number, p);
  if (who == holder::nobody) table_.observe(number, p, type.visit);
  return p;
}

// The most frequent case: one object behind a raw pointer. Its arguments are constants, so that flattening removes
// their tests.
[[gnu::flatten]] void* reader::new_object(const object_type& type) {
  return make_shared_object(type, 1, {}, holder::raw, arena_ != nullptr, false);
}

// An object that was met before, of any holder.
void* reader::known_object(const object_type& type, std::uint64_t number, extent n) {
  if (number < table_.size()) {
    if (table_.length(number) != n) {
      fail("shared object ", number, " is ", table_.length(number), ", expected ", n);
      return nullptr;
    }
    void* const object = table_.object(number);
    if (table_.type(number) == mark_of(type)) return object;
    if (type.base != nullptr) {
      if (const class_entry* entry = class_at(table_.type(number))) {
        if (void* part = entry->as(*type.base, object)) return part;
      }
    }
  }
  fail("shared object ", number, " is not of the expected type");
  return nullptr;
}

void* reader::shared_objects(const object_type& type, std::uint64_t token, extent n, bool now) {
  if (token == 0) return nullptr;
  if (token & tokens::fresh)
    return make_shared_object(type, token & ~tokens::fresh, n, holder::raw, arena_ != nullptr, now);
  const std::uint64_t number = token - 1;
  void* const p = known_object(type, number, n);
  if (p == nullptr) return nullptr;
  switch (table_.held_by(number)) {
    case holder::smart:
      fail("an object that a smart pointer owns is described by m.shared: use m.observed");
      return nullptr;
    case holder::nobody:
      if (!make_room_in_arena()) return nullptr;
      table_.hold(number, holder::raw);
      // It was made for `delete`, because a smart pointer might have come to own it. None has: it joins the arena.
      if (arena_ != nullptr) {
        const class_entry* const entry = class_at(table_.type(number));
        arena_->destroy_later(table_.object(number), entry != nullptr ? entry->free : type.free);
      }
      return p;
    default:
      return p;
  }
}

void* reader::observed_object(const object_type& type, std::uint64_t token) {
  if (token == 0) return nullptr;
  observes_ = true;
  if (token & tokens::fresh) return make_shared_object(type, token & ~tokens::fresh, {}, holder::nobody, false, false);
  return known_object(type, token - 1, {});
}

// After a failure smart pointers stay empty: one in the arena might never be destroyed.
void* reader::smart_object(const object_type& type, std::uint64_t token) {
  if (token == 0 || failed()) return nullptr;
  if (token & tokens::fresh) return make_shared_object(type, token & ~tokens::fresh, {}, holder::smart, false, false);
  void* const p = known_object(type, token - 1, {});
  if (p == nullptr) return nullptr;
  if (table_.held_by(token - 1) != holder::nobody) {
    fail("an object is owned by a smart pointer and also by other pointers: describe those by m.observed");
    return nullptr;
  }
  table_.hold(token - 1, holder::smart);
  return p;
}

void* reader::owned_on_device(std::uint64_t token, extent announced, std::size_t each, std::size_t alignment) {
  if (token == 0) return nullptr;
  const std::size_t n = plausible(announced.n, each);
  if (token - 1 != announced.n || n != announced.n) return wrong_count(token - 1, announced);
  if (!make_room_in_arena()) return nullptr;
  void* p = nullptr;
  const std::size_t bytes = n * each;
  if (!guarded([&] {
        p = the_device_hooks().allocate(bytes, alignment);
        if (p == nullptr)
          throw error(error_kind::resource, "deep copy",
                      wherry::detail::text(bytes, " bytes of device memory cannot be allocated"));
      }))
    return nullptr;
  if (arena_ != nullptr) arena_->destroy_later(p, the_device_hooks().free);
  const auto step = [](reader& r) {
    const item now = r.top();
    r.pop();
    r.guarded([&] {
      const auto staging = std::make_unique_for_overwrite<std::byte[]>(device_staging_bytes);
      auto* to = static_cast<std::byte*>(now.at);
      for (std::size_t left = now.left; left > 0;) {
        const std::size_t part = std::min(left, device_staging_bytes);
        r.source().read(staging.get(), part);
        the_device_hooks().copy_to_device(to, staging.get(), part);
        to += part;
        left -= part;
      }
    });
  };
  if (n > 0) push({step, p, bytes, nullptr});
  return p;
}

// Reads one batch of an array of pointers.
void reader::next_pointers(const object_type& type) {
  item& now = stack_.top();
  void** const first = static_cast<void**>(now.at);
  const std::size_t n = std::min(now.left, tokens::batch);
  now.at = first + n;
  now.left -= n;
  if (now.left == 0) stack_.pop();
  const std::size_t mark = stack_.size();
  if (type.base != nullptr) {
    for (std::size_t i = 0; i < n; ++i) {
      void* const p = shared_objects(type, count(), {}, false);
      std::memcpy(first + i, &p, sizeof p);
    }
  } else {
    std::uint8_t width;
    source_.read(&width, 1);
    if (width == 2) {
      from_tokens<std::uint16_t>(first, n, type);
    } else if (width == 4) {
      from_tokens<std::uint32_t>(first, n, type);
    } else if (width == 8) {
      from_tokens<std::uint64_t>(first, n, type);
    } else {
      fail("pointers of ", int{width}, " bytes arrived, expected 2, 4 or 8");
      std::memset(static_cast<void*>(first), 0, n * sizeof *first);
    }
  }
  stack_.reverse(mark);
}

// The type of the pointers is unknown here: their words are copied.
template <class Token> void reader::from_tokens(void** to, std::size_t n, const object_type& type) {
  Token token[tokens::batch];
  source_.read(token, n * sizeof(Token));
  const std::uintptr_t mark = mark_of(type);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t t = token[i];
    void* const p = t == 1                                 ? new_object(type)
                    : t >= 2 && table_.is_raw(t - 2, mark) ? table_.object(t - 2)
                                                           : shared_objects(type, t == 0 ? 0 : t - 1, {}, false);
    std::memcpy(to + i, &p, sizeof p);
  }
}

}  // namespace wherry::deep
