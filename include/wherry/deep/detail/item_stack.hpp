/// @file
/// The stack of objects that are still to be copied: explicit, so that no structure is too deep for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

namespace wherry::deep {

/// Objects that wait to be copied. `Side` is the writer, reader or destroyer.
template <class Side> struct pending {
  /// Does a part of the work. The item is on top of the stack, and takes itself off before its last part.
  using step = void (*)(Side&);
  step run;
  void* at;          ///< the next object, or the container
  std::size_t left;  ///< objects to come
  void* other;       ///< whatever else the step needs
};

/// Swaps two items word by word. Items have just been pushed by stores of single words: a wider load of them, which
/// compilers prefer, would have to wait until these stores and all earlier ones have left the core.
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

/// The memory of a stack of items of any side; all items have one size.
class item_memory {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t peak() const { return peak_; }
  std::size_t bytes() const;
  void pop() { --size_; }

 protected:
  item_memory();
  ~item_memory();
  item_memory(const item_memory&) = delete;
  item_memory& operator=(const item_memory&) = delete;

  /// @throws error(resource)
  [[gnu::cold]] void grow();

  struct any_side;
  std::unique_ptr<std::byte[]> items_;
  std::size_t size_ = 0, capacity_ = 0, peak_ = 0;
};

/// A stack that remembers its largest size.
template <class Item> class item_stack : public item_memory {
 public:
  Item& top() { return items()[size_ - 1]; }
  Item& operator[](std::size_t i) { return items()[i]; }
  void push(const Item& item) {
    if (size_ == capacity_) grow();
    items()[size_++] = item;
    if (size_ > peak_) peak_ = size_;
  }
  /// Reverses the items above the first `mark`, so that they come off in the order in which they were pushed.
  void reverse(std::size_t mark) {
    for (std::size_t a = mark, b = size_; a + 1 < b; ++a) swap_by_words(items()[a], items()[--b]);
  }

 private:
  static_assert(sizeof(Item) == sizeof(pending<any_side>) && std::is_trivially_copyable_v<Item>);
  Item* items() { return reinterpret_cast<Item*>(items_.get()); }
};

/// Works on the objects of the top item until all are done, and the item is taken off, or until one of them has pushed
/// an item, which must be done first.
/// @return true if all are done
/// @param next returns the item's next object and moves the item on to the one after it
template <class Side, class Next, class Do> bool work_on_top(Side& side, Next next, Do run) {
  const std::size_t here = side.waiting();
  bool last;
  do {
    auto& now = side.top();
    auto&& object = next(now);
    last = --now.left == 0;
    if (last) side.pop();
    run(object);
  } while (!last && side.waiting() == here);
  return last;
}

}  // namespace wherry::deep
