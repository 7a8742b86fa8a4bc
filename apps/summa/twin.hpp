/// @file
/// The same program, written by hand with MPI alone: a communicator for each row and each column of the grid, and
/// MPI_Bcast and MPI_Ibcast of panels.
#pragma once

#include <mpi.h>

#include <vector>

#include "problem.hpp"

namespace summa {

class twin {
 public:
  twin(MPI_Comm comm, const problem& what);
  ~twin();
  twin(const twin&) = delete;
  twin& operator=(const twin&) = delete;

  void multiply();
  void multiply_ahead();
  double check() const { return relative_error(comm_, what_, a_, b_, c_); }
  void spoil();
  double communicating() const { return seconds_; }

 private:
  void broadcast(std::size_t k);
  void start(std::size_t k);
  void wait();
  double* ready_a(std::size_t k);
  double* ready_b(std::size_t k);
  matrix panel_of_a(std::size_t k);
  matrix panel_of_b(std::size_t k);
  void multiply_panel(std::size_t k);

  MPI_Comm comm_, row_ = MPI_COMM_NULL, column_ = MPI_COMM_NULL;
  problem what_;
  int i_ = 0, j_ = 0;
  std::vector<panel> panels_;
  std::vector<double> a_memory_, b_memory_, c_memory_, a_panel_[2], b_panel_[2];
  matrix a_, b_, c_;
  MPI_Request requests_[2]{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  double seconds_ = 0;
};

}  // namespace summa
