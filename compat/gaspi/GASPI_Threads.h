/* GPI-2's threads: thin names over the system's. */
#ifndef _GPI2_THREADS_H_
#define _GPI2_THREADS_H_

#include "GASPI.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Says how many threads there shall be, the one that calls among them: as many as there are cores, or so many. */
gaspi_return_t gaspi_threads_init(gaspi_int* const num);
gaspi_return_t gaspi_threads_init_user(const unsigned int use_nr_of_threads);
gaspi_return_t gaspi_threads_term(void);

/* Starts one more thread. Each registers itself, and gets its number. */
gaspi_return_t gaspi_threads_run(void* (*function)(void*), void* arg);
gaspi_return_t gaspi_threads_register(gaspi_int* tid);

gaspi_return_t gaspi_threads_get_tid(gaspi_int* const tid);
gaspi_return_t gaspi_threads_get_total(gaspi_int* const num);
gaspi_return_t gaspi_threads_get_num_cores(gaspi_int* const cores);

/* All threads of this rank wait for each other; then also the ranks of the group. */
void gaspi_threads_sync(void);
gaspi_return_t gaspi_threads_sync_all(const gaspi_group_t g, const gaspi_timeout_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif
