/// @file
/// Turns a structure into a stream of bytes and back: the core of all deep copies.
///
///     std::vector<std::string> names = {"first", "second"}, copies;
///     wherry::memory_sink bytes;
///     wherry::deep::pack(bytes, names);
///     wherry::memory_source from(bytes.bytes().data(), bytes.bytes().size());
///     wherry::deep::unpack(from, copies);
///
/// Use it to carry or keep the bytes in a way of your own; `wherry/transport/byte_stream.hpp` has the base classes.
/// `communicate.hpp`, `file.hpp` and `checkpoint.hpp` have the ready-made ways.
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

/// Copies the figures of a writer at the end of its scope, also if the writer has thrown.
struct last_figures {
  const writer_base& of;
  copy_statistics& to;
  ~last_figures() { to = of.figures(); }
};

/// Runs `write` and finishes the sink; after an exception it abandons the sink and throws on.
copy_statistics pack_with(byte_sink& sink, void* root, void (*write)(byte_sink&, void* root, copy_statistics& figures));
/// Runs `read` and finishes the source; after a failure it frees the objects that have been made.
copy_statistics unpack_with(byte_source& source, const read_options& options, void* root,
                            void (*read)(reader&, void* root), void (*undo)(void* root, const read_options&, reader*));

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

// A root that a shared_ptr owns stays where it is, because it knows its owner; so does one with a reference, because
// the reference is bound.
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

// Frees the objects that were made before a failure; objects in an arena stay there.
template <class T> void undo(T& root, const read_options& options, reader* by = nullptr) {
  destroyer d(options.arena == nullptr);
  if constexpr (!is_array_of<T> && !std::is_pointer_v<T>) d.spare(std::addressof(root));
  if (by != nullptr) by->visit_rest(d);
  d.root(root);
}

template <class T> void must_be_empty(const T& root) {
  if constexpr (is_array_of<T>) {
    if (root.pointer != nullptr)
      refuse("the pointer of the array to be read is not null, and the objects that it points to would be lost");
  } else if constexpr (std::is_pointer_v<T>) {
    if (root != nullptr) refuse("the pointer to be read is not null, and the object that it points to would be lost");
  }
}

}  // namespace detail

/// Writes a whole structure and finishes the sink. Local.
/// @param root an object, a pointer (which counts as shared), `array(p, n)` or a container; it is not changed
/// @return the memory that was needed besides the structure
/// @throws every exception of the sink; wherry::error if a description gives a negative count or forgets a member. The
///   sink is abandoned with the reason first
template <class Map = pointer_map, class T> copy_statistics pack(byte_sink& sink, T&& root) {
  using object = std::remove_cvref_t<T>;
  return detail::pack_with(sink, const_cast<object*>(std::addressof(root)),
                           [](byte_sink& to, void* x, copy_statistics& figures) {
                             detail::fingerprint_once<object>();  // checks the descriptions
                             writer<Map> w(to);
                             const detail::last_figures report{w, figures};
                             detail::write_what_is_in(w, *static_cast<object*>(x));
                           });
}

/// Reads a whole structure and finishes the source. Local. The old value of `root` is destroyed first, by its own
/// destructor; a pointer must be null.
/// @return the memory that was needed besides the structure
/// @throws the failure of the source, or wherry::error if the bytes do not fit the type. All objects that had been made
///   by then are freed again, pointers in `root` are null, and its containers keep their own contents. If there is not
///   even the memory to list the objects to be freed, `root` keeps the objects that it leads to, so that `destroy` can
///   free them; objects behind raw pointers in keys of maps and sets that were not inserted yet are then lost
template <class T> copy_statistics unpack(byte_source& source, T&& root, const read_options& options = {}) {
  using object = std::remove_reference_t<T>;
  static_assert(!std::is_const_v<object>, "deep copy: what is read is changed: it is no constant");
  detail::must_be_empty(root);
  return detail::unpack_with(
      source, options, std::addressof(root),
      [](reader& r, void* x) {
        detail::fingerprint_once<object>();
        detail::read_root(r, *static_cast<object*>(x));
      },
      [](void* x, const read_options& as, reader* by) { detail::undo(*static_cast<object*>(x), as, by); });
}

/// The number of bytes that `pack` would write. Local.
template <class T> std::uint64_t packed_bytes(T&& root) {
  counting_sink sink;
  pack(sink, root);
  return sink.bytes();
}

}  // namespace wherry::deep
