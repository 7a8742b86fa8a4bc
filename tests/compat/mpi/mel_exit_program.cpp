// mel_exit_program CODE [RANK]: all ranks exit with CODE, or one alone, while the others wait for it in vain.
// mel_exit_program text | abort | handler: rank 0 ends the job with a text, by Exit, by Abort, or because the default
// error handler is told of an error.
#include <iostream>
#include <string>

#include "MEL.hpp"

namespace {

void end_with_text(const std::string& how) {
  const MEL::Comm& world = MEL::Comm::WORLD;
  int x = 0;
  try {
    MEL::Send(&x, 1, 99, 0, world);
  } catch (const wherry::error& e) {
    std::cout << "after Init an error is thrown: " << e.where() << std::endl;
  }
  if (MEL::CommRank(world) == 0) {
    if (how == "text") MEL::Exit(7, "the film is torn");
    if (how == "abort") MEL::Abort(MPI_ERR_TAG, "the lamp is out");
    MEL::CommSetErrorHandler(world, MEL::DefaultErrorHandler);
    MEL::Send(&x, 1, 99, 0, world);
  }
  MEL::Barrier(world);
}

}  // namespace

int main(int argc, char* argv[]) {
  MEL::Init(argc, argv);
  if (std::string(argv[1]).find_first_not_of("0123456789") != std::string::npos) {
    end_with_text(argv[1]);
    std::cout << "passed\n";
    return 0;
  }
  const int code = std::stoi(argv[1]), rank = MEL::CommRank(MEL::Comm::WORLD);
  if (argc < 3 || rank == std::stoi(argv[2])) {
    std::cout << "rank " + std::to_string(rank) + " exits\n";
    MEL::Exit(code);
  }
  MEL::Barrier(MEL::Comm::WORLD);  // the one that exits never comes
  std::cout << "passed a barrier\n";
  MEL::Finalize();
  return 0;
}
