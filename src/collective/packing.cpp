#include "packing.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry::collective {
namespace {

/// Calls `visit(first, count, bytes)` for parts that are small enough for MPI's ints.
template <class Visit> void in_parts(std::int64_t count, std::int64_t size, Visit&& visit) {
  if (size == 0) return;
  const auto most = std::max<std::int64_t>(1, (std::int64_t{1} << 30) / size);
  for (std::int64_t first = 0; first < count; first += most) {
    const auto now = std::min(most, count - first);
    if (now * size > std::numeric_limits<int>::max())
      throw error(error_kind::argument, "pack", "'type' has more than 2 GiB in one element");
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
    throw error(error_kind::mpi, "pack", wherry::detail::text("MPI packed ", bytes, " bytes of data into ", position));
}

/// MPICH packs nothing from MPI_BOTTOM if the type has absolute addresses: the type is then shifted to the address of a
/// variable. `pack(address, count, type)` returns MPI's status.
template <class Pack> int at_any_address(const void* at, int count, MPI_Datatype type, Pack&& pack) {
  if (at != MPI_BOTTOM) return pack(const_cast<void*>(at), count, type);
  static char here = 0;
  MPI_Aint address = 0;
  check_mpi(PMPI_Get_address(&here, &address), "MPI_Get_address");
  const MPI_Aint back = -address;
  MPI_Datatype moved = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_create_hindexed(1, &count, &back, type, &moved), "MPI_Type_create_hindexed");
  const wherry::detail::unique_datatype owner(moved);
  check_mpi(PMPI_Type_commit(&moved), "MPI_Type_commit");
  return pack(&here, 1, moved);
}

}  // namespace

void pack(const void* from, std::byte* to, std::int64_t count, MPI_Datatype type, std::int64_t size) {
  const auto extent = extent_of(type);
  in_parts(count, size, [&](std::int64_t first, int now, int bytes) {
    int position = 0;
    const auto into = [&](const void* at, int elements, MPI_Datatype of) {
      return PMPI_Pack(at, elements, of, to + first * size, bytes, &position, MPI_COMM_SELF);
    };
    check_mpi(at_any_address(static_cast<const std::byte*>(from) + first * extent, now, type, into), "MPI_Pack");
    check_size(position, bytes);
  });
}

void unpack(const std::byte* from, void* to, std::int64_t count, MPI_Datatype type, std::int64_t size) {
  const auto extent = extent_of(type);
  in_parts(count, size, [&](std::int64_t first, int now, int bytes) {
    int position = 0;
    const auto out_of = [&](void* at, int elements, MPI_Datatype of) {
      return PMPI_Unpack(from + first * size, bytes, &position, at, elements, of, MPI_COMM_SELF);
    };
    check_mpi(at_any_address(static_cast<std::byte*>(to) + first * extent, now, type, out_of), "MPI_Unpack");
    check_size(position, bytes);
  });
}

typed_memory::typed_memory(scratch_pool& pool, MPI_Datatype type, std::int64_t count) {
  MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  check_mpi(PMPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  check_mpi(PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent), "MPI_Type_get_true_extent_x");
  // Extents may be negative: the last element is then the lowest.
  const auto reach = (count > 0 ? count - 1 : 0) * extent;
  const auto lowest = std::min<MPI_Count>(0, reach) + true_lower;
  const auto bytes =
      static_cast<std::size_t>(std::max<MPI_Count>(0, reach) - std::min<MPI_Count>(0, reach) + true_extent);
  memory_ = pool.take(bytes);
  std::memset(memory_.data(), 0, bytes);
  origin_ = memory_.data() - lowest;
}

}  // namespace wherry::collective
