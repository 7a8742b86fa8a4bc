/* Collectives that MPI's own library calls for its files may meet the preload, too. */
#include "support.h"

int main(int argc, char** argv) {
  MPI_File file;
  int value;
  start(&argc, &argv);
  REQUIRE(argc == 2);
  OK(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                   &file));
  OK(MPI_File_write_at_all(file, (MPI_Offset)sizeof(int) * me, &me, 1, MPI_INT, MPI_STATUS_IGNORE));
  OK(MPI_File_sync(file));
  OK(MPI_Barrier(MPI_COMM_WORLD));
  OK(MPI_File_read_at_all(file, (MPI_Offset)sizeof(int) * ((me + 1) % ranks), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  REQUIRE(value == (me + 1) % ranks);
  OK(MPI_File_close(&file));
  passed("files");
  MPI_Finalize();
  return 0;
}
