// Declarations that the sources about segments share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "wherry/c/segment.h"
#include "wherry/channel/byte_segment.hpp"
#include "wherry/channel/segment_space.hpp"

#include "limits.hpp"
#include "objects.hpp"

namespace wherry_c {

using wherry::byte_segment;

template <> inline constexpr kind kind_of<wherry::byte_segment> = kind::segment;
template <> inline constexpr kind kind_of<wherry::segment_queue> = kind::segment_queue;
template <> inline constexpr kind kind_of<wherry::channels::segment_space> = kind::segment_space;

inline byte_segment& segment_of(wherry_segment segment, std::string_view where) {
  return object_of<byte_segment>(segment, where, "segment");
}

/// @throws error(argument) for a structure without a size
inline wherry::segment_options segment_options_of(const wherry_segment_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::segment_options result;
  if (options.notifications != 0) result.notifications = options.notifications;
  result.counted = options.not_counted == 0;
  result.name = name_or_empty(options.name);
  return result;
}

/// Memory that is written to, of this many bytes.
inline std::span<std::byte> received(void* into, std::int64_t bytes, std::string_view where) {
  return {static_cast<std::byte*>(into), size_of(bytes, where, "bytes")};
}

/// Runs a call for a segment.
template <class Step> wherry_status with_segment(wherry_segment segment, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] { step(segment_of(segment, where)); });
}

}  // namespace wherry_c
