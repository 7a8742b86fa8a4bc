/** @file
 * The result of each call, and the text of an error.
 *
 *     if (wherry_exchange_wait(fill) != WHERRY_SUCCESS)
 *       fprintf(stderr, "%s\n", wherry_last_error()->text);
 */
#ifndef WHERRY_C_STATUS_H
#define WHERRY_C_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. All but WHERRY_SUCCESS are errors, of the kinds of C++'s `wherry::error_kind`. */
typedef int wherry_status;
enum {
  WHERRY_SUCCESS = 0,
  WHERRY_ERROR_ARGUMENT = 1, /**< an argument is wrong by itself; nothing was sent */
  WHERRY_ERROR_MISMATCH = 2, /**< ranks disagree with one another; nothing was sent */
  WHERRY_ERROR_STATE = 3,    /**< the call is not allowed now, for example a second start */
  WHERRY_ERROR_RESOURCE = 4, /**< memory or another resource is exhausted, or a callback failed */
  WHERRY_ERROR_TIMEOUT = 5,  /**< some rank did not arrive within WHERRY_TIMEOUT */
  WHERRY_ERROR_MPI = 6,      /**< MPI reported an error */
  WHERRY_ERROR_LOST = 7      /**< a rank that the call waits for has died */
};

/** The last error of this thread. */
typedef struct wherry_error {
  wherry_status status; /**< WHERRY_SUCCESS if no call of this thread has failed */
  const char* text;     /**< a sentence that names the call, the argument and the rank; empty without an error */
  int rank;             /**< the rank that found the error, in the communicator of the call; -1 if there is none */
  int peer_count;       /**< number of `peers` */
  const int* peers;     /**< the other ranks involved */
} wherry_error;

/** The last error of this thread. Local, and never NULL. The result and the memory that it names are valid until a
 * call of this thread fails, or the thread ends; calls that succeed change nothing. */
const wherry_error* wherry_last_error(void);

/** The name of a status: "success", "argument", ... */
const char* wherry_status_name(wherry_status status);

/** Ends the job if `status` is an error: prints the text of this thread's last error once and calls MPI_Abort. For
 * programs that cannot go on after an error. */
void wherry_require(wherry_status status);

/** For layers of other languages over this interface, which find arguments wrong that they cannot hand on: makes an
 * error the last one of this thread. Local.
 * @param where the call that is refused
 * @return WHERRY_ERROR_ARGUMENT */
wherry_status wherry_refuse(const char* where, const char* text);
/** The same for a collective call that takes options: the next such call of this thread returns WHERRY_ERROR_ARGUMENT
 * with this text, on all ranks alike. */
void wherry_refuse_next(const char* text);

/** The version of the library at run time. Any pointer may be NULL. */
void wherry_version(int* major, int* minor, int* patch);

#ifdef __cplusplus
}
#endif

#endif
