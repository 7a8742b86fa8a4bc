/** @file
 * Published layouts, passive messages, groups of ranks, and ranks that die (C++: include/wherry/notify; docs/notify.md
 * is the manual). Segments and their notifications are in segment.h, which also says what `seconds` means.
 *
 *     wherry_published_layouts layouts;
 *     wherry_published_layouts_create(comm, fill, NULL, &layouts);       // collective; `fill` is a halo exchange
 *     void* const now[1] = {u};
 *     wherry_published_layouts_publish(layouts, 1, now, WHERRY_NO_LIMIT, NULL);  // neighbours may read my cells
 *     // compute what reads no halo
 *     wherry_published_layouts_read(layouts, 1, now, WHERRY_NO_LIMIT, NULL);     // theirs, into my halo
 *
 * A call that takes `seconds` and `done` succeeds and sets `*done` to 0 when its time is over, and the same call then
 * continues. `done` may be NULL if `seconds` is WHERRY_NO_LIMIT.
 */
#ifndef WHERRY_C_NOTIFY_H
#define WHERRY_C_NOTIFY_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"
#include "wherry/c/segment.h"
#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name Published layouts
 * Each rank tells the others of its node once where its arrays lie, so that they read halos in place at each step.
 * Published data must stay unchanged until `wherry_published_layouts_await_readers` has returned; with two arrays that
 * alternate this call is not needed, because a publication waits for readers that are two publications behind.
 * @{ */
typedef struct wherry_published_layouts_object* wherry_published_layouts;

/** Options of published layouts. */
typedef struct wherry_published_options {
  size_t struct_size;
  /** Windows from MPI_Win_allocate_shared over groups that include all ranks of the node, in the same order on all
   * ranks. Arrays in this rank's parts of them are read in place, as those in memory from `wherry_allocate` are. The
   * windows must outlive the layouts on all ranks. */
  const MPI_Win* windows;
  int window_count;
  const char* name; /**< for errors, texts, statistics and traces; may be NULL, and may differ between ranks */
} wherry_published_options;

/** Tells the layouts. Collective over `comm`.
 * @param exchange what moves: an exchange over the same ranks that has all messages in one stage and stores what
 *        arrives, thus no halo exchange of the order WHERRY_HALO_BY_DIMENSION and none with an operation. It may be
 * freed afterwards
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return on all ranks alike WHERRY_ERROR_ARGUMENT, WHERRY_ERROR_MISMATCH or WHERRY_ERROR_RESOURCE */
wherry_status wherry_published_layouts_create(wherry_communicator comm, wherry_exchange exchange,
                                              const wherry_published_options* options,
                                              wherry_published_layouts* result);
/** Frees the handle and sets it to NULL. Local. Publications that neighbours have not begun to read are withdrawn, and
 * those neighbours get WHERRY_ERROR_STATE; reads that have begun are waited for. The arrays may be freed afterwards. */
wherry_status wherry_published_layouts_free(wherry_published_layouts* layouts);
/** Makes this rank's arrays available to the neighbours.
 * @param count the number of arrays with which the exchange was made
 * @param arrays the address of each; they may differ from those of the last call
 * @return WHERRY_ERROR_STATE for an array in node-shared memory that was freed */
wherry_status wherry_published_layouts_publish(wherry_published_layouts layouts, int count, void* const* arrays,
                                               double seconds, int* done);
/** Waits for the next publication of every neighbour, and copies its data into `arrays`.
 * @return WHERRY_ERROR_STATE, which names the rank, if a neighbour has freed its layouts before they were read */
wherry_status wherry_published_layouts_read(wherry_published_layouts layouts, int count, void* const* arrays,
                                            double seconds, int* done);
/** Waits until the published arrays may be changed. */
wherry_status wherry_published_layouts_await_readers(wherry_published_layouts layouts, double seconds, int* done);
/** One line for each rank that data comes from, which says how much of it is read in place.
 * @param text receives a text that is valid until this thread asks for another text of this header or of segment.h */
wherry_status wherry_published_layouts_explain(wherry_published_layouts layouts, const char** text);
/** The planned ways of the data, such as "read in place". */
wherry_status wherry_published_layouts_transport(wherry_published_layouts layouts, const char** text);
wherry_status wherry_published_layouts_statistics(wherry_published_layouts layouts, wherry_statistics* result);
/** @} */

/** @name Passive messages
 * Any rank sends requests to a rank that receives them in a loop, without knowing the senders in advance. Messages of
 * one sender arrive in order. Several threads may send and receive if MPI was started with MPI_THREAD_MULTIPLE.
 * @{ */
typedef struct wherry_passive_messages_object* wherry_passive_messages;

/** Options of passive messages. */
typedef struct wherry_passive_options {
  size_t struct_size;
  int64_t largest;  /**< size of the largest message in bytes, the same on all ranks; 0: 65,536 */
  int under_way;    /**< largest number of this rank's messages in flight, each of which is copied; 0: 64 */
  const char* name; /**< for errors; may be NULL, and may differ between ranks */
} wherry_passive_options;

/** Collective over `comm`.
 * @param options may be NULL
 * @return on all ranks alike WHERRY_ERROR_ARGUMENT, or WHERRY_ERROR_MISMATCH if `largest` differs between ranks */
wherry_status wherry_passive_messages_create(wherry_communicator comm, const wherry_passive_options* options,
                                             wherry_passive_messages* result);
/** Frees the handle and sets it to NULL. Local. Messages in flight still arrive; those for this rank that were not
 * received are lost. */
wherry_status wherry_passive_messages_free(wherry_passive_messages* messages);
/** Sends a copy of `data`, which may be overwritten as soon as the call returns. Waits while too many messages of this
 * rank are in flight: `*done` becomes 0, and nothing was sent, if there was no room in time. Local.
 * @return WHERRY_ERROR_ARGUMENT for a rank that does not exist, or more data than `largest` */
wherry_status wherry_passive_messages_send(wherry_passive_messages messages, int to, const void* data, int64_t bytes,
                                           double seconds, int* done);
/** Receives the next message of any rank, this one included. Local.
 * @param room the size of `into` in bytes
 * @param from receives the sender; -1 if no message arrived in time
 * @param bytes receives the size; may be NULL
 * @return WHERRY_ERROR_ARGUMENT if `room` is too small for the message, which the next call then receives */
wherry_status wherry_passive_messages_receive(wherry_passive_messages messages, void* into, int64_t room,
                                              double seconds, int* from, int64_t* bytes);
wherry_status wherry_passive_messages_explain(wherry_passive_messages messages, const char** text);
wherry_status wherry_passive_messages_transport(wherry_passive_messages messages, const char** text);
wherry_status wherry_passive_messages_statistics(wherry_passive_messages messages, wherry_statistics* result);
/** @} */

/** @name Groups of ranks
 * Some ranks of a communicator that communicate without the others. Every member adds the same ranks and commits the
 * group; then the members call its collectives, all in the same order. Until an operation that ran out of time is
 * complete, any other one of this group is an error. One thread at a time may use a group.
 * @{ */
typedef struct wherry_rank_group_object* wherry_rank_group;

/** Makes a group without members. Local.
 * @param name for errors and texts; may be NULL, and may differ between members */
wherry_status wherry_rank_group_create(wherry_communicator comm, const char* name, wherry_rank_group* result);
/** Frees the handle and sets it to NULL. Local. A member of the same node that still waits for this rank gets
 * WHERRY_ERROR_STATE. */
wherry_status wherry_rank_group_free(wherry_rank_group* group);
/** Adds a rank of the communicator, in any order. Local.
 * @return WHERRY_ERROR_ARGUMENT for a rank that does not exist or is a member already; WHERRY_ERROR_STATE after the
 * group was committed */
wherry_status wherry_rank_group_add(wherry_rank_group group, int rank);
/** The members, as ranks of the communicator, ascending. Local.
 * @param ranks receives a list that belongs to the group, and is valid until a rank is added
 * @param count receives their number
 * @param index receives the place of this rank among them, -1 if it is no member; may be NULL */
wherry_status wherry_rank_group_ranks(wherry_rank_group group, const int** ranks, int* count, int* index);
/** Prepares the group for its collectives. Collective over the members.
 * @return WHERRY_ERROR_ARGUMENT if this rank is no member, WHERRY_ERROR_LOST if a member has died,
 *         WHERRY_ERROR_MISMATCH if members have added different ranks */
wherry_status wherry_rank_group_commit(wherry_rank_group group, double seconds, int* done);
/** `*committed` becomes 1 if the group is committed, and 0 otherwise. Local. */
wherry_status wherry_rank_group_committed(wherry_rank_group group, int* committed);
/** Waits until all members have called it. Collective over the members.
 * @return WHERRY_ERROR_STATE before the group is committed, WHERRY_ERROR_MISMATCH on all members if they make different
 *         calls, WHERRY_ERROR_LOST if a member has died */
wherry_status wherry_rank_group_barrier(wherry_rank_group group, double seconds, int* done);
/** Combines the elements `in[i]` of all members and stores the result in `out[i]` on all of them, with the same bits.
 * Collective over the members, which give the same number of elements.
 * @param out may be `in`; its content is undefined until the call is done
 * @param how an operation, or a function, which must be associative
 * @return as `wherry_rank_group_barrier`, and WHERRY_ERROR_ARGUMENT if the operation has no meaning for the type */
wherry_status wherry_rank_group_allreduce(wherry_rank_group group, const void* in, void* out, int64_t count,
                                          wherry_type type, const wherry_reduction* how, double seconds, int* done);
wherry_status wherry_rank_group_explain(wherry_rank_group group, const char** text);
wherry_status wherry_rank_group_transport(wherry_rank_group group, const char** text);
wherry_status wherry_rank_group_statistics(wherry_rank_group group, wherry_statistics* result);
/** @} */

/** @name Ranks that die
 * Any wait in Wherry notices the death of a rank of the same node within about 0.3 seconds and returns
 * WHERRY_ERROR_LOST with the dead ranks as peers. All functions are local.
 * @{ */
/** `*alive` becomes 0 if the rank has died, or this rank takes it for dead, which never changes back, and 1 if no death
 * is known. */
wherry_status wherry_health(wherry_communicator comm, int rank, int* alive);
/** Marks a rank as dead on this rank, whether it lives or not. Waits for any rank no longer report its death. */
wherry_status wherry_take_for_dead(wherry_communicator comm, int rank);
/** Asks whether a rank lives. A rank of another node answers in any wait of Wherry on the same communicator. `*alive`
 * becomes 0 if the rank is dead, or has not answered in time. */
wherry_status wherry_ping(wherry_communicator comm, int rank, double seconds, int* alive);
/** Ends another rank and marks it as dead. `*ended` becomes 0 if it has not ended in time; the same call then continues
 * to wait. */
wherry_status wherry_end_rank(wherry_communicator comm, int rank, double seconds, int* ended);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
