/* GPI-2's threads: a thin layer over the system's threads. All procedures but gaspi_threads_sync_all are local to
   the rank. */
#ifndef _GPI2_THREADS_H_
#define _GPI2_THREADS_H_

#include "GASPI.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the number of threads, including the calling one: the number of cores, or the given number. */
gaspi_return_t gaspi_threads_init(gaspi_int* const num);
gaspi_return_t gaspi_threads_init_user(const unsigned int use_nr_of_threads);
gaspi_return_t gaspi_threads_term(void);

/* gaspi_threads_run starts one more thread. Each thread then registers itself, and gets its number. */
gaspi_return_t gaspi_threads_run(void* (*function)(void*), void* arg);
gaspi_return_t gaspi_threads_register(gaspi_int* tid);

gaspi_return_t gaspi_threads_get_tid(gaspi_int* const tid);
gaspi_return_t gaspi_threads_get_total(gaspi_int* const num);
gaspi_return_t gaspi_threads_get_num_cores(gaspi_int* const cores);

/* Synchronises all threads of this rank; gaspi_threads_sync_all then also synchronises the ranks of the group, and
   is collective over it. */
void gaspi_threads_sync(void);
gaspi_return_t gaspi_threads_sync_all(const gaspi_group_t g, const gaspi_timeout_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif
