/// @file
/// From a structure to a stream of bytes and back: what all channels and files of deep copies are made of.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "wherry/deep/array_of.hpp"
#include "wherry/deep/containers.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/detail/read_pass.hpp"
#include "wherry/deep/detail/read_pointers.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/write_passes.hpp"
#include "wherry/deep/detail/writer.hpp"
#include "wherry/deep/fingerprint.hpp"
#include "wherry/deep/polymorphic.hpp"

namespace wherry::deep {

namespace detail {

template <class Writer, class T> void write_what_is_in(Writer& w, T& root) {
  if constexpr (is_array_of<T>) {
    w.count(w.owned(root.pointer, checked_extent(root.count)));
  } else if constexpr (kind_of<T>() == kind::pointer) {
    w.count(w.shared(root, {}));
  } else {
    if constexpr (kind_of<T>() == kind::described || kind_of<T>() == kind::polymorphic)
      w.remember(root);
    else
      w.surround(root);
    w.value(root);
  }
  w.drain();
}

/// Gives the figures of a writer at its end, whatever that is.
struct last_figures {
  const writer_base& of;
  statistics& to;
  ~last_figures() { to = of.figures(); }
};

/// Writes what is in `root` and finishes the sink, or abandons it and throws.
statistics pack_with(byte_sink& sink, void* root, void (*write)(byte_sink&, void* root, statistics& figures));
/// Reads the root and finishes the source. After a failure it frees what has been made.
statistics unpack_with(byte_source& source, const read_options& options, void* root, void (*read)(reader&, void* root),
                       void (*undo)(void* root, const read_options&, reader*));

template <class T, class Count> void read_array(reader& r, array_of<T, Count>& root) {
  using object = std::remove_cv_t<T>;
  const std::uint64_t token = r.count();
  const std::uint64_t n = token == 0 ? 0 : token - 1;
  if constexpr (std::is_lvalue_reference_v<Count> && !std::is_const_v<std::remove_reference_t<Count>>) {
    using integer = std::remove_reference_t<Count>;
    root.count = 0;
    if (!std::in_range<integer>(n)) return r.fail("an array of ", n, " objects is too long for its count's type");
    root.pointer = r.owned<object>(token, {n, true});
    if (root.pointer != nullptr) root.count = static_cast<integer>(n);
  } else {
    if (std::cmp_equal(n, root.count))
      root.pointer = r.owned<object>(token, {n, true});
    else
      r.fail("an array of ", n, " objects arrived where ", root.count, " are expected");
  }
}

// One that somebody owns by a shared_ptr stays, for it knows its owner; one with a reference, for that is bound.
template <class T> void read_whole_root(reader& r, T& root) {
  if constexpr (knows_its_owner<T>)
    if (!root.weak_from_this().expired()) return r.members(root);
  if constexpr (kind_of<T>() == kind::polymorphic && aggregates::has_reference<T>())
    r.members(root);
  else
    r.value_again(root);
}

template <class T> void read_root(reader& r, T& root) {
  if constexpr (is_array_of<T>) {
    read_array(r, root);
  } else if constexpr (kind_of<T>() == kind::pointer) {
    root = r.shared<pointee<T>>(r.count(), {});
  } else {
    if constexpr (kind_of<T>() == kind::described || kind_of<T>() == kind::polymorphic) r.remember_root(root);
    read_whole_root(r, root);
  }
}

// Frees what was made of the root before a failure; what lies in an arena stays there.
template <class T> void undo(T& root, const read_options& options, reader* by = nullptr) {
  destroyer d(options.arena == nullptr);
  if constexpr (!is_array_of<T> && !std::is_pointer_v<T>) d.spare(std::addressof(root));
  if (by != nullptr) by->visit_rest(d);
  d.root(root);
}

template <class T> void must_be_empty(const T& root) {
  if constexpr (is_array_of<T>) {
    if (root.pointer != nullptr)
      refuse("the pointer of the array to be read is not null: what it points to would be lost");
  } else if constexpr (std::is_pointer_v<T>) {
    if (root != nullptr) refuse("the pointer to be read is not null: what it points to would be lost");
  }
}

}  // namespace detail

/// Writes a whole structure and finishes the sink.
/// @param root  an object, a pointer (which counts as shared), `array(p, n)` or a container; it is not changed
/// @return what was needed besides the structure
/// @throws what the sink throws; wherry::error when a description gives a negative count, or forgets a member. The sink
///   was told before.
template <class Map = pointer_map, class T> statistics pack(byte_sink& sink, T&& root) {
  using object = std::remove_cvref_t<T>;
  return detail::pack_with(sink, const_cast<object*>(std::addressof(root)),
                           [](byte_sink& to, void* x, statistics& figures) {
                             detail::fingerprint_once<object>();  // which looks it over
                             writer<Map> w(to);
                             const detail::last_figures report{w, figures};
                             detail::write_what_is_in(w, *static_cast<object*>(x));
                           });
}

/// Reads a whole structure and finishes the source. What `root` was is destroyed first, by its own destructor; a
/// pointer must be null.
/// @return what was needed besides the structure
/// @throws the source's failure, or wherry::error when the bytes do not fit the type; what had been made by then has
///         been freed again; pointers in `root` are null, its containers keep what they own. Where there is no memory
///         left even to take note of what is to be freed, `root` keeps what it leads to, for `destroy`, and what raw
///         pointers in keys lead to that wait for their place is lost
template <class T> statistics unpack(byte_source& source, T&& root, const read_options& options = {}) {
  using object = std::remove_reference_t<T>;
  static_assert(!std::is_const_v<object>, "deep copy: what is read is changed: it is no constant");
  detail::must_be_empty(root);
  return detail::unpack_with(
      source, options, std::addressof(root),
      [](reader& r, void* x) {
        detail::fingerprint_once<object>();
        detail::read_root(r, *static_cast<object*>(x));
      },
      [](void* x, const read_options& how, reader* by) { detail::undo(*static_cast<object*>(x), how, by); });
}

/// How many bytes `pack` would write.
template <class T> std::uint64_t packed_bytes(T&& root) {
  counting_sink sink;
  pack(sink, root);
  return sink.bytes();
}

}  // namespace wherry::deep
