/* A program of MPI's that uses GASPI for a while, twice, with messages of its own under way all the time. */
#include <mpi.h>

#include "gaspi_support.h"

static void a_while(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  enum { number = 100000 };
  static double out[number], in[number];
  MPI_Request requests[2];
  MPI_Status statuses[2];
  for (int i = 0; i < number; ++i) out[i] = rank + i;
  MPI_Irecv(in, number, MPI_DOUBLE, (rank + size - 1) % size, 1, comm, &requests[0]);
  MPI_Isend(out, number, MPI_DOUBLE, (rank + 1) % size, 1, comm, &requests[1]);

  start();
  REQUIRE(my_rank == rank && rank_number == size);
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  for (int round = 1; round < 30; ++round) {
    int sum = 0;
    MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, comm);
    REQUIRE(sum == round * size);
    OK(gaspi_write_notify(0, 0, (gaspi_rank_t)((rank + round) % size), 0, 2048, 1024, (gaspi_notification_id_t)rank,
                          (gaspi_notification_t)round, 0, GASPI_BLOCK));
    REQUIRE(take(0, (gaspi_notification_id_t)((rank + 29 * size - round) % size)) == (gaspi_notification_t)round);
    OK(gaspi_wait(0, GASPI_BLOCK));
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  OK(gaspi_proc_term(GASPI_BLOCK));

  MPI_Waitall(2, requests, statuses);
  for (int i = 0; i < number; ++i) REQUIRE(in[i] == (rank + size - 1) % size + i);
}

int main(int argc, char** argv) {
  int level, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
  a_while(MPI_COMM_WORLD);
  a_while(MPI_COMM_WORLD);
  MPI_Barrier(reversed);
  MPI_Comm_free(&reversed);
  int ended = 1;
  MPI_Finalized(&ended);
  REQUIRE(!ended); /* gaspi_proc_term leaves it alone */
  if (rank == 0) printf("mixed: %d ranks passed\n", size);
  MPI_Finalize();
  GIVES(GASPI_ERR_ENV, gaspi_proc_init(GASPI_BLOCK));
  return 0;
}
