/* Procedures that GPI-2 adds to GASPI. All are local. */
#ifndef GPI2_EXT_H
#define GPI2_EXT_H

#include "GASPI.h"

#ifdef __cplusplus
extern "C" {
#endif

gaspi_return_t gaspi_initialized(gaspi_number_t* initialized);
gaspi_return_t gaspi_proc_local_rank(gaspi_rank_t* const local_rank);
gaspi_return_t gaspi_proc_local_num(gaspi_rank_t* const local_num);
/* GASPI_SUCCESS if the rank is alive; GASPI_ERROR if it is not, or does not answer in time. */
gaspi_return_t gaspi_proc_ping(const gaspi_rank_t rank, gaspi_timeout_t tout);

/* The lowest id that no segment of this rank has. */
gaspi_return_t gaspi_segment_avail_local(gaspi_segment_id_t* const avail_seg_id);
gaspi_return_t gaspi_segment_size(const gaspi_segment_id_t segment_id, const gaspi_rank_t rank,
                                  gaspi_size_t* const size);
gaspi_return_t gaspi_rw_list_elem_max(gaspi_number_t* const elem_max);

gaspi_return_t gaspi_machine_type(const char machine_type[16]);
gaspi_return_t gaspi_cpu_frequency(gaspi_float* const cpu_mhz);
/* Returns GASPI_ERR_ENV unless GASPI_SET_NUMA_SOCKET is 1 in the environment, as gaspi_run -N sets it. */
gaspi_return_t gaspi_numa_socket(gaspi_uchar* const socket);
gaspi_return_t gaspi_set_socket_affinity(const gaspi_uchar socket);
void gaspi_print_affinity_mask(void);

/* Prints to standard output, with the rank in front. No logger needs to be started. */
void gaspi_printf(const char* fmt, ...);
void gaspi_printf_to(gaspi_rank_t rank, const char* fmt, ...);

/* One step of a busy wait: tells the processor that this thread spins. */
void gaspi_delay(void);

gaspi_string_t gaspi_error_str(gaspi_return_t error_code);

#ifdef __cplusplus
}
#endif

#endif
