/// @file
/// The reader's table of shared objects: from number to address, type and the pointers that will free the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "wherry/deep/detail/tokens.hpp"

namespace wherry::deep {

namespace detail {

class destroyer;

}  // namespace detail

/// Which side frees a shared object: `raw`: the raw pointers that share it (by `destroy`); `smart`: a smart pointer;
/// `nobody`: none yet, because only observing pointers have been met; `root`: the caller, because it is the root.
enum class holder : std::uintptr_t { raw, smart, nobody, root };

/// Shared objects in the order of their numbers.
class shared_table {
 public:
  /// The address of this variable represents the type.
  template <class T> alignas(8) static constexpr char mark_of = 0;
  template <class T> static std::uintptr_t type_of() { return reinterpret_cast<std::uintptr_t>(&mark_of<T>); }

  shared_table();
  ~shared_table();
  shared_table(const shared_table&) = delete;
  shared_table& operator=(const shared_table&) = delete;

  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const {
    return entries_.capacity() * sizeof(entry) + owners_.capacity() * sizeof(std::shared_ptr<void>);
  }

  /// Makes room, so that the next `add` and `observe`, or `own`, cannot fail.
  /// @throws std::bad_alloc
  void make_room() {
    if (entries_.size() == entries_.capacity() || observed_.size() == observed_.capacity()) grow();
  }
  void make_room_for_owner(std::uint64_t number) {
    if (owners_.size() <= number) grow_to_owner(number);
  }

  /// Sets the length of the array that is added next.
  /// @throws std::bad_alloc
  void set_length(std::uint64_t n);
  extent length(std::uint64_t number) const;

  /// @param type a multiple of 8: `type_of<T>()` or the address of a class entry
  void add(void* object, std::uintptr_t type, holder who, bool is_array = false);
  void set_object(std::uint64_t number, void* object) { entries_[number].object = object; }
  void* object(std::uint64_t number) const { return entries_[number].object; }
  std::uintptr_t type(std::uint64_t number) const { return entries_[number].type & ~marks; }
  holder held_by(std::uint64_t number) const { return static_cast<holder>(entries_[number].type & 3); }
  void hold(std::uint64_t number, holder who) {
    entries_[number].type = (entries_[number].type & ~std::uintptr_t{3}) | static_cast<std::uintptr_t>(who);
  }

  /// The common case in one comparison: a single object of exactly this type that raw pointers share.
  bool is_raw(std::uint64_t number, std::uintptr_t type) const {
    return number < entries_.size() && entries_[number].type == type;
  }

  void own(std::uint64_t number, std::shared_ptr<void> owner);
  const std::shared_ptr<void>* owner(std::uint64_t number) const {
    return number < owners_.size() ? &owners_[number] : nullptr;
  }

  /// Adds an object that has only been observed so far.
  /// @param visit frees the object through a destroyer if no owner is met
  void observe(std::uint64_t number, void* part, void (*visit)(detail::destroyer&, void*));
  bool all_held() const;
  /// True if only this table, for the sake of weak pointers, keeps alive an object that a smart pointer should own.
  bool any_only_weakly_held() const;
  void visit_unheld(detail::destroyer& d);

 private:
  // The low bits of the type hold the `holder` and whether the object is an array.
  static constexpr std::uintptr_t array = 4, marks = 7;
  void grow();
  void grow_to_owner(std::uint64_t number);

  struct observation {
    std::uint64_t number;
    void* part;
    void (*visit)(detail::destroyer&, void*);
  };

  struct entry {
    void* object;
    std::uintptr_t type;  // and marks
  };

  std::vector<entry> entries_;
  std::vector<std::shared_ptr<void>> owners_;
  std::vector<observation> observed_;
  std::unordered_map<std::uint64_t, std::uint64_t> lengths_;
};

}  // namespace wherry::deep
