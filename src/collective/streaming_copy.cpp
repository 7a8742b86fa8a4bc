#include "streaming_copy.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace wherry::collective {

bool is_beyond_the_caches(std::int64_t bytes) {
  static const long last_cache = sysconf(_SC_LEVEL3_CACHE_SIZE);  // 0 or -1 where nobody knows
  return last_cache > 0 && bytes >= last_cache;
}

#if defined(__x86_64__)

void stream_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  constexpr std::int64_t line = 64, word = sizeof(__m128i);
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % line);
  const auto head = std::min(bytes, (line - past_line) % line);
  std::memcpy(to, from, static_cast<std::size_t>(head));
  auto at = head;
  for (; at + line <= bytes; at += line) {
    __m128i whole[line / word];
    for (int i = 0; i < line / word; ++i)
      whole[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at + i * word));
    for (int i = 0; i < line / word; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i * word), whole[i]);
  }
  std::memcpy(to + at, from + at, static_cast<std::size_t>(bytes - at));
  _mm_sfence();  // these stores are in no order else
}

#else

void stream_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

#endif

}  // namespace wherry::collective
