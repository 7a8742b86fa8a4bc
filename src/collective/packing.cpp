#include "packing.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry::collective {
namespace {

/// As many elements at a time as MPI's ints allow: `visit(first, count, bytes)`.
template <class Visit> void in_parts(std::int64_t count, std::int64_t size, Visit&& visit) {
  if (size == 0) return;
  const auto most = std::max<std::int64_t>(1, (std::int64_t{1} << 30) / size);
  for (std::int64_t first = 0; first < count; first += most) {
    const auto now = std::min(most, count - first);
    if (now * size > std::numeric_limits<int>::max())
      throw error(error_kind::argument, "pack", "one element of the datatype is beyond 2 GiB");
    visit(first, static_cast<int>(now), static_cast<int>(now * size));
  }
}

std::int64_t extent_of(MPI_Datatype type) {
  MPI_Count lower = 0, extent = 0;
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  return extent;
}

void check_size(int position, int bytes) {
  if (position != bytes)
    throw error(error_kind::mpi, "pack", text("MPI packs ", bytes, " bytes of data into ", position));
}

}  // namespace

void pack(const void* from, std::byte* to, std::int64_t count, MPI_Datatype type, std::int64_t size) {
  const auto extent = extent_of(type);
  in_parts(count, size, [&](std::int64_t first, int now, int bytes) {
    int position = 0;
    check_mpi(PMPI_Pack(static_cast<const std::byte*>(from) + first * extent, now, type, to + first * size, bytes,
                        &position, MPI_COMM_SELF),
              "MPI_Pack");
    check_size(position, bytes);
  });
}

void unpack(const std::byte* from, void* to, std::int64_t count, MPI_Datatype type, std::int64_t size) {
  const auto extent = extent_of(type);
  in_parts(count, size, [&](std::int64_t first, int now, int bytes) {
    int position = 0;
    check_mpi(PMPI_Unpack(from + first * size, bytes, &position, static_cast<std::byte*>(to) + first * extent, now,
                          type, MPI_COMM_SELF),
              "MPI_Unpack");
    check_size(position, bytes);
  });
}

typed_memory::typed_memory(scratch_pool& pool, MPI_Datatype type, std::int64_t count) {
  MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  check_mpi(PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent), "MPI_Type_get_true_extent_x");
  // Extents may be negative: then the last element is the lowest.
  const auto reach = (count > 0 ? count - 1 : 0) * extent;
  const auto lowest = std::min<MPI_Count>(0, reach) + true_lower;
  const auto bytes =
      static_cast<std::size_t>(std::max<MPI_Count>(0, reach) - std::min<MPI_Count>(0, reach) + true_extent);
  memory_ = pool.take(bytes);
  std::memset(memory_.data(), 0, bytes);
  origin_ = memory_.data() - lowest;
}

}  // namespace wherry::collective
