// Dimension after dimension, as in peer_three_phases.cpp, in a program with threads: OpenMP's pack, copy and unpack.
#include "halo/copy.hpp"
#include "halo/peers.hpp"

#if defined(_OPENMP)  // else left out

namespace bench::halo {
namespace {

// begin: what a user writes
/// Calls `each(side, field, z)` for all planes of two boxes of one extent of all fields, by all threads.
template <class Each> void by_threads(const problem& p, const cells& box, Each&& each) {
  const int fields = static_cast<int>(p.field.size());
#pragma omp parallel for collapse(3) schedule(static)
  for (int side = 0; side < 2; ++side)
    for (int f = 0; f < fields; ++f)
      for (int z = 0; z < box.extent[2]; ++z) each(side, static_cast<std::size_t>(f), z);
}

/// Where plane z of a box begins, and its extent.
triple plane_of(const cells& box, int z) { return {box.lower[0], box.lower[1], box.lower[2] + z}; }
triple one_plane(const cells& box) { return {box.extent[0], box.extent[1], 1}; }

/// Both sides of a dimension, one behind the other in the buffer.
void pack_by_threads(const problem& p, const cells (&boxes)[2], long bytes, char* buffer) {
  const long row = boxes[0].extent[0] * p.element, plane = row * boxes[0].extent[1];
  by_threads(p, boxes[0], [&](int side, std::size_t f, int z) {
    const cells& box = boxes[side];
    char* const to = buffer + side * bytes + (static_cast<long>(f) * box.extent[2] + z) * plane;
    copy_box(p.cell(f, plane_of(box, z)), p.row, p.plane, to, row, plane, row, one_plane(box));
  });
}

void unpack_by_threads(const problem& p, const cells (&boxes)[2], long bytes, const char* buffer) {
  const long row = boxes[0].extent[0] * p.element, plane = row * boxes[0].extent[1];
  by_threads(p, boxes[0], [&](int side, std::size_t f, int z) {
    const cells& box = boxes[side];
    const char* const from = buffer + side * bytes + (static_cast<long>(f) * box.extent[2] + z) * plane;
    copy_box(from, row, plane, p.cell(f, plane_of(box, z)), p.row, p.plane, row, one_plane(box));
  });
}

void copy_by_threads(const problem& p, const cells (&from)[2], const cells (&to)[2]) {
  by_threads(p, from[0], [&](int side, std::size_t f, int z) {
    copy_box(p.cell(f, plane_of(from[side], z)), p.row, p.plane, p.cell(f, plane_of(to[side], z)), p.row, p.plane,
             to[side].extent[0] * p.element, one_plane(to[side]));
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
      if (d.boxes.low == p_.rank) continue;
      // The first half comes from below, the second from above.
      const int bytes = static_cast<int>(d.boxes.bytes);
      if (d.boxes.low == d.boxes.high) {
        MPI_Irecv(d.in.data(), 2 * bytes, MPI_BYTE, d.boxes.low, 0, comm_, &d.receives[0]);
      } else {
        MPI_Irecv(d.in.data(), bytes, MPI_BYTE, d.boxes.low, 1, comm_, &d.receives[0]);
        MPI_Irecv(d.in.data() + bytes, bytes, MPI_BYTE, d.boxes.high, 2, comm_, &d.receives[1]);
      }
    }
    for (auto& d : dimensions_) {
      const cells cores[2] = {d.boxes.high_core, d.boxes.low_core}, halos[2] = {d.boxes.low_halo, d.boxes.high_halo};
      if (d.boxes.low == p_.rank) {
        copy_by_threads(p_, cores, halos);
        continue;
      }
      const int bytes = static_cast<int>(d.boxes.bytes);
      pack_by_threads(p_, cores, bytes, d.out.data());
      if (d.boxes.low == d.boxes.high) {
        MPI_Isend(d.out.data(), 2 * bytes, MPI_BYTE, d.boxes.high, 0, comm_, &d.sends[0]);
      } else {
        MPI_Isend(d.out.data(), bytes, MPI_BYTE, d.boxes.high, 1, comm_, &d.sends[0]);
        MPI_Isend(d.out.data() + bytes, bytes, MPI_BYTE, d.boxes.low, 2, comm_, &d.sends[1]);
      }
      MPI_Waitall(2, d.receives, MPI_STATUSES_IGNORE);
      unpack_by_threads(p_, halos, bytes, d.in.data());
    }
    for (auto& d : dimensions_) MPI_Waitall(2, d.sends, MPI_STATUSES_IGNORE);
  }

 private:
  struct dimension {
    phase boxes;
    std::vector<char> out, in;
    MPI_Request receives[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Request sends[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
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
