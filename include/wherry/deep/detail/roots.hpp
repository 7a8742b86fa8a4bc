/// @file
/// Structures without their types, for the code that carries them: it is then compiled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "wherry/deep/pack.hpp"

namespace wherry::deep::detail {

/// A structure to be sent.
struct outgoing {
  void* root;
  std::uint64_t fingerprint;
  copy_statistics (*pack)(byte_sink&, void* root);

  copy_statistics into(byte_sink& sink) const { return pack(sink, root); }
};

/// A structure to be received.
struct incoming {
  void* root;
  std::uint64_t fingerprint;
  copy_statistics (*unpack)(byte_source&, void* root, const read_options&);
  /// @throws error(argument) if a pointer is not null, or if the root is a constant
  void (*must_be_empty)(const void* root);

  copy_statistics from(byte_source& source, arena* to) const { return unpack(source, root, {.arena = to}); }
  /// As `from`, but reads the stream to its end also if the root cannot take it.
  copy_statistics from_or_drain(byte_source& source, arena* to) const;
};

template <class Map, class T> outgoing outgoing_root(T& root) {
  using object = std::remove_const_t<T>;
  return {const_cast<object*>(std::addressof(root)), fingerprint_once<object>(),
          [](byte_sink& sink, void* x) { return pack<Map>(sink, *static_cast<object*>(x)); }};
}

/// The root may be a constant if it turns out at run time that nothing is received into it.
template <class T> incoming incoming_at(T* root) {
  using object = std::remove_const_t<T>;
  return {const_cast<object*>(root), fingerprint_once<object>(),
          [](byte_source& source, void* x, const read_options& options) {
            return unpack(source, *static_cast<object*>(x), options);
          },
          [](const void* x) {
            if constexpr (std::is_const_v<T>)
              refuse("the object to be received into is const");
            else
              must_be_empty(*static_cast<const T*>(x));
          }};
}
template <class T> incoming incoming_root(T& root) { return incoming_at(std::addressof(root)); }

}  // namespace wherry::deep::detail
