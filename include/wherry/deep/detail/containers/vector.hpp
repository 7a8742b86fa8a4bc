/// @file
/// std::vector and std::basic_string in a deep copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep {

namespace detail {

/// Iterates over elements in memory of any alignment.
template <class T> class unaligned_iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  explicit unaligned_iterator(const std::byte* at) : at_(at) {}
  T operator*() const {
    T x;
    std::memcpy(static_cast<void*>(std::addressof(x)), at_, sizeof(T));
    return x;
  }
  unaligned_iterator& operator++() { return *this += 1; }
  unaligned_iterator& operator--() { return *this += -1; }
  unaligned_iterator operator++(int) {
    auto old = *this;
    ++*this;
    return old;
  }
  unaligned_iterator& operator+=(difference_type n) {
    at_ += n * static_cast<difference_type>(sizeof(T));
    return *this;
  }
  difference_type operator-(const unaligned_iterator& other) const {
    return (at_ - other.at_) / static_cast<difference_type>(sizeof(T));
  }
  bool operator==(const unaligned_iterator&) const = default;

 private:
  const std::byte* at_;
};

/// Appends `n` flat elements and writes each of them once. No element is filled with zeros first, and not much more is
/// allocated than has arrived, so that a false count cannot exhaust the memory.
template <class Container> void append_flat(reader& r, Container& to, std::size_t n) {
  using element = typename Container::value_type;
  constexpr std::size_t room = byte_sink::largest_reservation;
  while (n > 0 && !r.failed()) {
    if constexpr (sizeof(element) > room) {
      to.emplace_back();
      r.source().read(std::addressof(to.back()), sizeof(element));
      --n;
    } else {
      const auto [data, bytes] = r.source().next_piece(n * sizeof(element), sizeof(element));
      const auto whole = bytes / sizeof(element);
      const auto end = static_cast<std::ptrdiff_t>(whole);
      if (r.failed()) return;
      if (reinterpret_cast<std::uintptr_t>(data) % alignof(element) == 0) {
        const auto* first = reinterpret_cast<const element*>(data);
        to.insert(to.end(), first, first + end);
      } else {
        unaligned_iterator<element> first(data);
        auto last = first;
        to.insert(to.end(), first, last += end);
      }
      n -= whole;
    }
  }
}

}  // namespace detail

template <class T, class Allocator> struct known<std::vector<T, Allocator>> {
  using container = std::vector<T, Allocator>;
  using contains = types<T>;

  template <class Writer> static std::uint64_t head(Writer&, container& x) { return x.size(); }
  template <class Writer> static void contents(Writer& w, container& x) { w.kept_values(x.data(), x.size()); }
  template <class Writer> static void defer(Writer& w, container& x) { w.defer(x.data(), x.size()); }

  static void visit(auto& d, container& x) {
    d.visit(x.data(), x.size());
    x.clear();
  }

  static void read(reader& r, container* raw, std::uint64_t head) {
    detail::must_be_default_constructible<T>();
    container& x = *detail::make_container(r, raw);
    const std::size_t n = r.plausible(head, detail::least_bytes<T>);
    r.guarded(
        [&] {
          if constexpr (flat<T>) {
            x.reserve(n);
            detail::append_flat(r, x, n);
          } else if constexpr (!std::is_default_constructible_v<T>) {
            // The assertion above has reported this.
          } else if constexpr (bounded<T>) {
            x.reserve(n);
            while (x.size() < n && !r.failed()) r.value_again(x.emplace_back());
          } else {
            x.resize(n);
            r.defer_again(x.data(), n);
          }
        },
        detail::about_bytes<T>(n));
  }
};

}  // namespace wherry::deep
