/// @file
/// Records the bytes of an object that its description names, and finds members that it forgets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "wherry/deep/describe.hpp"

namespace wherry::deep {

/// The members of a class in their order, as far as brace initialisation reveals them.
class class_elements {
 public:
  struct element {
    std::size_t at, bytes, alignment;
    const std::type_info* type;
    bool wants_name;  ///< a description must name it, because its bytes are not enough
  };

  template <class Member> void add() {
    element x{0, sizeof(Member), alignof(Member), nullptr, false};
    // It is not known yet whether the member can be copied, so no more is asked. The contents of a union are unknown.
    if constexpr (!std::is_union_v<Member>) {
      x.type = &typeid(Member);
      x.wants_name = (!std::is_trivially_destructible_v<Member> || described<Member>) && !std::is_empty_v<Member>;
    }
    add(x);
  }
  /// Computes the places of the members.
  /// @return false if they do not fill a class of this size; some members are then not as they seem (bit-fields, an
  ///   alignment of their own), and nothing is known
  bool fill(std::size_t bytes, std::size_t alignment);

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  void add(const element& x);

  std::vector<element> all_;
};

/// The bytes of one object, each of them named by its description or not.
class named_bytes {
 public:
  named_bytes(const void* object, std::size_t bytes, std::size_t alignment, const std::type_info& type);

  /// Records a member.
  /// @return the offset of the member in the object; the largest number for a member outside
  std::uint64_t add(const void* member, std::size_t bytes);

  // Each of these returns a text about the members that are missing, or an empty text.

  /// Finds members that need a name and have none.
  std::string forgotten(const class_elements& elements) const;
  /// Finds bytes without a name, for an object that sends only its named members.
  /// @param values not 0 for the bytes that belong to members; empty: unknown
  std::string lost(const std::vector<std::byte>& values, bool has_virtual_functions) const;
  /// Finds a pointer into the object itself, as strings and trees have one.
  std::string pointer_into_itself() const;

 private:
  bool any_named(std::size_t at, std::size_t bytes) const;
  std::uintptr_t word(std::size_t at) const;

  const std::byte* object_;
  std::vector<bool> named_;
  std::size_t alignment_;
  const std::type_info& type_;
};

/// Memory full of zeros.
class blank_memory {
 public:
  blank_memory(std::size_t bytes, std::size_t alignment);
  ~blank_memory();
  blank_memory(const blank_memory&) = delete;
  blank_memory& operator=(const blank_memory&) = delete;
  void* get() const { return memory_; }

 private:
  void* memory_;
  std::size_t alignment_;
};

namespace detail {

template <class T> struct destroyed_at_end {
  T& x;
  ~destroyed_at_end() { std::destroy_at(std::addressof(x)); }
};

/// Names the weak pointer of std::enable_shared_from_this.
template <class T> void name_owner(named_bytes& named, T& x) {
  using owned = typename decltype(x.weak_from_this())::element_type;
  using owner = std::enable_shared_from_this<std::remove_const_t<owned>>;
  named.add(static_cast<owner*>(std::addressof(x)), sizeof(owner));
}

/// Marks the bytes of a `T` that belong to members and are not padding, if this compiler can tell; else the result is
/// empty.
template <class T> std::vector<std::byte> value_bytes() {
  std::vector<std::byte> values;
#if defined(__GNUC__) && !defined(__clang__)
  constexpr std::size_t most_on_stack = 65536;
  if constexpr (sizeof(T) <= most_on_stack) {
    values.resize(sizeof(T));
    struct {  // this struct has the built-in operator&, T may not
      T x = T();
    } whole;
    std::byte before[sizeof(T)];
    std::memcpy(before, static_cast<void*>(&whole), sizeof(T));
    std::memset(static_cast<void*>(&whole), 0xFF, sizeof(T));
    __builtin_clear_padding(&whole);
    std::memcpy(values.data(), static_cast<void*>(&whole), sizeof(T));
    std::memcpy(static_cast<void*>(&whole), before, sizeof(T));
  }
#endif
  return values;
}

}  // namespace detail

}  // namespace wherry::deep
