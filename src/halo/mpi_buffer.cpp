#include "wherry/halo/mpi_buffer.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <memory>

#include "wherry/core/mpi.hpp"

namespace wherry {
namespace {

/// The state of a buffer's functions. Packs in pieces, because MPI counts packed bytes in an `int`.
struct typed_memory {
  detail::unique_datatype type;
  std::byte* pointer = nullptr;
  int count = 0, piece = 0;  // number of elements, and of elements packed in one call
  MPI_Aint extent = 0;
  int element = 0;  // bytes of one packed element

  template <class Move> void for_each_piece(Move move) const {
    for (int first = 0; first < count; first += piece) {
      const int elements = std::min(piece, count - first);
      move(pointer + first * extent, elements, static_cast<std::ptrdiff_t>(first) * element, elements * element);
    }
  }
  void pack(std::byte* wire) const {
    for_each_piece([&](const std::byte* from, int elements, std::ptrdiff_t at, int bytes) {
      int position = 0;
      check_mpi(PMPI_Pack(from, elements, type.get(), wire + at, bytes, &position, MPI_COMM_SELF), "MPI_Pack");
    });
  }
  void unpack(const std::byte* wire) const {
    for_each_piece([&](std::byte* into, int elements, std::ptrdiff_t at, int bytes) {
      int position = 0;
      check_mpi(PMPI_Unpack(wire + at, bytes, &position, into, elements, type.get(), MPI_COMM_SELF), "MPI_Unpack");
    });
  }
};

/// Makes absolute addresses relative to the lowest one, because MPICH's MPI_Pack does not accept MPI_BOTTOM.
void make_relative(typed_memory& memory) {
  MPI_Aint lowest = 0, span = 0;
  check_mpi(PMPI_Type_get_true_extent(memory.type.get(), &lowest, &span), "MPI_Type_get_true_extent");
  const MPI_Aint back = -lowest;
  MPI_Datatype shifted = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_create_hindexed_block(1, 1, &back, memory.type.get(), &shifted),
            "MPI_Type_create_hindexed_block");
  detail::unique_datatype owned(shifted);
  check_mpi(PMPI_Type_commit(&shifted), "MPI_Type_commit");
  memory.type = std::move(owned);
  memory.pointer = reinterpret_cast<std::byte*>(lowest);
}

}  // namespace

mpi_buffer::mpi_buffer(const void* pointer, int count, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) problem = "'type' is MPI_DATATYPE_NULL";
  if (count < 0) problem = detail::text("'count' is ", count, ", expected 0 or more");
  if (!problem.empty()) return;
  auto memory = std::make_shared<typed_memory>();
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_dup(type, &copy), "MPI_Type_dup");
  memory->type = detail::unique_datatype(copy);
  MPI_Aint lowest = 0;
  MPI_Count size = 0;
  check_mpi(PMPI_Type_get_extent(copy, &lowest, &memory->extent), "MPI_Type_get_extent");
  check_mpi(PMPI_Type_size_x(copy, &size), "MPI_Type_size_x");
  if (size < 0 || size > INT_MAX) {
    problem = "'type' has more than 2 GiB in one element";
    return;
  }
  memory->pointer = static_cast<std::byte*>(const_cast<void*>(pointer));
  if (pointer == MPI_BOTTOM && count > 0 && size > 0) make_relative(*memory);
  memory->count = count;
  memory->element = static_cast<int>(size);
  memory->piece = size == 0 ? INT_MAX : std::max(1, static_cast<int>((std::int64_t{1} << 30) / size));
  bytes = static_cast<index_t>(count) * size;
  // The functions hold the address themselves, since MPI_BOTTOM may be a null pointer.
  structure.data = memory.get();
  structure.code.gather = [memory](const void*, std::int64_t, std::byte* wire) { memory->pack(wire); };
  structure.code.scatter = [memory](void*, std::int64_t, const std::byte* wire) { memory->unpack(wire); };
}

}  // namespace wherry
