/** @file
 * Exchanges: whatever was planned and bound once and runs any number of times. Halo exchanges, index exchanges and
 * movers are of this type, and are used in the same way.
 *
 *     wherry_exchange_start(fill);
 *     // compute what reads no halo
 *     wherry_exchange_wait(fill);
 */
#ifndef WHERRY_C_EXCHANGE_H
#define WHERRY_C_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wherry_exchange_object* wherry_exchange;

/** Waits for an exchange in flight, frees the handle, and sets it to NULL; NULL is left so. Local, at any time. After
 * `wherry_exchange_wait` or `wherry_exchange_test` has failed, the exchange is given up instead. */
wherry_status wherry_exchange_free(wherry_exchange* exchange);

/** Begins the exchange, in the arrays of the last `wherry_exchange_start_with`, or if there was none in those with
 * which it was made. Does not block. Each rank calls it as often as its peers do. Until the exchange is complete, what
 * is sent must not be written, and what is received must not be read.
 * @return WHERRY_ERROR_STATE if it was started and is not complete */
wherry_status wherry_exchange_start(wherry_exchange exchange);
/** Begins it with other memory of the same shape, for example the second of two buffers.
 * @param count the number of arrays with which the exchange was made
 * @param arrays the address of each; Wherry cannot check the shape of what lies there */
wherry_status wherry_exchange_start_with(wherry_exchange exchange, int count, void* const* arrays);
/** Makes progress. `*done` becomes 1 if the exchange is complete, else 0. */
wherry_status wherry_exchange_test(wherry_exchange exchange, int* done);
/** Returns when the exchange is complete.
 * @return WHERRY_ERROR_TIMEOUT if a peer did not arrive within WHERRY_TIMEOUT; the call may be repeated, or the
 * exchange abandoned */
wherry_status wherry_exchange_wait(wherry_exchange exchange);
/** `wherry_exchange_start` and `wherry_exchange_wait`. */
wherry_status wherry_exchange_run(wherry_exchange exchange);
/** Waits until data from some more ranks has arrived.
 * @param ranks receives these ranks, in memory of the exchange that is valid until its next call
 * @param count their number; 0: the exchange is complete */
wherry_status wherry_exchange_wait_some(wherry_exchange exchange, const int** ranks, int* count);
/** Gives up an exchange in flight: the arrays belong to the program again, and some of what this rank was to receive is
 * missing. Its peers get what this rank has sent, and complete. The handle can then only be freed. */
wherry_status wherry_exchange_abandon(wherry_exchange exchange);

/** Begins the exchange, and sends each of the parts that its options name when it is ready. */
wherry_status wherry_exchange_start_in_parts(wherry_exchange exchange);
/** The same with other memory of the same shape; see `wherry_exchange_start_with`. */
wherry_status wherry_exchange_start_in_parts_with(wherry_exchange exchange, int count, void* const* arrays);
/** Says that a part has been computed. Any thread may call it, once a part and start. */
wherry_status wherry_exchange_ready(wherry_exchange exchange, int part);

/** The amounts that the exchange has moved on this rank since it was made. */
typedef struct wherry_statistics {
  uint64_t exchanges;
  int64_t bytes_sent, bytes_received, bytes_copied;
  double seconds_waiting; /**< measured only with WHERRY_STATS or WHERRY_TRACE */
  double seconds_copying; /**< by published layouts, and `wherry_segment_copy_out`; measured likewise */
} wherry_statistics;
wherry_status wherry_exchange_statistics(wherry_exchange exchange, wherry_statistics* result);

/** The plan of this rank as a table that people can read: peers, bytes, blocks, transport. Local.
 * @param text receives a text of the exchange, valid until the next call of this function for it, or its end */
wherry_status wherry_exchange_explain(wherry_exchange exchange, const char** text);
/** The same as JSON. */
wherry_status wherry_exchange_to_json(wherry_exchange exchange, const char** text);
/** The name of the transport, or of the two that share the work. */
wherry_status wherry_exchange_transport(wherry_exchange exchange, const char** text);

#ifdef __cplusplus
}
#endif

#endif
