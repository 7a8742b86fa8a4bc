// Dimension after dimension, as in peer_three_phases.cpp, in a program with threads: OpenMP's pack, copy and unpack.
#include "halo/copy.hpp"
#include "halo/peers.hpp"

#if defined(_OPENMP)  // else left out

namespace bench::halo {
namespace {

// begin: what a user writes
/// Calls `each(field, z)` for all planes of a box of all fields, by all threads.
template <class Each> void by_threads(const problem& p, const cells& box, Each&& each) {
  const int fields = static_cast<int>(p.field.size());
#pragma omp parallel for collapse(2) schedule(static)
  for (int f = 0; f < fields; ++f)
    for (int z = 0; z < box.extent[2]; ++z) each(static_cast<std::size_t>(f), z);
}

/// Where plane z of a box begins, and its extent.
triple plane_of(const cells& box, int z) { return {box.lower[0], box.lower[1], box.lower[2] + z}; }
triple one_plane(const cells& box) { return {box.extent[0], box.extent[1], 1}; }

char* pack_by_threads(const problem& p, const cells& box, char* buffer) {
  const long row = box.extent[0] * p.element, plane = row * box.extent[1];
  by_threads(p, box, [&](std::size_t f, int z) {
    char* const to = buffer + (static_cast<long>(f) * box.extent[2] + z) * plane;
    copy_box(p.cell(f, plane_of(box, z)), p.row, p.plane, to, row, plane, row, one_plane(box));
  });
  return buffer + plane * box.extent[2] * static_cast<long>(p.field.size());
}

const char* unpack_by_threads(const problem& p, const cells& box, const char* buffer) {
  const long row = box.extent[0] * p.element, plane = row * box.extent[1];
  by_threads(p, box, [&](std::size_t f, int z) {
    const char* const from = buffer + (static_cast<long>(f) * box.extent[2] + z) * plane;
    copy_box(from, row, plane, p.cell(f, plane_of(box, z)), p.row, p.plane, row, one_plane(box));
  });
  return buffer + plane * box.extent[2] * static_cast<long>(p.field.size());
}

void copy_by_threads(const problem& p, const cells& from, const cells& to) {
  by_threads(p, from, [&](std::size_t f, int z) {
    copy_box(p.cell(f, plane_of(from, z)), p.row, p.plane, p.cell(f, plane_of(to, z)), p.row, p.plane,
             to.extent[0] * p.element, one_plane(to));
  });
}

class team_phases : public peer {
 public:
  explicit team_phases(const problem& p) : p_(p) {
    MPI_Comm_dup(p.comm, &comm_);
    for (const phase& one : phases_of(p)) {
      auto& d = dimensions_.emplace_back();
      d.boxes = one;
      if (one.low == p.rank) continue;
      d.out.resize(2 * one.bytes);
      d.in.resize(2 * one.bytes);
    }
  }
  ~team_phases() override { MPI_Comm_free(&comm_); }

  void exchange() override {
    for (auto& d : dimensions_) {
      if (d.boxes.low == p_.rank) {
        copy_by_threads(p_, d.boxes.high_core, d.boxes.low_halo);
        copy_by_threads(p_, d.boxes.low_core, d.boxes.high_halo);
        continue;
      }
      const int bytes = static_cast<int>(d.boxes.bytes);
      MPI_Request requests[4];
      MPI_Irecv(d.in.data(), bytes, MPI_BYTE, d.boxes.low, 1, comm_, &requests[0]);
      MPI_Irecv(d.in.data() + bytes, bytes, MPI_BYTE, d.boxes.high, 2, comm_, &requests[1]);
      char* const middle = pack_by_threads(p_, d.boxes.high_core, d.out.data());
      MPI_Isend(d.out.data(), bytes, MPI_BYTE, d.boxes.high, 1, comm_, &requests[2]);
      pack_by_threads(p_, d.boxes.low_core, middle);
      MPI_Isend(middle, bytes, MPI_BYTE, d.boxes.low, 2, comm_, &requests[3]);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
      unpack_by_threads(p_, d.boxes.high_halo, unpack_by_threads(p_, d.boxes.low_halo, d.in.data()));
    }
  }

 private:
  struct dimension {
    phase boxes;
    std::vector<char> out, in;
  };
  problem p_;
  MPI_Comm comm_;
  std::vector<dimension> dimensions_;
};
// end

}  // namespace

std::unique_ptr<peer> make_team_phases(const problem& p) { return std::make_unique<team_phases>(p); }

}  // namespace bench::halo

#endif
