/// @file
/// What a description sees while an object is read: its bytes are in place, tokens where its pointers and containers
/// will be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wherry/deep/reader.hpp"

namespace wherry::deep {

class read_pass {
 public:
  static constexpr bool reads = true;

  read_pass(reader& r, std::byte* object, std::size_t bytes) : r_(r), object_(object), bytes_(bytes) {}

  template <class... T> void operator()(T&... parts) { (part(parts), ...); }

  template <class T, countable Count = int> void owned(T*& p, Count n = 1) { p = r_.owned<T>(slot(p), counted(n)); }
  template <class T, countable Count = int> void shared(T*& p, Count n = 1) { p = r_.shared<T>(slot(p), counted(n)); }
  template <class T> void local(T& x) { ::new (static_cast<void*>(&x)) T(); }
  template <class Base, class T> void base(T& x) { part(static_cast<Base&>(x)); }

 private:
  bool inside(const void* member) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) - object_) < bytes_;
  }
  // A description's count may come from hostile bytes; a negative one fits no array.
  template <class Count> static std::uint64_t counted(Count n) {
    return n < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(n);
  }
  template <class T> std::uint64_t slot(const T& x) {
    if (!inside(&x)) return r_.count();
    std::uint64_t token = 0;
    std::memcpy(&token, static_cast<const void*>(&x), sizeof(T) < sizeof token ? sizeof(T) : sizeof token);
    return token;
  }

  template <class T> void part(T& x) {
    must_be_copyable<T>();
    must_not_be_bare_pointer<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      if (!inside(&x)) r_.value(&x);
    } else if constexpr (k == kind::polymorphic) {
      if (inside(&x)) {
        ::new (static_cast<void*>(&x)) T();
        r_.defer_again(&x, 1);
      } else {
        r_.value_again(x);
      }
    } else if (!inside(&x)) {
      r_.value_again(x);
    } else if constexpr (k == kind::described) {
      run_description(*this, x);
    } else if constexpr (k == kind::known) {
      known<T>::read(r_, &x, slot(x));
    } else {
      for_each_part(x, [this](auto& p) { part(p); });
    }
  }

  reader& r_;
  std::byte* object_;
  std::size_t bytes_;
};

template <class T> void reader::object(T* raw) {
  if constexpr (kind_of<T>() == kind::polymorphic) {
    if (!guarded([&] { ::new (static_cast<void*>(raw)) T(); })) std::terminate();
    read_pass pass(*this, nullptr, 0);
    run_description(pass, *raw);
  } else {
    source_.read(static_cast<void*>(raw), sizeof(T));
    read_pass pass(*this, reinterpret_cast<std::byte*>(raw), sizeof(T));
    run_description(pass, *raw);
  }
}

}  // namespace wherry::deep
