/// @file
/// What is still to be copied: an explicit stack, so that no structure is too deep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "wherry/core/allocation.hpp"

namespace wherry::deep {

/// Objects that wait. `Side` is the writer, reader or destroyer that runs it.
template <class Side> struct pending {
  /// Does a part of the work; the item is the top of the stack, and takes itself off before its last part.
  using step = void (*)(Side&);
  step run;
  void* at;          ///< the next object, or the container
  std::size_t left;  ///< objects to come
  void* other;       ///< what else the step wants to remember
};

/// Items were just pushed by stores of single words. A wider load of them, which a compiler likes, would wait until
/// these stores, and all before them, have left the core: the words are moved one by one.
template <class Item> void swap_by_words(Item& x, Item& y) {
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) % sizeof(std::uint64_t) == 0);
  auto *a = reinterpret_cast<std::byte*>(&x), *b = reinterpret_cast<std::byte*>(&y);
  for (std::size_t at = 0; at < sizeof(Item); at += sizeof(std::uint64_t)) {
    std::uint64_t p, q;
    std::memcpy(&p, a + at, sizeof p);
    std::memcpy(&q, b + at, sizeof q);
    asm("" : "+r"(p), "+r"(q));
    std::memcpy(a + at, &q, sizeof q);
    std::memcpy(b + at, &p, sizeof p);
  }
}

/// A stack that remembers its largest size.
template <class Item> class item_stack {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t peak() const { return peak_; }
  std::size_t bytes() const { return capacity_ * sizeof(Item); }
  Item& top() { return items_[size_ - 1]; }
  Item& operator[](std::size_t i) { return items_[i]; }
  void push(const Item& item) {
    if (size_ == capacity_) grow();
    items_[size_++] = item;
    if (size_ > peak_) peak_ = size_;
  }
  void pop() { --size_; }
  /// The next objects of the array on top, at most `most`; it comes off with its last ones.
  template <class T> std::span<T> take(std::size_t most) {
    Item& now = top();
    const std::span<T> next(static_cast<T*>(now.at), std::min(now.left, most));
    now.at = next.data() + next.size();
    now.left -= next.size();
    if (now.left == 0) pop();
    return next;
  }
  /// What was pushed since the stack had `mark` items comes off in the order in which it was pushed.
  void reverse(std::size_t mark) {
    for (std::size_t a = mark, b = size_; a + 1 < b; ++a) swap_by_words(items_[a], items_[--b]);
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    const auto capacity = capacity_ == 0 ? std::size_t{64} : 2 * capacity_;
    auto items = allocating("deep copy", "what waits to be copied", capacity * sizeof(Item),
                            [=] { return std::make_unique_for_overwrite<Item[]>(capacity); });
    for (std::size_t i = 0; i < size_; ++i) items[i] = items_[i];
    items_ = std::move(items);
    capacity_ = capacity;
  }

  std::unique_ptr<Item[]> items_;
  std::size_t size_ = 0, capacity_ = 0, peak_ = 0;
};

/// What a deep copy needed besides the structure itself.
struct statistics {
  std::size_t shared_objects =
      0;                         ///< objects with an identity: an entry each of the writer's map, of the reader's table
  std::size_t peak_pending = 0;  ///< objects and arrays that waited at the same time
  std::size_t working_bytes = 0;  ///< of map or table and of what waited; the stream's windows are not among them
};

}  // namespace wherry::deep
