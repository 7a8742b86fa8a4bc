// A program without Wherry that loads plug-ins which have it inside, each a copy of its own, and unloads them before
// MPI_Finalize, at which MPI calls what they have left with it.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE, rank = 0, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 2; ++round) {
    void* loaded[8] = {};
    for (int i = 1; i < argc; ++i) {
      loaded[i] = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
      if (loaded[i] == nullptr) return std::printf("%s\n", dlerror()), 1;
      const auto use = reinterpret_cast<int (*)(MPI_Comm)>(dlsym(loaded[i], "use_wherry"));
      MPI_Comm users = MPI_COMM_NULL;
      MPI_Comm_dup(MPI_COMM_WORLD, &users);
      wrong |= use(users) | use(MPI_COMM_WORLD);
      MPI_Comm_free(&users);
    }
    for (int i = 1; i < argc; ++i) dlclose(loaded[i]);
  }
  if (wrong != 0) std::printf("wrong: %d\n", wrong);
  MPI_Finalize();
  std::printf("rank %d: finalized\n", rank);
}
