/** @file
 * Operations that combine an element with one that arrives for it.
 *
 *     options.update.operation = WHERRY_ADD;
 *
 *     static int keep_larger(void *into, const void *from, size_t count, void *context) { ... return 0; }
 *     options.update.function = keep_larger;
 *     options.update.name = "keep_larger";
 *     options.update.type = WHERRY_FLOAT64;
 */
#ifndef WHERRY_C_REDUCTION_H
#define WHERRY_C_REDUCTION_H

#include <stddef.h>

#include "wherry/c/arrays.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operations that are known for numbers of every type for which they have a meaning. */
typedef int wherry_operation;
enum {
  WHERRY_NO_OPERATION = 0, /**< arriving elements are stored */
  WHERRY_ADD = 1,
  WHERRY_MULTIPLY = 2,
  WHERRY_MINIMUM = 3, /**< as `minimum` of IEEE 754-2019: a NaN stays one, -0 is less than +0 */
  WHERRY_MAXIMUM = 4,
  WHERRY_BIT_AND = 5,
  WHERRY_BIT_OR = 6,
  WHERRY_BIT_XOR = 7,
  WHERRY_LOGICAL_AND = 8,
  WHERRY_LOGICAL_OR = 9
};

/** A function of the program's: into[i] = into[i] (op) from[i] for `count` numbers of the type in `wherry_reduction`.
 * An element with several components is that many numbers; to combine whole structures give the arrays and the
 * reduction the type `wherry_bytes(sizeof x)`. The two arrays never overlap. The function must not call Wherry. It may
 * be called by any thread that is in a call of Wherry.
 * @return 0, or any other number: then the call in which it ran returns WHERRY_ERROR_RESOURCE, and the exchange is
 *         given up on this rank */
typedef int (*wherry_combine_function)(void* into, const void* from, size_t count, void* context);

/** How elements are combined: a known operation, or a function of the program's. All 0: they are stored. */
typedef struct wherry_reduction {
  wherry_operation operation;
  wherry_combine_function function; /**< must be NULL if `operation` is given */
  void* context;                    /**< handed to `function`; must live as long as what was made with it */
  const char* name;                 /**< of `function`, by which ranks compare it; the same on all ranks */
  wherry_type type;                 /**< of the elements that `function` combines, which all arrays must have */
} wherry_reduction;

#ifdef __cplusplus
}
#endif

#endif
