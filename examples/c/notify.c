/* The sum of 1 to 1000, on its way around a ring of ranks: each adds its numbers to what the previous one has written.
 */
#include <mpi.h>
#include <stdio.h>
#include <wherry.h>

int main(int argc, char** argv) {
  wherry_communicator comm;
  wherry_segment ring;
  int rank, size;
  void* memory;
  int64_t mine = 0;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, &size));
  const int next = (rank + 1) % size;
  for (int i = 1 + rank; i <= 1000; i += size) mine += i;

  /* Memory of 8 bytes on each rank that the others write to. The owner makes no call for it. */
  wherry_require(wherry_segment_create(comm, sizeof mine, NULL, &ring));
  wherry_require(wherry_segment_memory(ring, &memory, NULL));
  const int64_t* const arrived = memory;

  if (rank != 0) { /* rank 0 begins */
    wherry_require(wherry_segment_wait(ring, 0, WHERRY_NO_LIMIT, NULL));
    mine += *arrived; /* read in place */
  }
  wherry_require(wherry_segment_write_notify(ring, next, 0, &mine, sizeof mine, 0, 1));
  if (rank == 0) {
    wherry_require(wherry_segment_wait(ring, 0, WHERRY_NO_LIMIT, NULL));
    printf("the numbers from 1 to 1000 add up to %lld\n", (long long)*arrived);
  }

  MPI_Barrier(MPI_COMM_WORLD);
  wherry_segment_free(&ring);
  wherry_communicator_free(&comm);
  MPI_Finalize();
  return 0;
}
