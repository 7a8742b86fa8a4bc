/** @file
 * The implementations of collectives: which there are, which one runs, what they keep, what has run, and tuning files
 * (C++: wherry/collective/choice.hpp, memory.hpp, usage.hpp, tuning.hpp).
 *
 *     wherry_choose(comm, WHERRY_ALLREDUCE, "hierarchical", 65536);  // vectors of 64 KiB and more
 */
#ifndef WHERRY_C_CHOICE_H
#define WHERRY_C_CHOICE_H

#include <mpi.h>
#include <stdint.h>

#include "wherry/c/call.h"
#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One implementation. */
typedef struct wherry_implementation {
  const char* name;
  const char* what; /**< a description in one line */
  int reproducible; /**< 1 if reductions give the same bits on all ranks, for vectors of all lengths, in all runs */
} wherry_implementation;

/** All implementations of this library; the first is "mpi", MPI's own. Local.
 * @param list receives a list that is never freed
 * @param count receives its length */
wherry_status wherry_implementations(const wherry_implementation** list, int* count);

/** From now on this implementation runs the calls of one collective on `comm` that have `from_bytes` or more.
 * Collective over `comm`. The choice goes before the tuning file and the environment.
 * @param from_bytes the bytes of a block, or of the vector that is broadcast or reduced; for blocks of different sizes,
 *        of all blocks together. Calls whose block sizes not every rank knows count as 0 bytes
 * @return WHERRY_ERROR_ARGUMENT on all ranks for an unknown name or a negative size, WHERRY_ERROR_MISMATCH if the ranks
 *         disagree; nothing is changed then */
wherry_status wherry_choose(MPI_Comm comm, wherry_collective kind, const char* implementation, int64_t from_bytes);

/** Makes the memory that "one_sided", "pgas" or "coarray" keeps with `comm`, as its first call would; nothing for the
 * others. Vectors of any length fit, because longer ones travel in parts. Collective over `comm`; local if the memory
 * is there already, which keeps its size.
 * @param bytes for each rank, rounded up to slots of 64 bytes; 0: the usual size
 * @return WHERRY_ERROR_ARGUMENT for an unknown name or a negative size, WHERRY_ERROR_MISMATCH if the ranks disagree */
wherry_status wherry_make_ready(MPI_Comm comm, const char* implementation, int64_t bytes);
/** Frees that memory; the next call by the implementation makes it anew. Collective over `comm`.
 * @return WHERRY_ERROR_STATE while calls by this implementation are in flight */
wherry_status wherry_give_back(MPI_Comm comm, const char* implementation);

/** The number of calls of one collective by one implementation. */
typedef struct wherry_usage {
  wherry_collective kind;
  const char* implementation;
  uint64_t calls;
} wherry_usage;
/** The calls of this process, over all communicators; rows without calls are left out. Local.
 * @param rows receives a list that is valid until this thread calls the function again */
wherry_status wherry_usage_so_far(const wherry_usage** rows, int* count);

/** Calls that MPI's own implementation ran because the chosen one could not. */
typedef struct wherry_fallen_through {
  wherry_collective kind;
  const char* wanted; /**< the implementation that was chosen */
  const char* why;    /**< the reason, as from `wherry_call_obstacle` */
  uint64_t calls;
} wherry_fallen_through;
/** The calls of this process that fell through to MPI, over all communicators; see `wherry_usage_so_far`. */
wherry_status wherry_fallen_through_so_far(const wherry_fallen_through** rows, int* count);

/** A rule of a tuning file (WHERRY_COLL_TUNING) for the calls of one collective from this size in bytes on. */
typedef struct wherry_tuned_rule {
  wherry_collective kind;
  int64_t from;
  const char* implementation; /**< a name, or "default" if nothing is known */
} wherry_tuned_rule;
/** Reads the rules for this number of ranks and nodes from the text of a tuning file. Local.
 * @param rules receives a list that is valid until this thread calls the function again
 * @return WHERRY_ERROR_ARGUMENT that names the first line that is not understood */
wherry_status wherry_read_tuning(const char* text, int ranks, int nodes, const wherry_tuned_rule** rules, int* count);
/** The text of a tuning file in which these rules replace those for this number of ranks and nodes. Local.
 * @param text the file as it is; "" for a new one
 * @param remark a comment; may be NULL
 * @param result receives a text that is valid until this thread asks for another text of collectives */
wherry_status wherry_write_tuning(const char* text, const wherry_tuned_rule* rules, int count, int ranks, int nodes,
                                  const char* remark, const char** result);

#ifdef __cplusplus
}
#endif

#endif
