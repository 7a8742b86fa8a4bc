/** @file
 * Deep copies: sends, broadcasts, saves and loads structures together with all that their pointers lead to (C++:
 * wherry/deep; docs/deep.md). C has no description of its structures, so the program gives a table of their pointers.
 *
 *     typedef struct node { char* name; int n; double* values; struct node* next; } node;
 *
 *     static const wherry_deep_type node_type;
 *     static const wherry_deep_pointer node_pointers[] = {
 *         {.offset = offsetof(node, name), .kind = WHERRY_POINTS_TO_TEXT},
 *         {.offset = offsetof(node, values), .element_bytes = sizeof(double),
 *          .count_offset = offsetof(node, n), .count_bytes = sizeof(int)},
 *         {.offset = offsetof(node, next), .target = &node_type}};
 *     static const wherry_deep_type node_type = {"node", sizeof(node), 3, node_pointers};
 *
 *     node* list = NULL;                                         // filled on rank 0
 *     wherry_deep_bcast(comm, &node_type, (void**)&list, NULL, 0, NULL);
 *     ...
 *     wherry_deep_free(&node_type, (void**)&list, 1, NULL);
 *
 * Each array that a pointer leads to is allocated by itself, with `malloc` or a function of the program's, and can be
 * freed by itself. A structure is packed as a whole before it travels. Lists and trees may be as long and as deep as
 * memory allows. A copy goes between programs of one machine type: bytes travel as they are.
 */
#ifndef WHERRY_C_DEEP_H
#define WHERRY_C_DEEP_H

#include <stddef.h>
#include <stdint.h>

#include "wherry/c/communicator.h"
#include "wherry/c/options.h"
#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The meaning of a pointer. Null pointers of all kinds stay null. */
typedef int wherry_pointer_kind;
enum {
  WHERRY_OWNS = 0,   /**< to an array that no other described pointer leads to */
  WHERRY_SHARES = 1, /**< to an array that several pointers may lead to, all to its first element: graphs, parents,
                        and cycles back to the root */
  WHERRY_POINTS_TO_TEXT = 2, /**< to characters of its own that end with 0 */
  WHERRY_POINTS_INTO = 3,    /**< into the array of another pointer of the same structure, or to its end */
  WHERRY_FORGETS = 4         /**< does not travel: it is null in the copy */
};

typedef struct wherry_deep_type wherry_deep_type;

/** A pointer of a structure. A member that is left out is 0. The integer that says how many elements there are is read
 * as signed: an unsigned one must not exceed the largest signed number of its size. */
typedef struct wherry_deep_pointer {
  size_t offset; /**< of the pointer in the structure, also of a pointer inside of a nested structure or array */
  wherry_pointer_kind kind;
  const wherry_deep_type* target; /**< the structures that it points to; NULL if these have no pointers, for text, and
                                     for WHERRY_POINTS_INTO */
  size_t element_bytes;           /**< the size of an element if `target` is NULL; of WHERRY_POINTS_INTO always */
  int64_t count;                  /**< number of elements, if no member says it; 0 means 1 */
  size_t count_offset;            /**< of an integer of the structure that says how many elements there are ... */
  size_t count_bytes;             /**< ... and its size: 1, 2, 4 or 8 bytes; 0: no member says it */
  size_t base_offset;             /**< for WHERRY_POINTS_INTO: of the pointer to the array, which is described before */
} wherry_deep_pointer;

/** A structure. The table must stay as it is during a call; ranks compare it. An array of pointers consists of
 * structures of the size of a pointer, with one pointer at the offset 0. */
struct wherry_deep_type {
  const char* name;
  size_t size;
  int pointer_count;
  const wherry_deep_pointer* pointers;
};

/** Options of deep copies. */
typedef struct wherry_deep_options {
  size_t struct_size;
  int tag; /**< distinguishes messages between two ranks; from 0 to 12,287 with every MPI */
  /** Allocates an array of `bytes` > 0 bytes for a copy, or returns NULL; NULL: malloc. Used with `release`. */
  void* (*allocate)(size_t bytes, void* context);
  void (*release)(void* memory, void* context); /**< frees an array; NULL: free */
  void* context;                                /**< handed to both */
  int no_sync; /**< files: not 0 if a file need not survive a crash of the machine, but only the program's end */
  int reserved;
} wherry_deep_options;

/** Sends `count` structures at `root` to rank `to`, which receives them; no other rank takes part. They may be changed
 * once this returns. The call may wait for the receiver, as MPI_Send may.
 * @param options may be NULL
 * @return WHERRY_ERROR_ARGUMENT for a wrong table, a negative count, or an array that two pointers own. The receiver
 *         gets WHERRY_ERROR_MISMATCH with the reason then */
wherry_status wherry_deep_send(wherry_communicator comm, const wherry_deep_type* type, const void* root, int64_t count,
                               int to, const wherry_deep_options* options);
/** Receives structures from a rank that sends them.
 * @param root must lead to NULL, and receives the address of an array, which `wherry_deep_free` frees; NULL if there
 * are no structures, and after an error
 * @param count receives the number of structures; may be NULL if there is to be one or none
 * @param from a rank, or MPI_ANY_SOURCE
 * @param source receives the sender; may be NULL
 * @return WHERRY_ERROR_MISMATCH if what arrives has another type, or another number where `count` is NULL */
wherry_status wherry_deep_receive(wherry_communicator comm, const wherry_deep_type* type, void** root, int64_t* count,
                                  int from, int* source, const wherry_deep_options* options);
/** Copies the structures of rank `from` to all ranks. Collective over `comm`.
 * @param root on rank `from` leads to the structures; on others as for `wherry_deep_receive`
 * @param count on rank `from` their number, on others receives it; NULL on all ranks if there is one, or none, for
 *        which `*root` is NULL
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike before anything is sent */
wherry_status wherry_deep_bcast(wherry_communicator comm, const wherry_deep_type* type, void** root, int64_t* count,
                                int from, const wherry_deep_options* options);

/** Writes structures to a file, which appears under its name when it is complete. Local.
 * @return WHERRY_ERROR_ARGUMENT for a path that cannot be written, WHERRY_ERROR_RESOURCE for a full disk */
wherry_status wherry_deep_write(const char* path, const wherry_deep_type* type, const void* root, int64_t count,
                                const wherry_deep_options* options);
/** Reads structures from a file as `wherry_deep_receive` does. Local. Nothing in the file is trusted.
 * @return WHERRY_ERROR_ARGUMENT for a file that does not exist, or is damaged; WHERRY_ERROR_MISMATCH for another type
 */
wherry_status wherry_deep_read(const char* path, const wherry_deep_type* type, void** root, int64_t* count,
                               const wherry_deep_options* options);

/** Packs structures into bytes, for ways of the program's own. Local.
 * @param bytes receives the address of memory that the program frees, with `free` or its own `release`
 * @param size receives their number */
wherry_status wherry_deep_pack(const wherry_deep_type* type, const void* root, int64_t count, void** bytes,
                               int64_t* size, const wherry_deep_options* options);
/** Makes structures from packed bytes, as `wherry_deep_receive` does. Local. Nothing in them is trusted. */
wherry_status wherry_deep_unpack(const wherry_deep_type* type, const void* bytes, int64_t size, void** root,
                                 int64_t* count, const wherry_deep_options* options);

/** Frees `count` structures at `*root` and all that they lead to, each array once, and sets `*root` to NULL; NULL is
 * left so. Local. Pointers of the kind WHERRY_FORGETS are not followed. */
wherry_status wherry_deep_free(const wherry_deep_type* type, void** root, int64_t count,
                               const wherry_deep_options* options);

#ifdef __cplusplus
}
#endif

#endif
