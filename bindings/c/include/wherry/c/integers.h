/** @file
 * Lists of the program's integers, of 4 or 8 bytes.
 *
 *     wherry_index_lists_create_from_ids(comm, wherry_int64s(rows, owned), wherry_int32s(externals, ghosts), &lists);
 */
#ifndef WHERRY_C_INTEGERS_H
#define WHERRY_C_INTEGERS_H

#include <stdint.h>

#include "wherry/c/arrays.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A list of integers. All 0: it is empty. */
typedef struct wherry_integers {
  const void* data; /**< `count` integers, side by side */
  int64_t count;
  wherry_type type; /**< WHERRY_INT32, WHERRY_INT64, WHERRY_UINT32 or WHERRY_UINT64 */
} wherry_integers;

/** A list of integers of 4 bytes. */
static inline wherry_integers wherry_int32s(const int32_t* data, int64_t count) {
  wherry_integers result;
  result.data = data;
  result.count = count;
  result.type = WHERRY_INT32;
  return result;
}

/** A list of integers of 8 bytes. */
static inline wherry_integers wherry_int64s(const int64_t* data, int64_t count) {
  wherry_integers result;
  result.data = data;
  result.count = count;
  result.type = WHERRY_INT64;
  return result;
}

#ifdef __cplusplus
}
#endif

#endif
