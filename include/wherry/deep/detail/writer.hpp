/// @file
/// The writing side of a deep copy: from a structure to bytes, without recursion on its depth.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "wherry/deep/describe.hpp"
#include "wherry/deep/detail/item_stack.hpp"
#include "wherry/deep/detail/writer_base.hpp"
#include "wherry/deep/pointer_map.hpp"

namespace wherry::deep {

/// A user's replacement for `pointer_map` has `find` and `insert`, or `find_or_insert`, which does both.
template <class Map>
concept maps_pointers = requires(Map& map, const void* p, std::uint64_t n) {
  { map.find_or_insert(p, n) } -> std::convertible_to<std::uint64_t>;
} || requires(Map& map, const void* p, std::uint64_t n) {
  { map.find(p) } -> std::convertible_to<const std::uint64_t*>;
  map.insert(p, n);
};

template <class Writer> class slot_pass;
template <class Writer> class content_pass;
template <class Writer> class stream_pass;

/// Writes objects to a sink. An object's own bytes are written at once, with tokens in place of its pointers and
/// containers; the objects behind these wait on a stack. `Map` remembers shared objects (see pointer_map.hpp).
template <class Map> class writer final : public writer_base {
  static_assert(maps_pointers<Map>, "deep copy: a pointer map has find(pointer) and insert(pointer, number)");

 public:
  using item = pending<writer>;
  /// The number of pointers of an array that are looked up together.
  static constexpr std::size_t looked_up_at_once = 32;

  explicit writer(byte_sink& sink) : writer_base(sink) {}

  /// Works off the stack until at most `mark` items are left.
  void drain(std::size_t mark = 0);
  /// Works off one item.
  /// @return true if any is left
  bool step() {
    if (!stack_.empty()) stack_.top().run(*this);
    return !stack_.empty();
  }

  /// Writes an object of any kind; parts that must be deferred go to the stack.
  template <class T> void value(T& x) {
    detail::must_be_copyable<T>();
    constexpr kind k = detail::kind_of<T>();
    if constexpr (k == kind::flat) {
      sink_->write(std::addressof(x), sizeof(T));
    } else if constexpr (k == kind::pointer) {
      count(shared(x, {}));
    } else if constexpr (k == kind::described) {
      object(x);
    } else if constexpr (k == kind::polymorphic) {
      stream_pass<writer> pass(*this);
      detail::run_description(pass, x);
    } else if constexpr (k == kind::known) {
      count(known<T>::head(*this, x));
      if constexpr (bounded<T>)
        known<T>::contents(*this, x);
      else
        known<T>::defer(*this, x);
    } else if constexpr (k == kind::composite) {
      detail::for_each_part(x, [this](auto& part) { this->value(part); });
    }
  }

  /// Writes values that are bounded by their type, at once.
  template <class T> void values(T* first, std::size_t n) {
    if constexpr (flat<T>) {
      write_array(first, n, sizeof(T));
    } else {
      for (std::size_t i = 0; i < n; ++i) value(first[i]);
    }
  }

  /// Records objects that arrive without a pointer, because no sharing pointer may lead into them.
  template <class T> void brings(T* first, std::size_t n = 1) {
    brought(first, n, type_behind_pointer<std::remove_cv_t<T>>);
  }
  /// Writes the elements of a container at once, and records them as `brings` does.
  template <class T> void kept_values(T* first, std::size_t n) {
    brings(first, n);
    values(first, n);
  }
  template <class T> void kept_value(T& x) {
    brings(std::addressof(x));
    value(x);
  }

  /// Writes values of any kind at once; objects behind their pointers are deferred.
  template <class T> void values_now(T* first, std::size_t n) {
    static_assert(!std::is_polymorphic_v<T>, "deep copy: owned_now and shared_now are not for polymorphic classes");
    const nesting here(*this);
    values(const_cast<std::remove_cv_t<T>*>(first), n);
  }

  /// Writes values of any kind later.
  template <class T> void defer(T* first, std::size_t n) {
    brings(first, n);
    defer_objects(first, n, objects_of<T>());
  }
  void defer(const item& what) { stack_.push(what); }
  std::size_t waiting() const { return stack_.size(); }
  item& top() { return stack_.top(); }
  void pop() { stack_.pop(); }

  /// The token of a sharing pointer. The first one defers the object; with `now` the caller writes it.
  template <class T> std::uint64_t shared(T* p, extent n, bool now = false) {
    detail::must_be_copyable<std::remove_cv_t<T>>();
    if constexpr (std::is_polymorphic_v<T>) {
      if (p == nullptr) return 0;
      const void* const whole = n.is_array ? p : identity(p);
      const std::uint64_t known = known_token(whole, n, type_behind_pointer<std::remove_cv_t<T>>, mark_of(any_class));
      return known != 0 ? known : tokens::fresh | pointee(p, n, now);
    } else {
      return shared_objects(p, n, now ? objects{nullptr, objects_of<T>().type} : objects_of<T>());
    }
  }
  /// The token of a pointer that is the only owner.
  template <class T> std::uint64_t owned(T* p, extent n, bool now = false) {
    detail::must_be_copyable<std::remove_cv_t<T>>();
    if (p == nullptr) return 0;
    if (n.n > 0 && !(now && flat<std::remove_cv_t<T>>)) {
      if (owned_once_.is_to_be_looked_at(p)) look_at_owned(p, n, type_behind_pointer<std::remove_cv_t<T>>);
      owned_once_.pass(p);
    } else {
      brings(p, static_cast<std::size_t>(n.n));
    }
    return 1 + pointee(p, n, now);
  }
  /// The token of a pointer to flat objects of `each` bytes in device memory.
  std::uint64_t owned_on_device(const void* p, extent n, std::size_t each);
  /// Gives number 0 to a root that is an object, so that pointers back to it find it.
  template <class T> void remember(T& root) {
    number_of(identity(std::addressof(root)), mark_of(std::is_polymorphic_v<T> ? any_class : type_behind_pointer<T>));
    number(identity(std::addressof(root)), {});
    has_root(identity(std::addressof(root)), type_behind_pointer<T>);
  }

  /// Records the memory of any other root, so that pointers into it are found.
  template <class T> void surround(T& root) { has_root(std::addressof(root), type_behind_pointer<T>); }

  copy_statistics figures() const override;

  template <class T> void object(T& x) {
    if constexpr (sizeof(T) <= byte_sink::largest_reservation) {
      std::byte* copy = sink_->reserve(sizeof(T));
      std::memcpy(copy, static_cast<const void*>(std::addressof(x)), sizeof(T));
      slot_pass<writer> slots(*this, reinterpret_cast<const std::byte*>(std::addressof(x)), copy, sizeof(T));
      detail::run_description(slots, x);
      sink_->advance(sizeof(T));
      content_pass<writer> contents(*this, slots);
      detail::run_description(contents, x);
    } else {
      std::vector<std::byte> copy(sizeof(T));
      std::memcpy(copy.data(), static_cast<const void*>(std::addressof(x)), sizeof(T));
      slot_pass<writer> slots(*this, reinterpret_cast<const std::byte*>(std::addressof(x)), copy.data(), sizeof(T));
      detail::run_description(slots, x);
      sink_->write(copy.data(), sizeof(T));
      content_pass<writer> contents(*this, slots);
      detail::run_description(contents, x);
    }
  }

 private:
  /// How objects of a type are written later; a null `run`: they are written now.
  struct objects {
    typename item::step run;
    const type_behind* type;
  };
  template <class T> static constexpr objects objects_of() {
    return {&run_values<std::remove_cv_t<T>>, &type_behind_pointer<std::remove_cv_t<T>>};
  }

  // Pointers to different bases of an object are pointers to one object.
  template <class T> static const void* identity(T* p) {
    if constexpr (std::is_polymorphic_v<T>)
      return dynamic_cast<const void*>(p);
    else
      return p;
  }

  // In our own map the upper bits of a number distinguish types, nearly always. A user's map keeps only the number.
  static constexpr int bits_of_number = pointer_map::first_free_bit;
  static_assert(alignof(type_behind) == std::size_t{1} << pointer_map::free_bits);  // its address is the mark
  static std::uint64_t mark_of(const type_behind& type) {
    if constexpr (std::is_same_v<Map, pointer_map>)
      return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&type)) << bits_of_number;
    else
      return 0;
  }

  // The place of a prefetched address in our own map; null: not known yet.
  using place = std::conditional_t<std::is_same_v<Map, pointer_map>, pointer_map::place, std::nullptr_t>;
  place bring_near(const void* address) const {
    if constexpr (std::is_same_v<Map, pointer_map>)
      return map_.prefetch(address);
    else if constexpr (requires { map_.prefetch(address); })
      map_.prefetch(address);
    return nullptr;
  }
  // Returns the number of an address, combined with its mark.
  std::uint64_t number_of(const void* address, std::uint64_t mark, place at = nullptr) {
    const std::uint64_t fresh = next_ | mark;
    if constexpr (std::is_same_v<Map, pointer_map>) {
      return map_.find_or_insert_at(at, address, fresh);
    } else if constexpr (requires { map_.find_or_insert(address, fresh); }) {
      return map_.find_or_insert(address, fresh);
    } else {
      if (const std::uint64_t* number = map_.find(address)) return *number;
      map_.insert(address, fresh);
      return fresh;
    }
  }

  void defer_objects(const volatile void* first, std::size_t n, objects of) {
    if (n == 0) return;
    __builtin_prefetch(const_cast<const void*>(first));
    if (of.type->bytes > 64) __builtin_prefetch(static_cast<const char*>(const_cast<const void*>(first)) + 64);
    stack_.push({of.run, const_cast<void*>(first), n, nullptr});
  }

  // The token of an object that was met before; for a new object 0, and the object gets its number.
  std::uint64_t known_token(const void* object, extent n, const type_behind& type, std::uint64_t mark,
                            place at = nullptr);
  std::uint64_t shared_objects(const volatile void* p, extent n, objects of, place at = nullptr);

  // The part of a token that says what `p` points to; the object is deferred unless it goes `now`.
  template <class T> std::uint64_t pointee(T* p, extent n, bool now) {
    if constexpr (std::is_polymorphic_v<T>) {
      if (n.n > 0 && typeid(*p) != typeid(T)) return of_class(p, n);
    }
    if constexpr (!std::is_abstract_v<T>)
      if (!now) defer_objects(p, n.n, objects_of<T>());
    return n.n;
  }

  template <class T> std::uint64_t of_class(T* p, extent n) {
    static_assert(std::is_same_v<Map, pointer_map>,
                  "deep copy: registered classes are written with the pointer map of ours");
    const void* const whole = dynamic_cast<const void*>(p);
    const class_entry& entry = class_of(typeid(*p), typeid(T), whole, n);
    stack_.push({entry.write, const_cast<void*>(whole), 1, nullptr});
    return tokens::by_class | entry.mark;
  }

  template <class T> static void run_values(writer& w) {
    if constexpr (flat<T>) {
      const item now = w.stack_.top();
      w.stack_.pop();
      w.write_array(now.at, now.left, sizeof(T));
    } else if constexpr (detail::kind_of<T>() == kind::pointer) {
      w.template pointers<detail::pointee<T>>();
    } else {
      const std::size_t here = w.stack_.size();
      const bool through = work_on_top(
          w,
          [](item& now) -> T& {
            T* const x = static_cast<T*>(now.at);
            now.at = x + 1;
            return *x;
          },
          [&w](T& x) { w.value(x); });
      w.stack_.reverse(through ? here - 1 : here);
    }
  }

  // Writes one batch of an array of pointers.
  template <class T> void pointers() {
    if constexpr (std::is_polymorphic_v<T>) {
      item& now = stack_.top();
      T** const first = static_cast<T**>(now.at);
      const std::size_t n = now.left < tokens::batch ? now.left : tokens::batch;
      take(n);
      const std::size_t mark = stack_.size();
      for (std::size_t i = 0; i < n; ++i) count(shared(first[i], {}));
      stack_.reverse(mark);
    } else {
      next_pointers(objects_of<T>());
    }
  }
  void take(std::size_t n) {
    item& now = stack_.top();
    now.at = static_cast<void**>(now.at) + n;
    now.left -= n;
    if (now.left == 0) stack_.pop();
  }
  void next_pointers(objects of);
  std::uint64_t tokens_of(const void* const* first, std::size_t n, std::uint64_t* token, objects of);

  item_stack<item> stack_;
  Map map_;
};

template <class Map> void writer<Map>::drain(std::size_t mark) {
  while (stack_.size() > mark) {
    // Items deeper in the stack may have been pushed long ago, so that their objects have left the cache.
    if (stack_.size() > 2) __builtin_prefetch(stack_[stack_.size() - 3].at);
    stack_.top().run(*this);
  }
}

template <class Map> copy_statistics writer<Map>::figures() const {
  std::size_t of_map = static_cast<std::size_t>(next_) * 2 * sizeof(void*);
  if constexpr (requires { map_.bytes(); }) of_map = map_.bytes();
  return {static_cast<std::size_t>(next_), stack_.peak(), stack_.bytes() + of_map + table_bytes()};
}

template <class Map>
std::uint64_t writer<Map>::known_token(const void* object, extent n, const type_behind& type, std::uint64_t mark,
                                       place at) {
  const std::uint64_t found = number_of(object, mark, at) ^ mark;
  if (found == next_) {
    number_pointee(object, n, type);
    return 0;
  }
  if (found >> bits_of_number != 0) refuse_type(object, type);
  if (n.is_array || !lengths_.empty()) must_have_length(found, n);
  return found + 1;
}

template <class Map> std::uint64_t writer<Map>::shared_objects(const volatile void* p, extent n, objects of, place at) {
  if (p == nullptr) return 0;
  const std::uint64_t known = known_token(const_cast<const void*>(p), n, *of.type, mark_of(*of.type), at);
  if (known != 0) return known;
  if (of.run != nullptr) defer_objects(p, n.n, of);
  return tokens::fresh | n.n;
}

template <class Map> std::uint64_t writer<Map>::owned_on_device(const void* p, extent n, std::size_t each) {
  if (p == nullptr) return 0;
  const auto step = [](writer& w) {
    const item now = w.top();
    w.pop();
    w.write_from_device(now.at, now.left);
  };
  const std::size_t bytes = device_bytes(n.n, each);
  if (n.n > 0) stack_.push({step, const_cast<void*>(p), bytes, nullptr});
  return 1 + n.n;
}

template <class Map> void writer<Map>::next_pointers(objects of) {
  const item now = stack_.top();
  const std::size_t n = now.left < tokens::batch ? now.left : tokens::batch;
  take(n);
  const std::size_t mark = stack_.size();
  std::uint64_t token[tokens::batch];
  const std::uint64_t largest = tokens_of(static_cast<const void* const*>(now.at), n, token, of);
  write_tokens(token, n, largest);
  stack_.reverse(mark);
}

// Writing a graph spends most of its time here, and calls would cost a tenth of it; hence `flatten`.
// @return the largest token
template <class Map>
[[gnu::flatten]]
std::uint64_t writer<Map>::tokens_of(const void* const* first, std::size_t n, std::uint64_t* token, objects of) {
  const auto pointer = [first](std::size_t i) {
    const void* p;
    std::memcpy(&p, first + i, sizeof p);  // memcpy, because its type is not known here
    return p;
  };
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < n;) {
    // Arrays often point to objects in the order in which these were first met: then no lookup is needed.
    for (; in_order_ && i < n && successor_ < order_.size() && order_[successor_] == pointer(i) && lengths_.empty();
         ++i) {
      token[i] = successor_ + 2;
      ++successor_;
      largest = successor_ + 1 > largest ? successor_ + 1 : largest;
    }
    const std::size_t end = n - i < looked_up_at_once ? n : i + looked_up_at_once;
    place at[looked_up_at_once];
    for (std::size_t k = i; k < end; ++k) at[k - i] = bring_near(pointer(k));
    for (const place* here = at; i < end; ++i) {
      const std::uint64_t t = shared_objects(pointer(i), {}, of, *here++);
      token[i] = (t & tokens::fresh) ? 1 : t == 0 ? 0 : t + 1;
      largest = token[i] > largest ? token[i] : largest;
      in_order_ = t == successor_ + 1;
      successor_ = t & tokens::fresh ? order_.size() : static_cast<std::size_t>(t);
    }
  }
  return largest;
}

extern template class writer<pointer_map>;

}  // namespace wherry::deep
