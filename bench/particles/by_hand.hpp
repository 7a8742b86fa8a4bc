// Particles in a ring of ranks as programs move them with MPI: each rank has one unit of length along x, and particles
// go to the rank on the left or on the right.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace bench::particles {

/// A structure of arrays.
struct swarm {
  std::vector<double> x, y, z, vx, vy, vz;
  std::vector<long> id;

  std::size_t size() const { return x.size(); }
  void resize(std::size_t count);
  bool operator==(const swarm&) const = default;
};

/// The particle as it travels.
struct row {
  double x, y, z, vx, vy, vz;
  long id;
};
row get(const swarm& from, std::size_t i);
void put(swarm& to, std::size_t i, const row& one);

/// One pass over the positions, and the copies of the particles outside to a list and back: what a move costs without
/// messages. It keeps its memory.
class bare_pass {
 public:
  explicit bare_pass(MPI_Comm comm);
  void operator()(swarm& all);

 private:
  double lower_ = 0;
  std::vector<std::size_t> holes_;
  std::vector<row> rows_;
};

/// A move by packed messages to both neighbours: counts first, then rows. Particles that arrive fill the holes.
class move_by_hand {
 public:
  explicit move_by_hand(MPI_Comm comm);
  void operator()(swarm& all);

 private:
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1, left_ = 0, right_ = 0;
  std::vector<std::size_t> holes_;
  std::vector<row> to_left_, to_right_, arrived_;
};

/// Ghosts within a cut-off of the faces along x, behind the particles of a rank.
class ghosts_by_hand {
 public:
  ghosts_by_hand(MPI_Comm comm, const swarm& all, double cutoff);
  std::size_t count() const { return from_left_ + from_right_; }
  void fill(std::vector<double>& x, std::vector<double>& y, std::vector<double>& z);
  void sum_back(std::vector<double>& fx, std::vector<double>& fy, std::vector<double>& fz);

 private:
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1, left_ = 0, right_ = 0;
  std::size_t owned_ = 0, from_left_ = 0, from_right_ = 0;
  std::vector<std::size_t> to_left_, to_right_;
  std::vector<double> out_left_, out_right_, in_left_, in_right_;
};

}  // namespace bench::particles
