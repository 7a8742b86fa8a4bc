/** @file
 * Segments: memory of each rank that the other ranks write to and read from without its help, with notifications
 * (C++: wherry/channel/byte_segment.hpp and wherry/notify/segment.hpp; docs/notify.md says what is ordered).
 *
 *     wherry_segment ring;
 *     uint32_t value;
 *     wherry_segment_create(comm, 8000, NULL, &ring);                   // collective: 8000 bytes on each rank
 *     wherry_segment_write_notify(ring, next, 0, mine, 8000, 0, 1);     // the data first, then notification 0
 *     wherry_segment_wait(ring, 0, WHERRY_NO_LIMIT, &value);            // the previous rank has written to mine
 *
 * **Order.** A notification becomes visible after all data that the same rank wrote to the same target before it.
 * Nothing else is ordered.
 *
 * **Completion.** In memory that both ranks share, a call is complete when it returns. Otherwise the source of a write
 * must not change, and the result of a read is not there, until `wherry_segment_flush` or `wherry_segment_queue_wait`.
 * A notification to another node flushes by itself.
 *
 * **Time.** A call with `seconds` ends within that time: 0 or less only looks, and WHERRY_NO_LIMIT sets no limit, but
 * WHERRY_TIMEOUT then ends a wait by WHERRY_ERROR_TIMEOUT. If time runs out the call succeeds and says so by `done`,
 * `id` or `value`, and the same call continues the operation. `done` and `value` may be NULL; with a limit, ask for
 * `done`. Limits of calls that MPI carries out want MPI_THREAD_MULTIPLE.
 *
 * Places and lengths are in bytes. All calls are local but those that create a segment or a space. They find wrong
 * arguments before anything moves. WHERRY_ERROR_LOST names a rank of another node that is known to be dead. Several
 * threads may use one segment if MPI was started with MPI_THREAD_MULTIPLE, or if all ranks share memory.
 */
#ifndef WHERRY_C_SEGMENT_H
#define WHERRY_C_SEGMENT_H

#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/options.h"
#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A value of `seconds` that sets no limit. */
#define WHERRY_NO_LIMIT HUGE_VAL

typedef struct wherry_segment_object* wherry_segment;
/** Collects writes and reads of one or several segments, so that one call waits for them. One thread at a time may use
 * it. */
typedef struct wherry_segment_queue_object* wherry_segment_queue;

/** Options of a segment. */
typedef struct wherry_segment_options {
  size_t struct_size;
  int notifications; /**< number of notifications of each rank, the same on all ranks; 0: 1024 */
  int not_counted;   /**< not 0: WHERRY_STATS and WHERRY_TRACE do not report the segment */
  const char* name;  /**< for errors, texts, statistics and traces; may be NULL, and may differ between ranks */
} wherry_segment_options;

/** @name Segments
 * @{ */
/** Makes `bytes` bytes of zeros on this rank, in memory that the ranks of the node share. Ranks may differ, and may
 * have none. Collective over `comm`.
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return on all ranks alike WHERRY_ERROR_ARGUMENT, WHERRY_ERROR_RESOURCE or, for different options,
 *         WHERRY_ERROR_MISMATCH */
wherry_status wherry_segment_create(wherry_communicator comm, int64_t bytes, const wherry_segment_options* options,
                                    wherry_segment* result);
/** The same in memory of the program's, which must outlive the segment and all writes to it. Arrays in memory from
 * `wherry_allocate` are recognised, and reached by loads and stores. Collective over `comm`. */
wherry_status wherry_segment_create_in(wherry_communicator comm, void* memory, int64_t bytes,
                                       const wherry_segment_options* options, wherry_segment* result);
/** The same in this rank's part of a window from MPI_Win_allocate_shared, which must outlive the segment on all ranks.
 * Collective over `comm`. */
wherry_status wherry_segment_create_in_window(wherry_communicator comm, MPI_Win window,
                                              const wherry_segment_options* options, wherry_segment* result);
/** Frees the handle and sets it to NULL; NULL is left so. Later writes to this rank's part go to memory that no rank
 * reads. */
wherry_status wherry_segment_free(wherry_segment* segment);

/** This rank's part. Each pointer may be NULL.
 * @param memory receives its address, which is valid as long as the segment */
wherry_status wherry_segment_memory(wherry_segment segment, void** memory, int64_t* bytes);
/** Another rank's part, to be read or written in place. Each pointer may be NULL.
 * @param memory receives its address, or NULL if this rank does not see it in its memory. The other rank learns of data
 *        that is written so by a notification */
wherry_status wherry_segment_memory_of(wherry_segment segment, int rank, void** memory, int64_t* bytes);
/** `*aligned` becomes 1 if `wherry_segment_fetch_add` and `wherry_segment_compare_swap` can change words of the rank's
 * part, because it is aligned to 8 bytes, and 0 otherwise. */
wherry_status wherry_segment_is_aligned(wherry_segment segment, int rank, int* aligned);
/** Number of notifications of each rank. */
wherry_status wherry_segment_notifications(wherry_segment segment, int* count);
/** @} */

/** @name Writing and reading
 * @{ */
/** Writes `bytes` bytes to the part of rank `to`, `at` bytes from its beginning. See "Completion".
 * @param queue collects the write for one wait; may be NULL */
wherry_status wherry_segment_write(wherry_segment segment, int to, int64_t at, const void* data, int64_t bytes,
                                   wherry_segment_queue queue);
/** Reads from the part of rank `from`, `at` bytes from its beginning. See "Completion". */
wherry_status wherry_segment_read(wherry_segment segment, int from, int64_t at, void* into, int64_t bytes,
                                  wherry_segment_queue queue);
/** Sends notification `id` with a value to rank `to`. It becomes visible after all data that this rank wrote there
 * before.
 * @param value not 0. It replaces the value of an earlier notification with this id that the target has not taken */
wherry_status wherry_segment_notify(wherry_segment segment, int to, int id, uint32_t value);
/** Writes data, and then sends a notification, which the target sees after the data. The source may be changed when the
 * call returns. */
wherry_status wherry_segment_write_notify(wherry_segment segment, int to, int64_t at, const void* data, int64_t bytes,
                                          int id, uint32_t value);
/** Reads data. This rank then gets the notification itself, after the data has arrived in `into`. */
wherry_status wherry_segment_read_notify(wherry_segment segment, int from, int64_t at, void* into, int64_t bytes,
                                         int id, uint32_t value);
/** Writes long data in pieces, with a notification for each: the value of notification `id` counts the pieces. The
 * target calls `wherry_segment_copy_out` once, with the same place, length and id. */
wherry_status wherry_segment_write_in_pieces(wherry_segment segment, int to, int64_t at, const void* data,
                                             int64_t bytes, int id);
/** Copies the data of one `wherry_segment_write_in_pieces` from this rank's part to `into` as it arrives, and then
 * resets the notification. `*done` becomes 0 if not all of it came in time. */
wherry_status wherry_segment_copy_out(wherry_segment segment, int64_t at, void* into, int64_t bytes, int id,
                                      double seconds, int* done);
/** Completes all writes and reads of this rank that were not given to a queue. `*done` becomes 0 if not all of them
 * were complete in time. */
wherry_status wherry_segment_flush(wherry_segment segment, double seconds, int* done);

/** One piece of a list of writes or of reads. */
typedef struct wherry_segment_piece {
  int64_t at;   /**< bytes from the beginning of the other rank's part */
  void* memory; /**< of this rank; a write reads it, and a read writes it */
  int64_t bytes;
} wherry_segment_piece;
/** The same for a list of pieces, all of which are checked before the first one moves. */
wherry_status wherry_segment_write_list(wherry_segment segment, int to, int count, const wherry_segment_piece* pieces,
                                        wherry_segment_queue queue);
wherry_status wherry_segment_read_list(wherry_segment segment, int from, int count, const wherry_segment_piece* pieces,
                                       wherry_segment_queue queue);
wherry_status wherry_segment_write_list_notify(wherry_segment segment, int to, int count,
                                               const wherry_segment_piece* pieces, int id, uint32_t value);
wherry_status wherry_segment_read_list_notify(wherry_segment segment, int from, int count,
                                              const wherry_segment_piece* pieces, int id, uint32_t value);

/** One of several notifications that are sent together. */
typedef struct wherry_segment_notice {
  int to, id;
  uint32_t value;
} wherry_segment_notice;
/** Sends several notifications, to any ranks. Those that travel by MPI overlap. */
wherry_status wherry_segment_notify_list(wherry_segment segment, int count, const wherry_segment_notice* notices);
/** @} */

/** @name Within a time
 * Each function does what the one without `_within` does, for at most `seconds`. `*done` becomes 1 if it is done, and 0
 * if it is under way: the same call continues it, and until then the data must not change.
 * @{ */
wherry_status wherry_segment_notify_within(wherry_segment segment, int to, int id, uint32_t value, double seconds,
                                           int* done);
/** `*sent` receives the number of notifications that were sent; the same call with the rest of the list continues. */
wherry_status wherry_segment_notify_list_within(wherry_segment segment, int count, const wherry_segment_notice* notices,
                                                double seconds, int* sent);
wherry_status wherry_segment_write_notify_within(wherry_segment segment, int to, int64_t at, const void* data,
                                                 int64_t bytes, int id, uint32_t value, double seconds, int* done);
wherry_status wherry_segment_read_notify_within(wherry_segment segment, int from, int64_t at, void* into, int64_t bytes,
                                                int id, uint32_t value, double seconds, int* done);
wherry_status wherry_segment_write_list_notify_within(wherry_segment segment, int to, int count,
                                                      const wherry_segment_piece* pieces, int id, uint32_t value,
                                                      double seconds, int* done);
wherry_status wherry_segment_read_list_notify_within(wherry_segment segment, int from, int count,
                                                     const wherry_segment_piece* pieces, int id, uint32_t value,
                                                     double seconds, int* done);
wherry_status wherry_segment_write_in_pieces_within(wherry_segment segment, int to, int64_t at, const void* data,
                                                    int64_t bytes, int id, double seconds, int* done);
/** `*notifying` becomes 1 if `wherry_segment_notify_within` with these arguments has run out of time and has not been
 * continued to its end. */
wherry_status wherry_segment_is_notifying(wherry_segment segment, int to, int id, uint32_t value, int* notifying);
/** @} */

/** @name Notifications that have come
 * The functions that end in `_of` are those for the notifications of any rank of this node; the first rank to take a
 * notification gets it.
 * @{ */
/** Waits for any of the notifications `first` to `first + count - 1`, and leaves it.
 * @param id receives the id of the first one that is there; -1 if none came in time */
wherry_status wherry_segment_wait_some(wherry_segment segment, int first, int count, double seconds, int* id);
/** Waits for one notification and takes it. To let the writer write again, send it a notification back.
 * @param value receives its value, 0 if it did not come in time; may be NULL */
wherry_status wherry_segment_wait(wherry_segment segment, int id, double seconds, uint32_t* value);
/** The value of a notification, which stays; 0 if there is none. */
wherry_status wherry_segment_value(wherry_segment segment, int id, uint32_t* value);
/** Takes a notification. Of several threads and ranks, one gets its value and the others get 0.
 * @param value receives its value, 0 if there is none; may be NULL */
wherry_status wherry_segment_reset(wherry_segment segment, int id, uint32_t* value);
wherry_status wherry_segment_wait_some_of(wherry_segment segment, int rank, int first, int count, double seconds,
                                          int* id);
wherry_status wherry_segment_wait_of(wherry_segment segment, int rank, int id, double seconds, uint32_t* value);
wherry_status wherry_segment_value_of(wherry_segment segment, int rank, int id, uint32_t* value);
wherry_status wherry_segment_reset_of(wherry_segment segment, int rank, int id, uint32_t* value);
/** The word that holds the value of a notification, or 0, for receivers that poll it often. Load it with acquire order.
 * If the writer reaches the data by other means than stores, the data is there only after `wherry_segment_value` has
 * returned a notification.
 * @param word receives its address, which is valid as long as the segment */
wherry_status wherry_segment_word(wherry_segment segment, int id, const volatile uint32_t** word);
/** @} */

/** @name Atomic operations
 * They change the 8-byte word at `at`, a multiple of 8, of a rank's part, atomically with respect to each other, but
 * not to plain loads and stores.
 * @param old receives the value before; may be NULL
 * @{ */
wherry_status wherry_segment_fetch_add(wherry_segment segment, int on, int64_t at, uint64_t value, uint64_t* old);
wherry_status wherry_segment_compare_swap(wherry_segment segment, int on, int64_t at, uint64_t expected,
                                          uint64_t desired, uint64_t* old);
/** `*done` becomes 0 if time has run out: the word may then have been changed or not, and the same call continues. */
wherry_status wherry_segment_fetch_add_within(wherry_segment segment, int on, int64_t at, uint64_t value,
                                              double seconds, int* done, uint64_t* old);
wherry_status wherry_segment_compare_swap_within(wherry_segment segment, int on, int64_t at, uint64_t expected,
                                                 uint64_t desired, double seconds, int* done, uint64_t* old);
/** @} */

/** Says how this rank reaches the others.
 * @param text receives a text that is valid until this thread asks for another text of this header or of notify.h */
wherry_status wherry_segment_explain(wherry_segment segment, const char** text);
/** The name in statistics and traces. */
wherry_status wherry_segment_transport(wherry_segment segment, const char** text);
/** The bytes that this rank has written and read, and the number of its notifications (as `exchanges`), if WHERRY_STATS
 * or WHERRY_TRACE was set before the segment was made. */
wherry_status wherry_segment_statistics(wherry_segment segment, wherry_statistics* result);

/** @name Queues
 * @{ */
/** Makes a queue. Local. */
wherry_status wherry_segment_queue_create(wherry_segment_queue* result);
/** Frees the handle and sets it to NULL. Writes and reads that were not waited for will be complete at some time. */
wherry_status wherry_segment_queue_free(wherry_segment_queue* queue);
/** The number of writes and reads that have not been waited for. Those that were complete at once are not counted. */
wherry_status wherry_segment_queue_size(wherry_segment_queue queue, int64_t* size);
/** Waits until all of them are complete; `*done` becomes 0 if they are not in time. */
wherry_status wherry_segment_queue_wait(wherry_segment_queue queue, double seconds, int* done);
/** Forgets all writes and reads. */
wherry_status wherry_segment_queue_purge(wherry_segment_queue queue);
/** @} */

/** @name Spaces
 * In a space each rank makes its parts of segments on its own, and ranks get to know each other's parts one by one.
 * @{ */
typedef struct wherry_segment_space_object* wherry_segment_space;
/** One rank's part of a segment in a space: plain data without pointers that is sent in any way. */
typedef struct wherry_segment_ticket {
  uint64_t words[10];
} wherry_segment_ticket;
/** Makes a space. Collective over `comm`.
 * @param name for errors; may be NULL, and may differ between ranks */
wherry_status wherry_segment_space_create(wherry_communicator comm, const char* name, wherry_segment_space* result);
/** Frees the handle and sets it to NULL. Local; segments in it stay. */
wherry_status wherry_segment_space_free(wherry_segment_space* space);
/** `*one_node` becomes 1 if all ranks share one arena, and 0 otherwise. */
wherry_status wherry_segment_space_is_one_node(wherry_segment_space space, int* one_node);
/** Makes a segment of which no rank has a part yet. Local. The options must be the same on all ranks, which is not
 * checked. */
wherry_status wherry_segment_create_in_space(wherry_segment_space space, const wherry_segment_options* options,
                                             wherry_segment* result);
/** Makes this rank's part: memory of the program's, or `bytes` bytes of zeros if `memory` is NULL. Local.
 * @param ticket receives what another rank needs for `wherry_segment_meet`
 * @return WHERRY_ERROR_STATE if this rank has a part already, or if the segment belongs to no space */
wherry_status wherry_segment_offer(wherry_segment segment, void* memory, int64_t bytes, wherry_segment_ticket* ticket);
/** Gives up this rank's part. Ranks that have met it must not use it any more. */
wherry_status wherry_segment_withdraw(wherry_segment segment);
/** Makes the part of `rank` reachable, in place of one met before, or unreachable. */
wherry_status wherry_segment_meet(wherry_segment segment, int rank, const wherry_segment_ticket* theirs);
wherry_status wherry_segment_forget(wherry_segment segment, int rank);
/** `*has` becomes 1 if this rank has a part, and 0 otherwise. */
wherry_status wherry_segment_has_part(wherry_segment segment, int* has);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
