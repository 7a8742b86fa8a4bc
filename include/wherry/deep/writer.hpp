/// @file
/// The writing side of a deep copy: from a structure to bytes, without recursion on its depth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/deep/class_registry.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/device.hpp"
#include "wherry/deep/item_stack.hpp"
#include "wherry/deep/owned_once.hpp"
#include "wherry/deep/pointer_map.hpp"
#include "wherry/deep/tokens.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

/// What a user may put in the place of `pointer_map`: `find` and `insert`, or the two in one as `find_or_insert`.
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

/// Writes objects to a sink. An object's own bytes go at once, with tokens where its pointers and containers are; what
/// it points to waits on a stack. `Map` remembers shared objects (see pointer_map.hpp).
template <class Map> class writer {
  static_assert(maps_pointers<Map>, "deep copy: a pointer map has find(pointer) and insert(pointer, number)");

 public:
  using item = pending<writer>;
  /// Pointers of an array that are looked up side by side.
  static constexpr std::size_t looked_up_at_once = 32;

  explicit writer(byte_sink& sink) : sink_(&sink) {}

  byte_sink& sink() { return *sink_; }

  /// Works until no more than `mark` items wait.
  void drain(std::size_t mark = 0) {
    while (stack_.size() > mark) {
      // What waits below may have been pushed long ago.
      if (stack_.size() > 2) __builtin_prefetch(stack_[stack_.size() - 3].at);
      stack_.top().run(*this);
    }
  }
  /// Works off one item. @return whether any is left
  bool step() {
    if (!stack_.empty()) stack_.top().run(*this);
    return !stack_.empty();
  }

  /// A whole object of any kind, except that what must be deferred goes to the stack.
  template <class T> void value(T& x) {
    must_be_copyable<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      sink_->write(&x, sizeof(T));
    } else if constexpr (k == kind::pointer) {
      count(shared(x, {}));
    } else if constexpr (k == kind::described) {
      object(x);
    } else if constexpr (k == kind::polymorphic) {
      stream_pass<writer> pass(*this);
      run_description(pass, x);
    } else if constexpr (k == kind::known) {
      count(known<T>::head(*this, x));
      if constexpr (bounded<T>)
        known<T>::contents(*this, x);
      else
        known<T>::defer(*this, x);
    } else {
      for_each_part(x, [this](auto& part) {
        using member = std::remove_cvref_t<decltype(part)>;
        must_not_be_bare_pointer<member, T>();
        this->value(const_cast<member&>(part));
      });
    }
  }

  /// Values that are bounded by their type, at once.
  template <class T> void values(T* first, std::size_t n) {
    if constexpr (flat<T>) {
      if (n > 0) sink_->write(first, checked{"deep copy", "size of an array in bytes"}.product(n, sizeof(T)));
    } else {
      for (std::size_t i = 0; i < n; ++i) value(first[i]);
    }
  }

  /// Values of any kind, at once; what is behind them is deferred.
  template <class T> void values_now(T* first, std::size_t n) {
    static_assert(!std::is_polymorphic_v<T>, "deep copy: owned_now and shared_now are not for polymorphic classes");
    if (nested_ == tokens::most_nested)
      refuse(
          "objects behind m.owned_now or m.shared_now are nested deeper than 100: m.owned and m.shared have no limit");
    ++nested_;
    values(const_cast<std::remove_cv_t<T>*>(first), n);
    --nested_;
  }

  void count(std::uint64_t n) {
    std::memcpy(sink_->reserve(sizeof n), &n, sizeof n);
    sink_->advance(sizeof n);
  }

  /// Values of any kind, later.
  template <class T> void defer(T* first, std::size_t n) {
    using object = std::remove_cv_t<T>;
    if (n == 0) return;
    __builtin_prefetch(first);
    if constexpr (sizeof(T) > 64) __builtin_prefetch(reinterpret_cast<const char*>(first) + 64);
    stack_.push({&run_values<object>, const_cast<object*>(first), n, nullptr});
  }
  void defer(const item& what) { stack_.push(what); }
  std::size_t waiting() const { return stack_.size(); }
  item& top() { return stack_.top(); }
  void pop() { stack_.pop(); }

  /// The token of a pointer that shares. What it points to is deferred when it is met for the first time, unless it
  /// goes `now`: then the caller writes it.
  template <class T> std::uint64_t shared(T* p, extent n, bool now = false) {
    if (p == nullptr) return 0;
    const void* const object = n.is_array ? static_cast<const void*>(p) : identity(p);
    const std::uint64_t number = number_of(object);
    if (number != next_) {
      if (n.is_array || !lengths_.empty()) must_have_length(number, n);
      return number + 1;
    }
    if (n.is_array) lengths_.emplace(number, n.n);
    ++next_;
    order_.push_back(object);
    return tokens::fresh | pointee(p, n, now);
  }
  /// The token of a pointer that owns alone.
  template <class T> std::uint64_t owned(T* p, extent n, bool now = false) {
    if (p == nullptr) return 0;
    if (n.n > 0 && !now) owned_once_.meet(p);
    return 1 + pointee(p, n, now);
  }
  /// The token of a pointer into device memory.
  template <class T> std::uint64_t owned_on_device(T* p, extent n);
  /// The root takes number 0 when it is an object, so that pointers back to it find it.
  template <class T> void remember(T& root) {
    number_of(identity(&root));
    ++next_;
    order_.push_back(identity(&root));
  }

  statistics figures() const {
    return {static_cast<std::size_t>(next_), stack_.peak(),
            stack_.bytes() + map_bytes() + order_.capacity() * sizeof(void*) + aside_.capacity()};
  }

  /// What the first pass over an object has for the second one: a stack, as objects that are bounded by their type are
  /// nested.
  std::vector<std::byte>& aside() { return aside_; }
  /// Where the bytes go instead, for a while. @return where they went before
  byte_sink* redirect(byte_sink* sink) { return std::exchange(sink_, sink); }

  template <class T> void object(T& x) {
    if constexpr (sizeof(T) <= byte_sink::largest_reservation) {
      std::byte* copy = sink_->reserve(sizeof(T));
      std::memcpy(copy, static_cast<const void*>(&x), sizeof(T));
      slot_pass<writer> slots(*this, reinterpret_cast<const std::byte*>(&x), copy, sizeof(T));
      run_description(slots, x);
      sink_->advance(sizeof(T));
      content_pass<writer> contents(*this, slots);
      run_description(contents, x);
    } else {
      std::vector<std::byte> copy(sizeof(T));
      std::memcpy(copy.data(), static_cast<const void*>(&x), sizeof(T));
      slot_pass<writer> slots(*this, reinterpret_cast<const std::byte*>(&x), copy.data(), sizeof(T));
      run_description(slots, x);
      sink_->write(copy.data(), sizeof(T));
      content_pass<writer> contents(*this, slots);
      run_description(contents, x);
    }
  }

 private:
  std::size_t map_bytes() const {
    if constexpr (requires { map_.bytes(); })
      return map_.bytes();
    else
      return static_cast<std::size_t>(next_) * 2 * sizeof(void*);
  }

  // Pointers to different bases of an object mean the same object.
  template <class T> static const void* identity(T* p) {
    if constexpr (std::is_polymorphic_v<T>)
      return dynamic_cast<const void*>(p);
    else
      return p;
  }

  std::uint64_t number_of(const void* address) {
    if constexpr (requires { map_.find_or_insert(address, next_); }) {
      return map_.find_or_insert(address, next_);
    } else {
      if (const std::uint64_t* number = map_.find(address)) return *number;
      map_.insert(address, next_);
      return next_;
    }
  }

  void must_have_length(std::uint64_t number, extent n) const {
    const auto known = lengths_.find(number);
    const extent before = known == lengths_.end() ? extent{} : extent{known->second, true};
    if (before != n) refuse(text("m.shared: ", before, " is met again as ", n));
  }

  // What stands in a token for what `p` points to, which is deferred unless it goes `now`.
  template <class T> std::uint64_t pointee(T* p, extent n, bool now) {
    must_be_copyable<std::remove_cv_t<T>>();
    if constexpr (std::is_polymorphic_v<T>) {
      if (n.n > 0 && typeid(*p) != typeid(T)) return of_class(p, n);
    }
    if constexpr (!std::is_abstract_v<T>)
      if (!now) defer(p, n.n);
    return n.n;
  }

  template <class T> std::uint64_t of_class(T* p, extent n) {
    static_assert(std::is_same_v<Map, pointer_map>,
                  "deep copy: registered classes are written with the pointer map of ours");
    if (n.is_array) refuse("an array of objects of a derived class");
    const class_entry& entry = registered_class(typeid(*p));
    if (entry.as(typeid(T), const_cast<void*>(dynamic_cast<const void*>(p))) == nullptr)
      refuse(text("class \"", entry.name, "\" is registered, but not with the base ", typeid(T).name()));
    stack_.push({entry.write, const_cast<void*>(dynamic_cast<const void*>(p)), 1, nullptr});
    return tokens::by_class | entry.mark;
  }

  template <class T> static void run_values(writer& w) {
    if constexpr (flat<T>) {
      const item now = w.stack_.top();
      w.stack_.pop();
      w.values(static_cast<T*>(now.at), now.left);
    } else if constexpr (kind_of<T>() == kind::pointer) {
      w.template pointers<detail::pointee<T>>();
    } else {
      // Stays with its item until an element has left something to do, which comes first.
      const std::size_t here = w.stack_.size();
      do {
        item& now = w.stack_.top();
        T* x = static_cast<T*>(now.at);
        if (now.left == 1) {
          w.stack_.pop();
          w.value(*x);
          w.stack_.reverse(here - 1);
          return;
        }
        now.at = x + 1;
        --now.left;
        w.value(*x);
      } while (w.stack_.size() == here);
      w.stack_.reverse(here);
    }
  }

  template <class T> void pointers() {
    const std::span<T*> batch = stack_.template take<T*>(tokens::batch);
    T** const first = batch.data();
    const std::size_t n = batch.size();
    const std::size_t mark = stack_.size();
    if constexpr (std::is_polymorphic_v<T>) {
      for (std::size_t i = 0; i < n; ++i) count(shared(first[i], {}));
    } else {
      std::uint64_t token[tokens::batch];
      const std::uint64_t largest = tokens_of(first, n, token);
      if (largest <= 0xFFFF)
        narrow<std::uint16_t>(token, n);
      else if (largest <= 0xFFFFFFFF)
        narrow<std::uint32_t>(token, n);
      else
        narrow<std::uint64_t>(token, n);
    }
    stack_.reverse(mark);
  }

  // @return the largest token
  template <class T> std::uint64_t tokens_of(T* const* first, std::size_t n, std::uint64_t* token) {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < n;) {
      // Arrays often point to objects in the order in which those were met: then nothing is looked up.
      for (; in_order_ && i < n && successor_ < order_.size() && order_[successor_] == first[i] && lengths_.empty();
           ++i) {
        token[i] = successor_ + 2;
        ++successor_;
        largest = std::max(largest, successor_ + 1);
      }
      const std::size_t end = std::min(n, i + looked_up_at_once);
      if constexpr (requires { map_.prefetch(first); })
        for (std::size_t k = i; k < end; ++k) map_.prefetch(first[k]);
      for (; i < end; ++i) {
        const std::uint64_t t = shared(first[i], {});
        token[i] = (t & tokens::fresh) ? 1 : t == 0 ? 0 : t + 1;
        largest = std::max(largest, token[i]);
        in_order_ = t == successor_ + 1;
        successor_ = t & tokens::fresh ? order_.size() : static_cast<std::size_t>(t);
      }
    }
    return largest;
  }

  template <class Token> void narrow(const std::uint64_t* token, std::size_t n) {
    constexpr auto width = static_cast<std::uint8_t>(sizeof(Token));
    sink_->write(&width, 1);
    Token small[tokens::batch];
    for (std::size_t i = 0; i < n; ++i) small[i] = static_cast<Token>(token[i]);
    sink_->write(small, n * sizeof(Token));
  }

  byte_sink* sink_;
  item_stack<item> stack_;
  Map map_;
  std::uint64_t next_ = 0;
  std::vector<const void*> order_;  // by number
  std::vector<std::byte> aside_;
  owned_once owned_once_;
  int nested_ = 0;                                            // of what is written now
  std::unordered_map<std::uint64_t, std::uint64_t> lengths_;  // of shared arrays, by number
  std::size_t successor_ = 0;                                 // the number after the last one that was met in an array
  bool in_order_ = false;                                     // and that one followed the one before it
};

template <class Map> template <class T> std::uint64_t writer<Map>::owned_on_device(T* p, extent n) {
  if (p == nullptr) return 0;
  the_device_hooks();
  const auto step = [](writer& w) {
    const item now = w.top();
    w.pop();
    const auto staging = std::make_unique_for_overwrite<std::byte[]>(device_staging_bytes);
    const auto* from = static_cast<const std::byte*>(now.at);
    for (std::size_t left = checked{"deep copy", "size of an array in bytes"}.product(now.left, sizeof(T)); left > 0;) {
      const std::size_t part = std::min(left, device_staging_bytes);
      the_device_hooks().copy_to_host(staging.get(), from, part);
      w.sink().write(staging.get(), part);
      from += part;
      left -= part;
    }
  };
  if (n.n > 0) stack_.push({step, const_cast<std::remove_cv_t<T>*>(p), static_cast<std::size_t>(n.n), nullptr});
  return 1 + n.n;
}

}  // namespace wherry::deep
