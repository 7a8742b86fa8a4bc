/** @file
 * Particles: each goes to the rank whose part of the space it is in, and has copies on other ranks, which are its
 * ghosts (C++: wherry/particles/particles.hpp).
 *
 *     wherry_particle_space space = {.dimensions = 3, .upper = {1, 1, 1}};
 *     wherry_particle_exchange_create(grid, NULL, &space, NULL, &migrate);
 *     wherry_particle_array p[4];                                 // x, y, z and a number
 *     for (int i = 0; i < 3; ++i) p[i] = wherry_growing_array(WHERRY_FLOAT64, 1);
 *     p[3] = wherry_growing_array(WHERRY_INT64, 1);
 *     ...
 *     wherry_particle_exchange_run(migrate, NULL, 4, p, NULL);     // p[0].count particles are here now
 */
#ifndef WHERRY_C_PARTICLES_H
#define WHERRY_C_PARTICLES_H

#include <stdint.h>
#include <string.h>

#include "wherry/c/arrays.h"
#include "wherry/c/boxes.h"
#include "wherry/c/communicator.h"
#include "wherry/c/floor_plans.h"
#include "wherry/c/grid.h"
#include "wherry/c/integers.h"
#include "wherry/c/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of dimensions of a space. */
#define WHERRY_MAX_PARTICLE_DIMENSIONS 3

/** Moves particles to their owners, any number of times. */
typedef struct wherry_particle_exchange_object* wherry_particle_exchange;
/** The ghosts of the particles of an exchange: copies of the particles of other ranks, and of periodic images, that are
 * within a cut-off of this rank's part of the space. */
typedef struct wherry_ghost_particles_object* wherry_ghost_particles;

/** The fractions of a position along the sides of a space; see `wherry_particle_space`. The function must not call
 * Wherry with an object of the call. */
typedef void (*wherry_fractions_function)(const double* position, double* fractions, void* context);

/** The space in which particles move, in the unit of the positions. A position is in it if `lower[d] <= x[d] <
 * upper[d]` along each dimension d. The process grid, or the domain of the floor plan, says in which dimensions the
 * space is periodic. */
typedef struct wherry_particle_space {
  int dimensions; /**< from 1 to WHERRY_MAX_PARTICLE_DIMENSIONS */
  double lower[WHERRY_MAX_PARTICLE_DIMENSIONS], upper[WHERRY_MAX_PARTICLE_DIMENSIONS];
  /** For a space whose sides are not parallel to the axes: the vectors from the corner `lower` along the sides. The
   * space is then every position lower + f[0] edges[0] + f[1] edges[1] + ... with 0 <= f[d] < 1, and `upper` is not
   * read. All 0: the sides are parallel to the axes. */
  double edges[WHERRY_MAX_PARTICLE_DIMENSIONS][WHERRY_MAX_PARTICLE_DIMENSIONS];
  /** A function that gives the fractions f of a position, for spaces that the members above do not describe, or NULL.
   * All ranks have the same function. It must not call Wherry, and must live as long as the exchange. */
  wherry_fractions_function fractions;
  void* context; /**< handed to `fractions` */
} wherry_particle_space;

/** The order of the particles after a move. It depends on the particles only, not on time. */
typedef int wherry_particle_order;
enum {
  /** Particles that arrive fill the places of those that have left, and then places at the end. If more have left than
   * arrive, the last particles fill the other places. */
  WHERRY_PARTICLES_FILL_HOLES = 0,
  /** Particles that stay keep their order; those that arrive come behind them, ordered by the rank that sent them and
   * by their index there. */
  WHERRY_PARTICLES_STABLE = 1
};

/** Options of a particle exchange, the same on all ranks. */
typedef struct wherry_particle_options {
  size_t struct_size;
  wherry_particle_order order;
  /** Not 0: no particle moves further than to a rank whose cells touch this rank's. Messages then go to these ranks
   * only, and a particle that moves further is an error, of which only they hear. */
  int neighbors_only;
  const char* algorithm; /**< of the sparse exchange by which particles travel; NULL: "auto" */
} wherry_particle_options;

/** Makes an exchange in which particles belong to the rank of a process grid that owns their cell. Collective over the
 * grid's communicator.
 * @param cells the number of cells along each dimension of the space, at least 1; NULL: the ranks along each dimension
 *        of the grid divide the space evenly
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for a space without volume, or cells that the grid cannot divide;
 *         WHERRY_ERROR_MISMATCH if arguments differ between ranks */
wherry_status wherry_particle_exchange_create(wherry_process_grid grid, const int64_t* cells,
                                              const wherry_particle_space* space,
                                              const wherry_particle_options* options, wherry_particle_exchange* result);
/** Makes an exchange in which particles belong to the rank that owns the first box of a floor plan that contains their
 * cell. Collective over `comm`.
 * @param plan a plan of at most 3 dimensions; the same boxes on all ranks, unless it is partial
 * @param cells the cells that divide the space evenly, and in which dimensions it is periodic
 * @param options may be NULL
 * @return as `wherry_particle_exchange_create` */
wherry_status wherry_particle_exchange_create_on_plan(wherry_communicator comm, wherry_floor_plan plan,
                                                      const wherry_domain* cells, const wherry_particle_space* space,
                                                      const wherry_particle_options* options,
                                                      wherry_particle_exchange* result);
/** Makes an exchange without a space: each move names the ranks to which particles go. Collective over `comm`. */
wherry_status wherry_particle_exchange_create_by_owner(wherry_communicator comm, const wherry_particle_options* options,
                                                       wherry_particle_exchange* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. A move under way goes on by itself: other ranks get
 * what this one gave, and this rank's arrays stay as they are. */
wherry_status wherry_particle_exchange_free(wherry_particle_exchange* exchange);

/** Gives an array more memory. The function must not call Wherry with an object of the call.
 * @param data the memory that it has, perhaps NULL
 * @param bytes the size that it must have
 * @return the memory, with the contents of the old one, which is freed; or NULL if there is none, and then the old
 *         memory stays */
typedef void* (*wherry_grow_function)(void* data, size_t bytes, void* context);
/** A `wherry_grow_function` that calls `realloc`. */
void* wherry_reallocate(void* data, size_t bytes, void* context);

/** The meaning of the elements of an array of particles. */
typedef int wherry_array_role;
enum {
  WHERRY_ONE_EACH = 0, /**< element i belongs to particle i */
  /** Element i is the number of values of particle i in the next array; an integer of 4 or 8 bytes. */
  WHERRY_LENGTHS = 1,
  WHERRY_VALUES = 2 /**< the values of all particles, one particle behind the other */
};

/** An array of the program's with an element for each particle, which becomes longer and shorter as particles come and
 * go. Wherry writes `data`, `count` and `capacity`. */
typedef struct wherry_particle_array {
  void* data;       /**< `count` elements, side by side */
  int64_t count;    /**< number of elements */
  int64_t capacity; /**< number of elements for which there is memory */
  wherry_type type; /**< of the numbers in an element; wherry_bytes(sizeof(particle)) for structures */
  int components;   /**< an element consists of this many numbers of `type`; 0 means 1 */
  wherry_array_role role;
  wherry_grow_function grow; /**< called if `capacity` is too small; NULL: the memory does not grow */
  void* context;             /**< handed to `grow` */
  /** For ghosts, of an array of structures: the one member that is filled or summed. `member_type` 0: all of it. Moves
   * do not read this. */
  size_t member_offset;
  wherry_type member_type;
  int member_components;
} wherry_particle_array;

/** An empty array that grows by `realloc`; the program frees its `data` with `free`. */
static inline wherry_particle_array wherry_growing_array(wherry_type type, int components) {
  wherry_particle_array result;
  memset(&result, 0, sizeof result);
  result.type = type;
  result.components = components;
  result.grow = wherry_reallocate;
  return result;
}

/** Where the positions of particles are, which are of the type WHERRY_FLOAT32 or WHERRY_FLOAT64. All 0: each of the
 * first arrays has one coordinate; or the first array has as many components as the space has dimensions, which are the
 * coordinates. */
typedef struct wherry_positions {
  int in_structures; /**< not 0: coordinate d is in the structures of the first array, at `offsets[d]` */
  wherry_type type;  /**< of a coordinate in a structure: WHERRY_FLOAT32 or WHERRY_FLOAT64 */
  size_t offsets[WHERRY_MAX_PARTICLE_DIMENSIONS]; /**< in bytes from the beginning of the structure */
} wherry_positions;

/** The rule that says to which rank a particle belongs. */
typedef int wherry_belonging;
enum {
  WHERRY_BY_POSITION = 0, /**< its position; one beyond a periodic edge is corrected by whole periods */
  WHERRY_BY_OWNER = 1,    /**< a list of ranks, or a function */
  WHERRY_BY_CELL = 2      /**< a list of cells, or a function; the owner of the cell is that of the particle */
};
/** The rank to which a particle belongs. The function must not call Wherry with an object of the call. */
typedef int (*wherry_owner_function)(int64_t particle, void* context);
/** The cell of a particle: one integer for each dimension of the space. The function must not call Wherry with an
 * object of the call. */
typedef void (*wherry_cell_function)(int64_t particle, int64_t* cell, void* context);

/** How a move finds out to which rank each particle belongs. Its lists may be changed when the call that
 * runs or starts the move returns. */
typedef struct wherry_particle_choice {
  size_t struct_size;
  wherry_belonging by;
  wherry_positions positions;     /**< with WHERRY_BY_POSITION */
  const int* owners;              /**< with WHERRY_BY_OWNER: a rank for each particle, or `owner_of` */
  wherry_owner_function owner_of; /**< must be NULL if `owners` is given */
  const int64_t* cells;           /**< with WHERRY_BY_CELL: as many integers for each particle as the space has
                                       dimensions, or `cell_of` */
  wherry_cell_function cell_of;   /**< must be NULL if `cells` is given */
  int64_t list_count;             /**< number of particles for which `owners` or `cells` has an entry */
  void* context;                  /**< handed to the functions */
  /** The particles that may have left; no other particle is looked at. A list of indices of 4 or 8 bytes; or a mask of
   * type WHERRY_INT8, WHERRY_UINT8 or WHERRY_BOOL, which has an element for each particle that is not 0 where the
   * particle may have left. All 0: all particles are looked at. */
  wherry_integers leavers;
} wherry_particle_choice;

/** The result of a move, on this rank. */
typedef struct wherry_particle_move {
  int64_t left, arrived;
  int64_t count; /**< the particles that this rank has now */
} wherry_particle_move;

/** Moves the particles in these arrays to their owners. Collective. All arrays have an element for each particle,
 * except for those with WHERRY_VALUES.
 * @param choice may be NULL: by position
 * @param arrays the same types in the same order on all ranks
 * @param result may be NULL
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike if arrays of a rank have different lengths, another argument is
 *         wrong, or a particle has a position that is no number or that nobody owns; WHERRY_ERROR_MISMATCH on all ranks
 *         alike if ranks give arrays of different types. Nothing has moved then. WHERRY_ERROR_TIMEOUT and
 *         WHERRY_ERROR_RESOURCE as `wherry_particle_exchange_wait`, which goes on */
wherry_status wherry_particle_exchange_run(wherry_particle_exchange exchange, const wherry_particle_choice* choice,
                                           int array_count, wherry_particle_array* arrays,
                                           wherry_particle_move* result);
/** Starts a move: packs the particles that leave, and sends them. Until `wherry_particle_exchange_wait` returns, the
 * structures in `arrays` must stay where they are, and the arrays keep their lengths; values may be written, but not
 * positions, lengths, nor the values of particles that leave. A wrong argument is an error of the wait, on all ranks.
 * @return WHERRY_ERROR_STATE on this rank if a move is under way */
wherry_status wherry_particle_exchange_start(wherry_particle_exchange exchange, const wherry_particle_choice* choice,
                                             int array_count, wherry_particle_array* arrays);
/** Makes progress. `*done` becomes 1 if the move would end at once, else 0. Local. */
wherry_status wherry_particle_exchange_test(wherry_particle_exchange exchange, int* done);
/** Ends the move: waits for the particles that come, and puts them into the arrays.
 * @param result may be NULL
 * @return as `wherry_particle_exchange_run`; WHERRY_ERROR_TIMEOUT if a rank does not come, and then the call may be
 *         repeated; WHERRY_ERROR_RESOURCE if an array cannot hold the particles: if the text says so, the arrays are as
 *         before, and the call may be repeated when they have more room */
wherry_status wherry_particle_exchange_wait(wherry_particle_exchange exchange, wherry_particle_move* result);

/** For each particle that this rank has after the last move: its index before the move, or -1 - k for the k-th that
 * arrived. Local.
 * @param order receives a list of the handle's, valid until the next call of this function for it, or its end */
wherry_status wherry_particle_exchange_permutation(wherry_particle_exchange exchange, const int64_t** order,
                                                   int64_t* count);
/** The ranks to which particles may go by `neighbors_only`, in ascending order. Local.
 * @param ranks receives a list of the handle's, valid until the next call of this function for it, or its end */
wherry_status wherry_particle_exchange_neighbors(wherry_particle_exchange exchange, const int** ranks, int* count);
/** The rank that owns a position, which may be beyond a periodic edge; -1 if there is none. Local. */
wherry_status wherry_particle_exchange_owner_of(wherry_particle_exchange exchange, const double* position, int* rank);
/** The cell of a position, which may be beyond a periodic edge, by the same bounds by which particles move. Local.
 * @param cell receives one integer for each dimension
 * @return WHERRY_ERROR_ARGUMENT for a position that is outside the space or no number */
wherry_status wherry_particle_exchange_cell_of(wherry_particle_exchange exchange, const double* position,
                                               int64_t* cell);

/** Options of ghost particles. */
typedef struct wherry_ghost_particle_options {
  size_t struct_size;
  wherry_carry_options carry;
} wherry_ghost_particle_options;

/** Makes ghosts, and finds the ranks within the cut-off. Collective over the exchange's communicator. A particle has a
 * ghost on each rank that has a part of the space within the cut-off, and one for each periodic image of it that is
 * within the cut-off, also on its own rank. Ghosts are ordered by the rank that owns them, then by their image, then by
 * their index there.
 * @param cutoff a distance in the unit of the positions, the same on all ranks
 * @param options may be NULL
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for a cut-off that is negative, no number, or so long that a
 * particle would have more than 100,000 images, and for an exchange without a space */
wherry_status wherry_ghost_particles_create(wherry_particle_exchange exchange, double cutoff,
                                            const wherry_ghost_particle_options* options,
                                            wherry_ghost_particles* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_ghost_particles_free(wherry_ghost_particles* ghosts);

/** Finds the particles that have ghosts, lengthens the arrays by the ghosts of this rank, and fills them. The arrays
 * have one element for each particle of this rank when it is called, as after a move. Collective.
 * @param positions may be NULL: as a structure that is all 0
 * @param arrays the positions first; the same types in the same order on all ranks
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for a wrong argument of any rank, or a particle that is not in its
 *         rank's part of the space; WHERRY_ERROR_STATE if arrays still have their ghosts; WHERRY_ERROR_RESOURCE if an
 *         array of any rank cannot hold its ghosts. The arrays and the plan before are then as they were */
wherry_status wherry_ghost_particles_plan(wherry_ghost_particles ghosts, const wherry_positions* positions,
                                          int array_count, wherry_particle_array* arrays);
/** The number of particles of this rank, and of their ghosts, which follow them in the arrays. Local; each pointer may
 * be NULL. */
wherry_status wherry_ghost_particles_count(wherry_ghost_particles ghosts, int64_t* owned, int64_t* count);
/** The rank that owns ghost k, counted from 0. Local. */
wherry_status wherry_ghost_particles_owner_of(wherry_ghost_particles ghosts, int64_t k, int* rank);

/** Fills the ghosts of arrays with the values of their owners. The arrays have an element for each particle and each
 * ghost. Collective when arrays of these types are filled for the first time after the plan; later calls are local to
 * start.
 * @return WHERRY_ERROR_STATE on this rank if particles have moved since the plan; WHERRY_ERROR_ARGUMENT on this rank
 * for a wrong argument; others as `wherry_exchange_wait` */
wherry_status wherry_ghost_particles_fill(wherry_ghost_particles ghosts, int array_count,
                                          wherry_particle_array* arrays);
/** The same for arrays of which the first have positions, which are shifted by the periods of their images. Of
 * structures, only the positions are filled. @param positions may be NULL: as a structure that is all 0 */
wherry_status wherry_ghost_particles_fill_positions(wherry_ghost_particles ghosts, const wherry_positions* positions,
                                                    int array_count, wherry_particle_array* arrays);
/** Adds the values of ghosts to those of their owners, in a fixed order. The ghosts keep their values. In all other
 * respects it is like `wherry_ghost_particles_fill`. */
wherry_status wherry_ghost_particles_sum_back(wherry_ghost_particles ghosts, int array_count,
                                              wherry_particle_array* arrays);
/** The same, started: the arrays must stay where they are until the wait returns. */
wherry_status wherry_ghost_particles_start_fill(wherry_ghost_particles ghosts, int array_count,
                                                wherry_particle_array* arrays);
wherry_status wherry_ghost_particles_start_fill_positions(wherry_ghost_particles ghosts,
                                                          const wherry_positions* positions, int array_count,
                                                          wherry_particle_array* arrays);
wherry_status wherry_ghost_particles_start_sum_back(wherry_ghost_particles ghosts, int array_count,
                                                    wherry_particle_array* arrays);
/** Makes progress. `*done` becomes 1 if the exchange that was started has ended, or if none was started, else 0. */
wherry_status wherry_ghost_particles_test(wherry_ghost_particles ghosts, int* done);
/** Ends the exchange that was started.
 * @return as `wherry_exchange_wait`; WHERRY_ERROR_STATE if nothing was started */
wherry_status wherry_ghost_particles_wait(wherry_ghost_particles ghosts);

/** Gives arrays, such as those of forces, an element for each particle of this rank and each ghost. Local. */
wherry_status wherry_ghost_particles_resize(wherry_ghost_particles ghosts, int array_count,
                                            wherry_particle_array* arrays);
/** Shortens the arrays to this rank's own particles, before the next move. Local. */
wherry_status wherry_ghost_particles_drop(wherry_ghost_particles ghosts, int array_count,
                                          wherry_particle_array* arrays);

#ifdef __cplusplus
}
#endif

#endif
