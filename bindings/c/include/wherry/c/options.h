/** @file
 * Structures of options begin with their own size, so that a program which was compiled with an older header keeps
 * working with a newer library. WHERRY_INIT sets the size, and everything else to 0, which is the default of each
 * option.
 *
 *     wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
 *     options.carry.transport = "two_sided";
 *
 * New options come behind the end of a structure. Members called `reserved` stay 0: they fill a structure to its end,
 * because a program may leave anything in bytes without a name. A structure inside of another one, as
 * wherry_carry_options, never grows.
 */
#ifndef WHERRY_C_OPTIONS_H
#define WHERRY_C_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/** The initial value of a structure of options. */
#ifdef __cplusplus
template <class Options> inline Options wherry_initial_options() {
  Options result{};
  result.struct_size = sizeof(Options);
  return result;
}
#define WHERRY_INIT(type) wherry_initial_options<type>()
extern "C" {
#else
#define WHERRY_INIT(type) {.struct_size = sizeof(type)}
#endif

/** How the data of an exchange travels. The same on all ranks except for `threads` and `name`. Part of the options of
 * each pattern. (C++: `carry_options`, wherry/transport/exchange.hpp.) */
typedef struct wherry_carry_options {
  const char* transport; /**< the name of a transport; NULL: "auto" */
  int snapshot;          /**< not 0: `start` copies what is sent, which may then be written at once */
  int progress_thread;   /**< not 0: a thread carries the exchange; wants MPI_THREAD_MULTIPLE */
  int free_buffers;      /**< not 0: memory for messages is freed after each exchange */
  int64_t packet_bytes;  /**< larger messages are cut into packets of this size; 0: none are */
  int threads;           /**< number of threads that pack large messages; 0 or 1: the caller alone */
  const char* name;      /**< for errors, statistics and traces; may be NULL */
} wherry_carry_options;

#ifdef __cplusplus
}
#endif

#endif
