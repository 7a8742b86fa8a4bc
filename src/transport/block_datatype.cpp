#include "block_datatype.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wherry {
namespace {

constexpr std::int64_t most_at_once = std::int64_t{1} << 30;  // a count that is safe in an int

detail::unique_datatype both(const detail::unique_datatype& first, const detail::unique_datatype& second,
                             MPI_Aint second_at) {
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, second_at};
  const MPI_Datatype types[2] = {first.get(), second.get()};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_create_struct(2, lengths, places, types, &made), "MPI_Type_create_struct");
  return detail::unique_datatype(made);
}

detail::unique_datatype repeat(MPI_Datatype type, std::int64_t count, MPI_Aint stride) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (stride == -1 && count <= most_at_once) {  // Open MPI 4.1 takes an hvector of single bytes for one with stride +1
    std::vector<MPI_Aint> places(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = -static_cast<MPI_Aint>(i);
    check_mpi(PMPI_Type_create_hindexed_block(static_cast<int>(count), 1, places.data(), type, &made),
              "MPI_Type_create_hindexed_block");
    return detail::unique_datatype(made);
  }
  if (count <= most_at_once) {
    check_mpi(PMPI_Type_create_hvector(static_cast<int>(count), 1, stride, type, &made), "MPI_Type_create_hvector");
    return detail::unique_datatype(made);
  }
  const auto chunk = repeat(type, most_at_once, stride);
  auto chunks = repeat(chunk.get(), count / most_at_once, stride * most_at_once);
  if (count % most_at_once == 0) return chunks;
  return both(chunks, repeat(type, count % most_at_once, stride), stride * (count / most_at_once * most_at_once));
}

/// Uses the widest type that divides the element: both sides know the element's size, and MPI libraries move words
/// faster than bytes.
detail::unique_datatype contiguous(std::int64_t bytes, std::int64_t element) {
  const auto unit = [&](std::int64_t width) { return element % width == 0 && bytes % width == 0; };
  const auto run = [&](MPI_Datatype type, std::int64_t width) {
    if (bytes / width > most_at_once) return repeat(type, bytes / width, width);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check_mpi(PMPI_Type_contiguous(static_cast<int>(bytes / width), type, &made), "MPI_Type_contiguous");
    return detail::unique_datatype(made);
  };
  if (unit(8)) return run(MPI_UINT64_T, 8);
  if (unit(4)) return run(MPI_UINT32_T, 4);
  if (unit(2)) return run(MPI_UINT16_T, 2);
  return run(MPI_BYTE, 1);
}

detail::unique_datatype listed(const plans::block& b, std::int64_t first, std::int64_t count,
                               const plans::schedule& plan) {
  const auto element = contiguous(b.run, b.element);
  if (count > most_at_once) {
    return both(listed(b, first, most_at_once, plan), listed(b, first + most_at_once, count - most_at_once, plan), 0);
  }
  std::vector<MPI_Aint> places;
  places.reserve(static_cast<std::size_t>(count));
  plan.indices.for_each_place(b.list, b.skipped + first, count,
                              [&](std::int64_t place) { places.push_back(static_cast<MPI_Aint>(place * b.unit)); });
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_create_hindexed_block(static_cast<int>(count), 1, places.data(), element.get(), &made),
            "MPI_Type_create_hindexed_block");
  return detail::unique_datatype(made);
}

}  // namespace

detail::unique_datatype block_datatype(const plans::block& b, const plans::schedule& plan) {
  if (b.kind == plans::block::form::indexed) return listed(b, 0, b.count, plan);
  auto type = contiguous(b.run, b.element);
  for (int d = 0; d < b.loops; ++d) {
    const auto& l = b.loop[static_cast<std::size_t>(d)];
    type = repeat(type.get(), l.extent, static_cast<MPI_Aint>(l.stride));
  }
  return type;
}

}  // namespace wherry
