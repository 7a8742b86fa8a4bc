/// @file
/// FileWrite and FileRead of deep structures on standard streams and on MPI files, and their buffered forms (MEL,
/// listing 5). All calls are local: each rank has its own position in its own stream or file. All forms read what any
/// form has written; the format is Wherry's, with checksums, and a file that is damaged or of another type is an error.
///
/// The arguments are those of between_ranks.hpp. Standard streams must be opened with std::ios::binary.
#pragma once

#include <algorithm>
#include <climits>
#include <concepts>
#include <cstddef>
#include <istream>
#include <ostream>
#include <utility>

#include "wherry/deep/file.hpp"

#include "mel/deep/root.hpp"
#include "mel/file.hpp"

namespace MEL::Deep {
namespace detail {

template <class F>
concept output = std::derived_from<F, std::ostream> || std::same_as<std::remove_const_t<F>, File>;
template <class F>
concept input = std::derived_from<F, std::istream> || std::same_as<std::remove_const_t<F>, File>;

constexpr int any_size = INT_MIN;

template <class HASH_MAP> auto file_writer(auto& file, bool buffered, int bytes = any_size) {
  return [&file, buffered, bytes](auto& root) {
    namespace deep = wherry::deep;
    if (bytes != any_size) {
      const auto needed = deep::packed_bytes(root);
      if (std::cmp_less(bytes, needed))
        deep::refuse(wherry::detail::text("the structure needs ", needed, " bytes, but the buffer has ", bytes));
    }
    const deep::file_options how{.buffered = buffered};
    const auto fill = [&root](wherry::byte_sink& sink) { deep::pack<map_of<HASH_MAP>>(sink, root); };
    const auto type = deep::detail::type_fingerprint<decltype(root)>();
    if constexpr (std::same_as<std::remove_cvref_t<decltype(file)>, File>)
      deep::detail::write_file(file.handle(), type, how, fill);
    else
      deep::detail::write_file(static_cast<std::ostream&>(file), type, how, fill);
  };
}
auto file_reader(auto& file, bool buffered) {
  return [&file, buffered](auto& root) {
    const wherry::deep::file_options how{.buffered = buffered};
    if constexpr (std::same_as<std::remove_cvref_t<decltype(file)>, File>)
      wherry::deep::read(file.handle(), root, how);
    else
      wherry::deep::read(static_cast<std::istream&>(file), root, how);
  };
}

}  // namespace detail

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::output Out>
void FileWrite(X& x, Out& file) {
  detail::from_root<F>(x, detail::file_writer<HASH_MAP>(file, false));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X, detail::output Out>
void FileWrite(X& x, Out& file) {
  detail::from_root<F>(x, detail::file_writer<HASH_MAP>(file, false));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::output Out>
void FileWrite(X*& ptr, const int len, Out& file) {
  detail::from_array<F>(ptr, len, detail::file_writer<HASH_MAP>(file, false));
}

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::input In>
void FileRead(X& x, In& file) {
  detail::into_root<F>("MEL::Deep::FileRead", x, detail::file_reader(file, false));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X, detail::input In>
void FileRead(X& x, In& file) {
  detail::into_root<F>("MEL::Deep::FileRead", x, detail::file_reader(file, false));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::length Len, detail::input In>
void FileRead(X*& ptr, Len&& len, In& file) {
  detail::into_array<F>("MEL::Deep::FileRead", ptr, std::forward<Len>(len), detail::file_reader(file, false));
}

// Buffered forms: they use one buffer, as large as needed or of `bufferSize` bytes; a structure that needs more is an
// error.

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::output Out>
void BufferedFileWrite(X& x, Out& file, const int bufferSize = detail::any_size) {
  detail::from_root<F>(x, detail::file_writer<HASH_MAP>(file, true, bufferSize));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X, detail::output Out>
void BufferedFileWrite(X& x, Out& file, const int bufferSize = detail::any_size) {
  detail::from_root<F>(x, detail::file_writer<HASH_MAP>(file, true, bufferSize));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::output Out>
void BufferedFileWrite(X*& ptr, const int len, Out& file, const int bufferSize = detail::any_size) {
  detail::from_array<F>(ptr, len, detail::file_writer<HASH_MAP>(file, true, bufferSize));
}

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::input In>
void BufferedFileRead(X& x, In& file) {
  detail::into_root<F>("MEL::Deep::BufferedFileRead", x, detail::file_reader(file, true));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X, detail::input In>
void BufferedFileRead(X& x, In& file) {
  detail::into_root<F>("MEL::Deep::BufferedFileRead", x, detail::file_reader(file, true));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::length Len, detail::input In>
void BufferedFileRead(X*& ptr, Len&& len, In& file) {
  detail::into_array<F>("MEL::Deep::BufferedFileRead", ptr, std::forward<Len>(len), detail::file_reader(file, true));
}

}  // namespace MEL::Deep
