/// @file
/// How pointers and sequences of the paper's deep copies travel, as rules for Wherry's passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "wherry/deep/pack.hpp"

#include "mel/deep/box.hpp"

namespace MEL::Deep::detail {

/// A pointer to `count` objects, which it alone points to (`packPtr`) or not (`packSharedPtr`). What are mere bytes
/// comes at once, so that a deep-copy function can use it in its next line; objects with a function of their own come
/// later.
template <class Box, class T, bool Shared> struct pointer_rule {
  static constexpr bool now = wherry::deep::flat<Box> && !Shared;

  T*& pointer;
  std::uint64_t count;

  // "If (len > 0) and (ptr != nullptr)" (listing 14).
  Box* boxes() const { return count == 0 ? nullptr : as_boxes<Box>(pointer); }

  std::uint64_t token(auto& writer) const {
    if constexpr (Shared)
      return writer.shared(boxes(), {count, true});
    else
      return writer.owned(boxes(), {count, true}, now);
  }
  void contents(auto& writer) const {
    if constexpr (now)
      if (boxes() != nullptr) writer.values_now(boxes(), static_cast<std::size_t>(count));
  }
  void arrive(auto& reader, std::uint64_t token, bool) const {
    Box* arrived;
    if constexpr (Shared)
      arrived = reader.template shared<Box>(token, {count, true});
    else
      arrived = reader.template owned<Box>(token, {count, true}, now);
    pointer = reinterpret_cast<T*>(arrived);
  }
  void destroy(auto& destroyer) const {
    Box* p = boxes();
    if constexpr (Shared)
      destroyer.shared(p, {count, true});
    else
      destroyer.owned(p, {count, true});
  }
};

/// A vector or list whose elements are copied as `Box` says. Pointers among them arrive as null, for the deep-copy
/// function to pack.
template <class Box, class Sequence> struct sequence_rule {
  using element = element_of<Sequence>;
  static constexpr bool pointers = std::is_pointer_v<element>;
  static constexpr bool now = wherry::deep::flat<Box>;

  Sequence& elements;

  std::uint64_t token(auto& writer) const {
    if constexpr (!now) each([&](Box* first, std::size_t n) { writer.defer(first, n); });
    return elements.size();
  }
  void contents(auto& writer) const {
    if constexpr (now && !pointers) each([&](Box* first, std::size_t n) { writer.values_now(first, n); });
  }
  void arrive(auto& reader, std::uint64_t token, bool raw) const {
    if (raw)
      wherry::deep::detail::make_container(reader, &elements);
    else
      elements.clear();
    const std::size_t n = reader.plausible(token, sizeof(element));
    if (!reader.guarded([&] { elements.resize(n); })) return;
    if constexpr (now && !pointers)
      each([&](Box* first, std::size_t m) { reader.source().read(static_cast<void*>(first), m * sizeof(Box)); });
    else if constexpr (!now)
      each([&](Box* first, std::size_t m) { reader.defer_again(first, m); });
  }
  void destroy(auto& destroyer) const {
    if constexpr (!now) each([&](Box* first, std::size_t n) { destroyer.visit(first, n); });
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
