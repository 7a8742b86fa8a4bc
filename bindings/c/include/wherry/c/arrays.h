/** @file
 * Element types, and arrays of the program's: address, element type, extents and strides.
 *
 *     int64_t extents[2] = {ny + 2, nx + 2};
 *     wherry_view a = wherry_c_array(values, WHERRY_FLOAT64, 2, extents);        // double values[ny + 2][nx + 2]
 *     wherry_view b = wherry_fortran_array(values, WHERRY_FLOAT64, 2, extents);  // the first index is the fastest
 */
#ifndef WHERRY_C_ARRAYS_H
#define WHERRY_C_ARRAYS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of dimensions of an array. */
#define WHERRY_MAX_DIMENSIONS 7

/** An element type: its kind in the upper byte, its size in bytes in the others. Ranks compare it. Types that are not
 * listed travel as `wherry_bytes(size)`, which only functions of the program's can combine. */
typedef uint32_t wherry_type;

enum {
  WHERRY_BOOL = 0x01000001,
  WHERRY_CHAR = 0x02000001,
  WHERRY_INT8 = 0x03000001,
  WHERRY_INT16 = 0x03000002,
  WHERRY_INT32 = 0x03000004,
  WHERRY_INT64 = 0x03000008,
  WHERRY_UINT8 = 0x04000001,
  WHERRY_UINT16 = 0x04000002,
  WHERRY_UINT32 = 0x04000004,
  WHERRY_UINT64 = 0x04000008,
  WHERRY_FLOAT16 = 0x05000002,
  WHERRY_FLOAT32 = 0x05000004,
  WHERRY_FLOAT64 = 0x05000008,
  WHERRY_COMPLEX64 = 0x06000008,  /**< two 4-byte numbers */
  WHERRY_COMPLEX128 = 0x06000010, /**< two 8-byte numbers */
  WHERRY_BFLOAT16 = 0x07000002
};

/** `long double`, and its complex type, whose size differs between machines. */
#define WHERRY_LONG_DOUBLE ((wherry_type)(0x05000000 + sizeof(long double)))
#define WHERRY_COMPLEX_LONG_DOUBLE ((wherry_type)(0x06000000 + 2 * sizeof(long double)))

/** The type of raw bytes, which fits every type of the same size.
 * @param size from 1 to 16,777,215 */
static inline wherry_type wherry_bytes(uint32_t size) { return size & 0xffffffu; }

/** Where the elements of an array lie. */
typedef int wherry_space;
enum {
  WHERRY_HOST = 0,  /**< memory of this process, also that of `wherry_allocate` */
  WHERRY_DEVICE = 2 /**< memory of an accelerator */
};

/** An array of the program's. Extents are numbers of elements, strides are in elements; they may be negative or leave
 * gaps. Dimensions beyond `dimensions` are ignored. */
typedef struct wherry_view {
  void* data;     /**< the element whose indices are all 0 */
  int dimensions; /**< from 1 to WHERRY_MAX_DIMENSIONS */
  int components; /**< an element consists of this many numbers of `type`, side by side; 0 means 1 */
  wherry_type type;
  wherry_space space;
  int64_t extents[WHERRY_MAX_DIMENSIONS];
  int64_t strides[WHERRY_MAX_DIMENSIONS];
} wherry_view;

/** A dense array whose last index is the fastest, as in C. Wrong arguments are found by the call that uses the view.
 * @param extents `dimensions` numbers */
wherry_view wherry_c_array(void* data, wherry_type type, int dimensions, const int64_t* extents);

/** A dense array whose first index is the fastest, as in Fortran. */
wherry_view wherry_fortran_array(void* data, wherry_type type, int dimensions, const int64_t* extents);

/** A box of index space: the points with lower[d] <= x[d] < upper[d]. It is empty if upper[d] <= lower[d] for some
 * d. */
typedef struct wherry_box {
  int dimensions;
  int64_t lower[WHERRY_MAX_DIMENSIONS];
  int64_t upper[WHERRY_MAX_DIMENSIONS];
} wherry_box;

#ifdef __cplusplus
}
#endif

#endif
