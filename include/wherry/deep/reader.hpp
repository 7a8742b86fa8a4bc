/// @file
/// The reading side of a deep copy: from bytes to a structure, without recursion on its depth and without trust.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/arena.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/item_stack.hpp"
#include "wherry/deep/tokens.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

class read_pass;

/// Its allocator is a std::pmr::polymorphic_allocator.
template <class T>
concept with_memory_resource = requires(T& x) {
  { x.get_allocator().resource() } -> std::convertible_to<std::pmr::memory_resource*>;
};

/// How a structure is to arrive.
struct read_options {
  /// Where objects behind raw pointers are made; null: each by itself, for `delete`.
  deep::arena* arena = nullptr;
};

/// Reads objects from a source. After the source's first failure everything that is still to be made is made of zeros:
/// null pointers, empty containers. Nothing here throws, except out of constructors that users wrote.
class reader {
 public:
  using item = pending<reader>;

  explicit reader(byte_source& source, const read_options& options = {}) : source_(source), arena_(options.arena) {}

  byte_source& source() { return source_; }
  bool failed() const { return source_.failure() != nullptr; }
  void fail(const std::string& why) {
    source_.fail(std::make_exception_ptr(error(error_kind::mismatch, "deep copy", why)));
  }
  /// Runs what may throw for want of memory; that is a failure of the stream then.
  template <class Do> bool guarded(Do run) {
    try {
      run();
      return true;
    } catch (...) {
      source_.fail(std::current_exception());
      return false;
    }
  }

  void drain(std::size_t mark = 0) {
    while (stack_.size() > mark) stack_.top().run(*this);
  }

  /// Makes an object of any kind in raw memory.
  template <class T> void value(T* raw) {
    must_be_copyable<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      source_.read(raw, sizeof(T));
    } else if constexpr (k == kind::pointer) {
      *::new (raw) T = shared<std::remove_pointer_t<T>>(count(), 1);
    } else if constexpr (k == kind::described || k == kind::polymorphic) {
      object(raw);
    } else if constexpr (k == kind::known) {
      known<T>::read(*this, raw, count());
    } else if constexpr (std::is_array_v<T>) {
      for (auto& element : *raw) value(&element);
    } else {
      for_each_part(*raw, [this](auto& part) { value(const_cast<std::remove_cvref_t<decltype(part)>*>(&part)); });
    }
  }
  /// The same where an object is already, which is destroyed first.
  template <class T> void value_again(T& x) {
    const bool before = std::exchange(in_arena_, false);
    auto* const resource = std::exchange(resource_, nullptr);
    if constexpr (with_memory_resource<T>) resource_ = x.get_allocator().resource();
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_at(&x);
    value(&x);
    in_arena_ = before;
    resource_ = resource;
  }
  template <class T> void whole_value_again(T& x) {
    const std::size_t mark = stack_.size();
    value_again(x);
    if constexpr (kind_of<T>() != kind::pointer && !bounded<T>) drain(mark);
  }

  std::uint64_t count() {
    std::uint64_t n;
    source_.read(&n, sizeof n);
    return n;
  }
  /// A count of objects that take at least `bytes` each; 0 and a failure when so many cannot come.
  std::size_t plausible(std::uint64_t n, std::size_t bytes) {
    if (n == 0) return 0;
    const std::size_t most = source_.remaining();
    const bool fits =
        most == byte_source::unknown ? n <= most / 2 / std::max<std::size_t>(bytes, 16) : n <= most / bytes;
    if (!fits) fail(text("the stream announces ", n, " objects, for which it is too short"));
    return fits ? static_cast<std::size_t>(n) : 0;
  }

  /// Makes objects in raw memory, later.
  template <class T> void defer(T* raw, std::size_t n, bool in_arena) {
    if (n > 0) stack_.push({&run_values<T, false>, raw, n, in_arena ? this : nullptr});
  }
  /// Objects that are there already are made again, later.
  template <class T> void defer_again(T* first, std::size_t n) {
    if (n > 0) stack_.push({&run_values<T, true>, first, n, nullptr});
  }
  void defer(const item& what) { stack_.push(what); }
  item& top() { return stack_.top(); }
  void pop() { stack_.pop(); }

  /// The pointer for a token; memory is made and its contents are deferred when the object is new.
  template <class T> T* shared(std::uint64_t token, std::uint64_t n) {
    if (token == 0) return nullptr;
    if (token & tokens::fresh) {
      const std::uint64_t announced = token & ~tokens::fresh;
      if (announced != n) return wrong_count<T>(announced, n);
      T* p = make<T>(n);
      if (p != nullptr) remember(p);
      return p;
    }
    return known_object<T>(token - 1);
  }
  template <class T> T* owned(std::uint64_t token, std::uint64_t n) {
    if (token == 0) return nullptr;
    if (token - 1 != n) return wrong_count<T>(token - 1, n);
    return make<T>(n);
  }
  template <class T> void remember(T* p) {
    objects_.push_back(p);
    types_.push_back(type_mark<T>());
  }

  deep::arena* arena() { return arena_; }
  /// Whether the object that is being made lies in the arena, so that nobody will destroy it.
  bool in_arena() const { return in_arena_; }

  /// Where a std::pmr container that is being made takes its memory.
  std::pmr::memory_resource* resource() const {
    return resource_ != nullptr ? resource_ : in_arena_ ? arena_ : std::pmr::get_default_resource();
  }

  statistics figures() const {
    return {objects_.size(), stack_.peak(), stack_.bytes() + objects_.capacity() * 2 * sizeof(void*)};
  }

  template <class T> void object(T* raw);

 private:
  // One address for each type.
  template <class T> static constexpr char mark_of = 0;
  template <class T> static const void* type_mark() { return &mark_of<T>; }

  template <class T> T* known_object(std::uint64_t number) {
    if (number < objects_.size() && types_[number] == type_mark<T>()) return static_cast<T*>(objects_[number]);
    fail(text("shared object ", number, " is none of this type"));
    return nullptr;
  }
  template <class T> T* wrong_count(std::uint64_t arrived, std::uint64_t expected) {
    fail(text("an array of ", arrived, " objects arrived where the description says ", expected));
    return nullptr;
  }
  template <class T> T* make(std::uint64_t announced) {
    const std::size_t n = plausible(announced, least_bytes<T>);
    if (n != announced) return nullptr;
    T* p = nullptr;
    if (!guarded([&] { p = arena_ ? arena_array<T>(*arena_, n) : allocate_array<T>(n); })) return nullptr;
    defer(p, n, arena_ != nullptr);
    return p;
  }

  template <class T, bool Again> void one(T* x) {
    if constexpr (Again)
      value_again(*x);
    else
      value(x);
  }
  template <class T, bool Again> static void run_values(reader& r) {
    if constexpr (flat<T>) {
      const item now = r.stack_.top();
      r.stack_.pop();
      r.source_.read(now.at, now.left * sizeof(T));
    } else if constexpr (kind_of<T>() == kind::pointer) {
      r.next_pointers<std::remove_pointer_t<T>>();
    } else {
      const std::size_t here = r.stack_.size();
      do {
        item& now = r.stack_.top();
        T* x = static_cast<T*>(now.at);
        r.in_arena_ = now.other != nullptr;
        if (now.left == 1) {
          r.stack_.pop();
          r.one<T, Again>(x);
          return;
        }
        now.at = x + 1;
        --now.left;
        r.one<T, Again>(x);
      } while (r.stack_.size() == here);
    }
  }

  // One batch of pointers in an array.
  template <class T> void next_pointers() {
    item& now = stack_.top();
    T** first = static_cast<T**>(now.at);
    const std::size_t n = std::min(now.left, tokens::batch);
    if (now.left == n) {
      stack_.pop();
    } else {
      now.at = first + n;
      now.left -= n;
    }
    if constexpr (std::is_polymorphic_v<T>) {
      for (std::size_t i = 0; i < n; ++i) first[i] = shared<T>(count(), 1);
    } else {
      std::uint8_t width;
      source_.read(&width, 1);
      if (width == 2)
        from_tokens<std::uint16_t>(first, n);
      else if (width == 4)
        from_tokens<std::uint32_t>(first, n);
      else if (width == 8)
        from_tokens<std::uint64_t>(first, n);
      else if (!failed())
        fail(text("pointers of ", int{width}, " bytes"));
    }
  }

  template <class Token, class T> void from_tokens(T** to, std::size_t n) {
    Token small[tokens::batch];
    source_.read(small, n * sizeof(Token));
    const void* const mark = type_mark<T>();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t token = small[i];
      if (token >= 2 && token - 2 < objects_.size() && types_[token - 2] == mark) {
        to[i] = static_cast<T*>(objects_[token - 2]);
      } else {
        to[i] = shared<T>(token == 0 ? 0 : token == 1 ? tokens::fresh | 1 : token - 1, 1);
      }
    }
  }

  byte_source& source_;
  deep::arena* arena_;
  bool in_arena_ = false;
  std::pmr::memory_resource* resource_ = nullptr;
  item_stack<item> stack_;
  std::vector<void*> objects_;
  std::vector<const void*> types_;
};

}  // namespace wherry::deep

#include "wherry/deep/read_pass.hpp"
