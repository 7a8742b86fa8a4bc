// mel_exit_program CODE [RANK]: all ranks exit with CODE, or one alone, while the others wait for it in vain.
#include <iostream>
#include <string>

#include "MEL.hpp"

int main(int argc, char* argv[]) {
  MEL::Init(argc, argv);
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
