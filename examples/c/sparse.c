/* A histogram over all ranks: each rank has words, and each word is counted by the rank that its letter belongs to. No
 * rank knows from whom it gets words. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wherry.h>

enum { words = 10000, letters = 26 };

typedef struct word {
  int number;
  char first;
} word;

int main(int argc, char** argv) {
  wherry_communicator comm;
  wherry_arrivals arrived;
  wherry_view all;
  int rank, size;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, &size));

  const int64_t begin = words * (int64_t)rank / size, count = words * (int64_t)(rank + 1) / size - begin;
  word* mine = malloc((size_t)count * sizeof *mine);
  int* owners = malloc((size_t)count * sizeof *owners);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t number = begin + i;
    mine[i].number = (int)number;
    mine[i].first = (char)('a' + number * number % letters);
    owners[i] = (mine[i].first - 'a') % size;
  }
  const wherry_view given = wherry_c_array(mine, wherry_bytes(sizeof(word)), 1, &count);
  wherry_require(wherry_send_to(comm, owners, given, NULL, &arrived)); /* word i goes to rank owners[i] */

  long counts[letters] = {0}, sums[letters];
  wherry_require(wherry_arrivals_all(arrived, &all));
  const word* const taken = all.data;
  for (int64_t i = 0; i < all.extents[0]; ++i) ++counts[taken[i].first - 'a'];
  wherry_arrivals_free(&arrived);

  MPI_Reduce(counts, sums, letters, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("words with a: %ld, with b: %ld, with j: %ld\n", sums[0], sums[1], sums['j' - 'a']);

  wherry_communicator_free(&comm);
  free(mine);
  free(owners);
  MPI_Finalize();
  return 0;
}
