/// @file
/// The bytes of an object that its description names, and what it has left out.
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

/// What stands in a class one after another, as far as its braces tell.
class class_elements {
 public:
  struct element {
    std::size_t at, bytes, alignment;
    const std::type_info* type;
    bool wants_name;  ///< it is more than its bytes
  };

  template <class Member> void add() {
    element x{0, sizeof(Member), alignof(Member), nullptr, false};
    // Nobody has said yet that it can be copied: no more is asked of it. Of a union nobody knows what is in it.
    if constexpr (!std::is_union_v<Member>) {
      x.type = &typeid(Member);
      x.wants_name = (!std::is_trivially_destructible_v<Member> || described<Member>) && !std::is_empty_v<Member>;
    }
    add(x);
  }
  /// Finds their places. @return whether they fill a class of this size; if not some are not as they seem (bit-fields,
  ///   alignment of its own) and nothing is known
  bool fill(std::size_t bytes, std::size_t alignment);

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  void add(const element& x);

  std::vector<element> all_;
};

class named_bytes {
 public:
  named_bytes(const void* object, std::size_t bytes, std::size_t alignment, const std::type_info& type);

  /// @return where the member lies in the object; the largest number there is for one outside
  std::uint64_t add(const void* member, std::size_t bytes);

  // What is missing, as a text; nothing where nothing is.

  /// Members that are more than their bytes.
  std::string forgotten(const class_elements& elements) const;
  /// Bytes of an object of which only what is named travels.
  /// @param values where its members have bytes, not 0; empty: nobody knows
  std::string lost(const std::vector<std::byte>& values, bool has_virtual_functions) const;
  /// A pointer to the object itself, as strings and trees have one.
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

/// What std::enable_shared_from_this keeps.
template <class T> void name_owner(named_bytes& named, T& x) {
  using owned = typename decltype(x.weak_from_this())::element_type;
  using owner = std::enable_shared_from_this<std::remove_const_t<owned>>;
  named.add(static_cast<owner*>(std::addressof(x)), sizeof(owner));
}

/// Which bytes of a `T` are its members', so far as this compiler tells: not what only fills it up.
template <class T> std::vector<std::byte> value_bytes() {
  std::vector<std::byte> values;
#if defined(__GNUC__) && !defined(__clang__)
  constexpr std::size_t most_on_stack = 65536;
  if constexpr (sizeof(T) <= most_on_stack) {
    values.resize(sizeof(T));
    struct {  // its own operator& is the language's, unlike that of T
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
