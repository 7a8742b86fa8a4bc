/** @file
 * Array files: an x-array, or many of them, in one file, written and read by all ranks together, on any number of ranks
 * and with any floor plan (C++: wherry/blocks/array_file.hpp, array_series.hpp).
 *
 *     wherry_write_array("field.wherry", u, NULL, NULL);
 *     wherry_read_array("field.wherry", again, NULL, NULL, NULL);
 *
 * A write either completes or leaves the previous file as it was. A checksum covers every byte, and a reader verifies
 * it.
 */
#ifndef WHERRY_C_ARRAY_FILE_H
#define WHERRY_C_ARRAY_FILE_H

#include <mpi.h>
#include <stdint.h>

#include "wherry/c/boxes.h"
#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/floor_plans.h"
#include "wherry/c/options.h"
#include "wherry/c/x_arrays.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Options for writing and reading files, the same on all ranks. */
typedef struct wherry_array_file_options {
  size_t struct_size;
  /** The name of the element type in the file, at most 103 bytes, which a reader must give, too. NULL: "float64" and
   * so on; "float64[3]" for elements of 3 numbers, "bytes[24]" for raw bytes. */
  const char* type;
  int snapshot;          /**< for writing, not 0: the array is copied at the start and may then be changed */
  int64_t buffer_bytes;  /**< size of a rank's transfer buffer; 0: 64 MiB */
  int64_t piece;         /**< for writing: about how many bytes share a checksum; 0: 1 MiB */
  const MPI_Info* hints; /**< for MPI_File_open; NULL: none */
} wherry_array_file_options;

/** Writes the boxes of an x-array without their ghost cells. Returns when the file is on the disk under its name.
 * Collective over the array's communicator.
 * @param section only these cells, the same on all ranks; NULL: all
 * @param options may be NULL
 * @return the same error on all ranks; a previous file of that name is then unchanged */
wherry_status wherry_write_array(const char* path, wherry_x_array array, const wherry_box* section,
                                 const wherry_array_file_options* options);
/** Fills those cells of an x-array that are in the file. Ghost cells, and cells that the file does not have, are not
 * changed. Collective over the array's communicator.
 * @param section only these cells, the same on all ranks; NULL: all
 * @param options may be NULL
 * @param filled receives the number of cells that were filled on all ranks together; may be NULL
 * @return the same error on all ranks for a file that does not exist, is damaged, or has another type, or another
 *         number of components or dimensions */
wherry_status wherry_read_array(const char* path, wherry_x_array array, const wherry_box* section,
                                const wherry_array_file_options* options, int64_t* filled);

/** The description of an array in its file. */
typedef struct wherry_array_file_description {
  int dimensions, components, boxes;
  int64_t element; /**< bytes of an element */
  int64_t bytes;   /**< of the file, or of the array's part of a series */
  char type[104];  /**< the name of the element type */
} wherry_array_file_description;
/** Reads the description of a file. Collective over `comm`. */
wherry_status wherry_describe_array_file(wherry_communicator comm, const char* path,
                                         wherry_array_file_description* result);
/** Reads the boxes of a file as a floor plan. They are assigned to the ranks in the order of the file, so that each
 * rank has about the same number of bytes. Collective over `comm`. */
wherry_status wherry_read_floor_plan(wherry_communicator comm, const char* path, wherry_floor_plan* result);

/** An open file of many arrays, each under a name and a step. */
typedef struct wherry_array_series_object* wherry_array_series;

/** Opens a file, or creates it if it does not exist. Collective over `comm`.
 * @param result receives the handle; NULL after an error */
wherry_status wherry_array_series_create(wherry_communicator comm, const char* path, wherry_array_series* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_array_series_free(wherry_array_series* series);
/** Adds an array to the file. Collective over the communicator of the series, which is also the array's.
 * @param section NULL: all cells
 * @return WHERRY_ERROR_ARGUMENT if the file has this name and step already; WHERRY_ERROR_STATE while another array is
 *         being written, or if the file was changed after it was opened */
wherry_status wherry_array_series_write(wherry_array_series series, const char* name, int64_t step,
                                        wherry_x_array array, const wherry_box* section,
                                        const wherry_array_file_options* options);
/** Fills those cells of an x-array that are in the file under this name and step, as wherry_read_array does.
 * Collective over the array's communicator. */
wherry_status wherry_array_series_read(wherry_array_series series, const char* name, int64_t step, wherry_x_array array,
                                       const wherry_box* section, const wherry_array_file_options* options,
                                       int64_t* filled);
/** One array of a series. */
typedef struct wherry_array_series_entry {
  const char* name; /**< memory of the series, valid until its next write, or its end */
  int64_t step;
  int64_t begin, bytes; /**< where the array lies in the file */
} wherry_array_series_entry;
/** The number of arrays. Local. */
wherry_status wherry_array_series_size(wherry_array_series series, int64_t* size);
/** One array, in the order of the file. Local. @param index from 0 */
wherry_status wherry_array_series_get(wherry_array_series series, int64_t index, wherry_array_series_entry* result);
/** The steps under which the file has an array of this name, in the order of the file. Local.
 * @param capacity the most steps that are written to `steps`, which may be NULL if it is 0
 * @param count receives how many there are */
wherry_status wherry_array_series_steps(wherry_array_series series, const char* name, int capacity, int64_t* steps,
                                        int* count);
/** The type and sizes of an array of the file. Collective over the communicator of the series. */
wherry_status wherry_array_series_describe(wherry_array_series series, const char* name, int64_t step,
                                           wherry_array_file_description* result);

/** Writes the same x-array any number of times while the program computes. */
typedef struct wherry_array_writer_object* wherry_array_writer;

/** Makes a writer. Collective over the array's communicator. Parameters are those of wherry_write_array. */
wherry_status wherry_array_writer_create(wherry_x_array array, const wherry_box* section,
                                         const wherry_array_file_options* options, wherry_array_writer* result);
/** Gives up a write that is under way, frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_array_writer_free(wherry_array_writer* writer);
/** Opens the file and begins to write. Until the write is complete, the array must not be changed, unless `snapshot` is
 * set. Collective.
 * @return WHERRY_ERROR_STATE if a write is under way */
wherry_status wherry_array_writer_start(wherry_array_writer writer, const char* path);
/** Begins to write the array to a series. Collective. */
wherry_status wherry_array_writer_start_series(wherry_array_writer writer, wherry_array_series series, const char* name,
                                               int64_t step);
/** Makes progress. `*done` becomes 1 if the file is complete, else 0. All ranks call this function or the next one
 * until it is. */
wherry_status wherry_array_writer_test(wherry_array_writer writer, int* done);
/** Returns when the file is complete. Collective. */
wherry_status wherry_array_writer_wait(wherry_array_writer writer);
/** The number of complete files as `exchanges`, and this rank's bytes in them as `bytes_sent`. Local. */
wherry_status wherry_array_writer_statistics(wherry_array_writer writer, wherry_statistics* result);
/** This rank's part of the file in words. Local.
 * @param text receives a text of the writer, valid until the next call, or its end */
wherry_status wherry_array_writer_explain(wherry_array_writer writer, const char** text);

#ifdef __cplusplus
}
#endif

#endif
