#include "rows.hpp"

namespace wherry::particles {

void row_layout::assign(std::span<const particle_column> columns) {
  offsets.clear();
  bytes = 0;
  has_values = false;
  for (const auto& column : columns) {
    offsets.push_back(bytes);
    if (column.role == column_role::values)
      has_values = true;
    else
      bytes += column.bytes;
  }
}

std::int64_t length_at(const std::byte* element, const particle_column& lengths) {
  if (lengths.bytes == sizeof(std::int64_t)) {
    std::int64_t length;
    std::memcpy(&length, element, sizeof length);
    return length;
  }
  std::int32_t length;
  std::memcpy(&length, element, sizeof length);
  const bool is_unsigned = lengths.type.kind == plans::element_kind::unsigned_integer;
  return is_unsigned ? std::int64_t{static_cast<std::uint32_t>(length)} : std::int64_t{length};
}

void gather(const std::byte* array, std::size_t bytes, std::span<const std::size_t> which, std::byte* first,
            std::size_t row_bytes) {
  with_bytes(bytes, [&](auto size) {
    for (std::size_t k = 0; k < which.size(); ++k) std::memcpy(first + k * row_bytes, array + which[k] * size, size);
  });
}

}  // namespace wherry::particles
