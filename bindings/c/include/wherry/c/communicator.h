/** @file
 * Wherry's object for a communicator of the program's, and memory that the ranks of a node share.
 *
 *     wherry_communicator comm;
 *     wherry_communicator_create(MPI_COMM_WORLD, &comm);  // collective
 *     ...
 *     wherry_communicator_free(&comm);                     // local; at any time, also after MPI_Finalize
 */
#ifndef WHERRY_C_COMMUNICATOR_H
#define WHERRY_C_COMMUNICATOR_H

#include <mpi.h>
#include <stddef.h>

#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Stands for one communicator of the program's. Like all handles of this interface it is a value that is copied
 * freely; NULL is no object, and a handle that was freed is recognised. */
typedef struct wherry_communicator_object* wherry_communicator;

/** Makes the handle. Collective over `users` the first time, local from then on. The communicator stays the program's:
 * Wherry communicates on a private duplicate, which is freed with `users`, or in MPI_Finalize.
 * @param result receives the handle; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT for MPI_COMM_NULL or an inter-communicator; WHERRY_ERROR_STATE outside of
 *         MPI_Init ... MPI_Finalize */
wherry_status wherry_communicator_create(MPI_Comm users, wherry_communicator* result);

/** The same for the handle of a communicator in Fortran: an integer of `mpif.h` and `use mpi`, or the member MPI_VAL
 * of a `type(MPI_Comm)`. */
wherry_status wherry_communicator_create_from_fortran(MPI_Fint users, wherry_communicator* result);

/** Frees the handle and sets it to NULL; a handle that is NULL already is left so. Local. Objects that were made with
 * it stay as they are. */
wherry_status wherry_communicator_free(wherry_communicator* comm);

/** This rank, and the number of ranks. Local; each pointer may be NULL. */
wherry_status wherry_communicator_rank(wherry_communicator comm, int* rank, int* size);

/** The ranks that share memory with this rank, in ascending order, itself included. Local.
 * @param ranks receives a list that belongs to the communicator and is valid as long as the handle
 * @param count receives their number */
wherry_status wherry_communicator_node(wherry_communicator comm, const int** ranks, int* count);

/** Allocates memory that the other ranks of the node can read in place, filled with zeros and aligned to cache lines;
 * ordinary memory if the system gives no other. Exchanges copy arrays in such memory fewer times. Local.
 * @param bytes 0 gives a pointer that can be freed
 * @param memory receives the address; NULL after an error
 * @return WHERRY_ERROR_RESOURCE if there is too little memory */
wherry_status wherry_allocate(wherry_communicator comm, size_t bytes, void** memory);

/** Frees memory from `wherry_allocate` and sets the pointer to NULL; NULL is left so. Local.
 * @return WHERRY_ERROR_ARGUMENT for an address that `wherry_allocate` did not return */
wherry_status wherry_free(void** memory);

#ifdef __cplusplus
}
#endif

#endif
