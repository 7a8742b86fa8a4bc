/// @file
/// Rules for the passes by which MEL's pointers and sequences travel. In addition to the members of Wherry's rules they
/// have `mark()`, the word for the member in the object's bytes, and `token_of(mark)`, the meaning of this word if no
/// more data comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "wherry/deep/pack.hpp"

#include "mel/deep/box.hpp"
#include "mel/deep/in_turn.hpp"

namespace MEL::Deep::detail {

/// A pointer to `count` objects that no other pointer (`packPtr`) or others too (`packSharedPtr`) point to.
template <class Box, class T, bool Shared> struct pointer_rule {
  static constexpr bool bytes = wherry::deep::flat<Box>;

  T*& pointer;
  std::uint64_t count;

  // The condition "If (len > 0) and (ptr != nullptr)" of MEL, listing 14.
  Box* boxes() const { return count == 0 ? nullptr : as_boxes<Box>(pointer); }
  bool now(const auto& side) const { return bytes || at_once(side); }

  std::uint64_t mark() const { return boxes() != nullptr ? 1 : 0; }
  std::uint64_t token_of(std::uint64_t mark) const {
    if (mark == 0 || count == 0) return 0;
    return Shared ? wherry::deep::tokens::fresh | count : 1 + count;
  }
  std::uint64_t token(auto& writer) const {
    if constexpr (Shared)
      return writer.shared(boxes(), {count, true}, now(writer));
    else
      return writer.owned(boxes(), {count, true}, now(writer));
  }
  void arrive(auto& reader, std::uint64_t token, bool) const {
    const bool here = now(reader);
    Box* arrived;
    if constexpr (Shared)
      arrived = reader.template shared<Box>(token, {count, true}, here);
    else
      arrived = reader.template owned<Box>(token, {count, true}, here);
    pointer = reinterpret_cast<T*>(arrived);
    // A function that looks at the object before it arrives sees zeros.
    if (!here && is_new(token) && arrived != nullptr && !reader.failed())
      std::memset(static_cast<void*>(arrived), 0, static_cast<std::size_t>(count) * sizeof(Box));
  }
  void destroy(auto& destroyer) const {
    Box* p = boxes();
    if constexpr (Shared)
      destroyer.shared(p, {count, true});
    else
      destroyer.owned(p, {count, true});
  }

 protected:
  static bool is_new(std::uint64_t token) { return Shared ? (token & wherry::deep::tokens::fresh) != 0 : token != 0; }
  void write(auto& writer) const {
    if (boxes() != nullptr && now(writer)) writer.values_now(boxes(), static_cast<std::size_t>(count));
  }
};

/// The rule for a pointer in a deep-copy function.
template <class Box, class T, bool Shared> struct member_rule : pointer_rule<Box, T, Shared> {
  void objects(auto& writer, std::uint64_t token) const {
    if (this->is_new(token)) this->write(writer);
  }
};

/// The rule for the root of a copy. The root is always new, and is written as it goes.
template <class Box, class T> struct root_rule : pointer_rule<Box, T, true> {
  void contents(auto& writer) const { this->write(writer); }
};

/// The rule for a vector or list with elements that are copied as `Box` says. Pointers among them arrive as null, and
/// the deep-copy function packs them.
template <class Box, class Sequence> struct sequence_rule {
  using element = element_of<Sequence>;
  static constexpr bool pointers = std::is_pointer_v<element>;
  static constexpr bool bytes = wherry::deep::flat<Box>;

  Sequence& elements;

  std::uint64_t mark() const { return elements.size(); }
  std::uint64_t token_of(std::uint64_t mark) const { return mark; }
  std::uint64_t token(auto&) const { return elements.size(); }
  void contents(auto& writer) const {
    if constexpr (bytes && !pointers) {
      each([&](Box* first, std::size_t n) { writer.values_now(first, n); });
    } else if constexpr (!bytes) {
      if (at_once(writer))
        each([&](Box* first, std::size_t n) { writer.values_now(first, n); });
      else
        each([&](Box* first, std::size_t n) { writer.defer(first, n); });
    }
  }
  void arrive(auto& reader, std::uint64_t token, bool raw) const {
    if (raw)
      wherry::deep::detail::make_container(reader, &elements);
    else
      elements.clear();
    const std::size_t n = reader.plausible(token, sizeof(element));
    if (!reader.guarded([&] { elements.resize(n); })) return;
    if constexpr (bytes && !pointers) {
      each([&](Box* first, std::size_t m) { reader.source().read(static_cast<void*>(first), m * sizeof(Box)); });
    } else if constexpr (!bytes) {
      if (!at_once(reader)) return each([&](Box* first, std::size_t m) { reader.defer_again(first, m); });
      const wherry::deep::reader::nesting here(reader);
      each([&](Box* first, std::size_t m) {
        for (std::size_t i = 0; i < m; ++i) reader.value_again(first[i]);
      });
    }
  }
  void destroy(auto& destroyer) const {
    if constexpr (!bytes) each([&](Box* first, std::size_t n) { destroyer.visit(first, n); });
    elements.clear();
  }

 private:
  template <class Do> void each(Do run) const {
    if constexpr (std::is_same_v<Sequence, std::vector<element>>) {
      run(as_boxes<Box>(elements.data()), elements.size());
    } else {
      for (element& x : elements) run(as_boxes<Box>(std::addressof(x)), 1);
    }
  }
};

}  // namespace MEL::Deep::detail
