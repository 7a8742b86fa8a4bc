// Exchanges dimension after dimension, as peer_three_phases.cpp does, in a program with threads: OpenMP's threads pack,
// copy and unpack.
#include <memory>

#include "halo/copy.hpp"
#include "halo/peers.hpp"
#include "halo/phase_messages.hpp"

#if defined(_OPENMP)  // else left out

namespace bench::halo {
namespace {

// begin: what a user writes
/// Calls `each(side, field, z)` for all planes of two boxes of one extent of all fields, by all threads: both sides of
/// a plane by the same one, since along the contiguous axis they share cache lines.
template <class Each> void by_threads(const problem& p, const cells& box, Each&& each) {
  const int fields = static_cast<int>(p.field.size());
#pragma omp parallel for collapse(2) schedule(static)
  for (int f = 0; f < fields; ++f)
    for (int z = 0; z < box.extent[2]; ++z)
      for (int side = 0; side < 2; ++side) each(side, static_cast<std::size_t>(f), z);
}

/// The beginning of plane z of a box, and its extent.
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
    for (const phase& one : phases_of(p)) dimensions_.emplace_back(one, p.rank);
  }
  ~team_phases() override { MPI_Comm_free(&comm_); }

  void exchange() override {
    for (auto& d : dimensions_)
      if (!d.within()) d.receive(comm_);
    for (auto& d : dimensions_) {
      const phase& boxes = d.boxes();
      const cells cores[2] = {boxes.high_core, boxes.low_core}, halos[2] = {boxes.low_halo, boxes.high_halo};
      if (d.within()) {
        copy_by_threads(p_, cores, halos);
        continue;
      }
      pack_by_threads(p_, cores, d.bytes(), d.out());
      d.send_up(comm_);
      d.send_rest(comm_);
      d.wait_for_low();
      d.wait_for_high();
      unpack_by_threads(p_, halos, d.bytes(), d.in());
    }
    for (auto& d : dimensions_) d.wait_for_sends();
  }

 private:
  problem p_;
  MPI_Comm comm_;
  std::vector<phase_messages> dimensions_;
};
// end

}  // namespace

std::unique_ptr<peer> make_team_phases(const problem& p) { return std::make_unique<team_phases>(p); }

}  // namespace bench::halo

#endif
