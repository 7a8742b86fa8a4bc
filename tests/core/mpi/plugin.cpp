// A plug-in that has Wherry inside, and shows nothing else of it.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

/// Something of each pattern; what went wrong.
extern "C" int use_wherry(MPI_Comm users) {
  try {
    const wherry::process_grid grid(users, {.periodic = {true}});
    const int rank = grid.comm().rank(), size = grid.comm().size();
    wherry::field<int, 1> u(grid.comm(), {8}, 1);
    for (int i = 0; i < 8; ++i) u(i) = rank;
    wherry::halo_exchange halo(grid, u);
    halo();
    int wrong = u(-1) == (rank + size - 1) % size ? 0 : 1;
    wrong += wherry::collective::allreduce(users, 1) == size ? 0 : 2;
    std::string word = rank == 0 ? "word" : "";
    wherry::deep::bcast(grid.comm(), word, 0);
    wrong += word == "word" ? 0 : 4;
    wherry::segment<int> places(grid.comm(), 1);
    const std::vector<int> mine{rank};
    places.write_notify((rank + 1) % size, 0, mine, 0);
    places.wait(0);
    wrong += places.mine()[0] == u(-1) ? 0 : 8;
    return wrong;
  } catch (const std::exception& failure) {
    std::printf("%s\n", failure.what());
    return 16;
  }
}
