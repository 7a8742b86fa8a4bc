// A program that ends by an error which nobody catches, as README's would: which, says the first argument.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include "wherry/wherry.hpp"

namespace {

void fail(const std::string& how, int rank, int size) {
  if (how == "one" && rank == size - 1) throw std::runtime_error("one rank fails");
  if (how == "other_type" && rank == size - 1) throw 7;
  if (how == "thread" && rank == 0) std::thread([] { throw std::runtime_error("a thread fails"); }).join();
  if (how == "all") throw std::runtime_error("every rank fails");
  if (how == "argument") {
    wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
    wherry::field<double, 1> u(grid.comm(), {4}, rank == 0 ? 2 : 1);
    wherry::halo_exchange exchange(grid, {}, u);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int body(int argc, char** argv) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fail(argc > 2 ? argv[2] : "", rank, size);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  if (way == "run_main") return wherry::run_main(argc, argv, body);
  if (way == "own_handler")
    std::set_terminate([] {
      std::cerr << "the program's own handler\n";
      std::_Exit(3);
    });
  if (way == "caught_outside") {
    try {
      wherry::mpi_session mpi(argc, argv);
      return body(argc, argv);
    } catch (const std::exception&) {
      return 1;
    }
  }
  wherry::mpi_session mpi(argc, argv);
  return body(argc, argv);
}
