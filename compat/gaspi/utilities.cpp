// Time, texts, and questions about the machine.
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "PGASPI.h"
#include "calls.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_version);
WHERRY_WEAK_NAME(gaspi_time_ticks);
WHERRY_WEAK_NAME(gaspi_time_get);
WHERRY_WEAK_NAME(gaspi_print_error);
WHERRY_WEAK_NAME(gaspi_error_str);
WHERRY_WEAK_NAME(gaspi_machine_type);
WHERRY_WEAK_NAME(gaspi_cpu_frequency);
WHERRY_WEAK_NAME(gaspi_numa_socket);
WHERRY_WEAK_NAME(gaspi_set_socket_affinity);
WHERRY_WEAK_NAME(gaspi_print_affinity_mask);
WHERRY_WEAK_NAME(gaspi_printf);
WHERRY_WEAK_NAME(gaspi_printf_to);
WHERRY_WEAK_NAME(gaspi_delay);

namespace wherry::gaspi {
namespace {

/// One origin for all times, also before gaspi_proc_init and after gaspi_proc_term.
const auto program_began = std::chrono::steady_clock::now();

using nanoseconds = std::chrono::nanoseconds;

/// Prints "[Rank 3]: ..." in one call, so that ranks are not mixed within a line.
void print(const char* format, std::va_list values) {
  if (format == nullptr) return;
  std::va_list again;
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0) return;
  std::string line(static_cast<std::size_t>(length) + 1, '\0');
  std::vsnprintf(line.data(), line.size(), format, values);
  const inside here("gaspi_printf");
  const auto* const w = here.found();
  std::fprintf(stdout, "[Rank %4d]: %s", w != nullptr ? w->rank : -1, line.c_str());
  std::fflush(stdout);
}

/// The frequency in MHz; 0 if the system does not tell.
float frequency() {
  std::ifstream table("/proc/cpuinfo");
  for (std::string line; std::getline(table, line);)
    if (line.rfind("cpu MHz", 0) == 0) return std::strtof(line.c_str() + line.find(':') + 1, nullptr);
  return 0;
}

std::string place_of_node(unsigned node) { return detail::text("/sys/devices/system/node/node", node, "/cpulist"); }

/// The cores in a list such as "0-3,8,10-11".
cpu_set_t cores_in(const std::string& list) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (const char* at = list.c_str(); *at != '\0';) {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) break;
    const long last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    for (long core = first; core <= last && core < CPU_SETSIZE; ++core) CPU_SET(static_cast<std::size_t>(core), &cores);
    at = *end == ',' ? end + 1 : end;
  }
  return cores;
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_version(float* version) {
  if (version == nullptr) return refuse("gaspi_version", GASPI_ERR_NULLPTR, "'version' is null");
  *version = 1.6F;
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_time_ticks(gaspi_cycles_t* const ticks) {
  if (ticks == nullptr) return refuse("gaspi_time_ticks", GASPI_ERR_NULLPTR, "'ticks' is null");
#if defined(__x86_64__)
  *ticks = __builtin_ia32_rdtsc();
#else
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *ticks = static_cast<gaspi_cycles_t>(std::chrono::duration_cast<nanoseconds>(now).count());
#endif
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_time_get(gaspi_time_t* const wtime) {
  if (wtime == nullptr) return refuse("gaspi_time_get", GASPI_ERR_NULLPTR, "'wtime' is null");
  *wtime = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - program_began).count();
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_print_error(gaspi_return_t error_code, gaspi_string_t* error_message) {
  if (error_message == nullptr) return refuse("gaspi_print_error", GASPI_ERR_NULLPTR, "'error_message' is null");
  *error_message = strdup(meaning_of(error_code));
  return *error_message != nullptr ? GASPI_SUCCESS : GASPI_ERR_MEMALLOC;
}

gaspi_string_t pgaspi_error_str(gaspi_return_t error_code) {
  return const_cast<gaspi_string_t>(meaning_of(error_code));
}

gaspi_return_t pgaspi_machine_type(const char machine_type[16]) {
  if (machine_type == nullptr) return refuse("gaspi_machine_type", GASPI_ERR_NULLPTR, "'machine_type' is null");
#if defined(__x86_64__)
  std::snprintf(const_cast<char*>(machine_type), 16, "X86_64");
#elif defined(__aarch64__)
  std::snprintf(const_cast<char*>(machine_type), 16, "AARCH64");
#else
  std::snprintf(const_cast<char*>(machine_type), 16, "CPU");
#endif
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_cpu_frequency(gaspi_float* const cpu_mhz) {
  if (cpu_mhz == nullptr) return refuse("gaspi_cpu_frequency", GASPI_ERR_NULLPTR, "'cpu_mhz' is null");
  *cpu_mhz = frequency();
  return *cpu_mhz > 0 ? GASPI_SUCCESS : GASPI_ERROR;
}

gaspi_return_t pgaspi_numa_socket(gaspi_uchar* const socket) {
  constexpr auto call = "gaspi_numa_socket";
  if (socket == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'socket' is null");
  // Only gaspi_run -N binds a rank to a socket; other programs get GPI-2's error.
  const char* const bound = std::getenv("GASPI_SET_NUMA_SOCKET");
  if (bound == nullptr || std::atoi(bound) != 1)
    return refuse(call, GASPI_ERR_ENV, "the environment variable GASPI_SET_NUMA_SOCKET is not 1");
  unsigned core = 0, node = 0;
  if (getcpu(&core, &node) != 0) return refuse(call, GASPI_ERROR, "the system does not tell the core of this thread");
  *socket = static_cast<gaspi_uchar>(node);
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_set_socket_affinity(const gaspi_uchar socket) {
  constexpr auto call = "gaspi_set_socket_affinity";
  return guarded(call, [&] {
    std::string list;
    std::getline(std::ifstream(place_of_node(socket)), list);
    const auto cores = cores_in(list);
    if (CPU_COUNT(&cores) == 0 || sched_setaffinity(0, sizeof cores, &cores) != 0)
      return refuse(call, GASPI_ERROR,
                    text("'socket' is ", int{socket}, ", which does not exist or has no core that is allowed"));
    return GASPI_SUCCESS;
  });
}

void pgaspi_print_affinity_mask(void) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;
  std::string mask;
  const auto number = sysconf(_SC_NPROCESSORS_CONF);
  for (long core = 0; core < number && core < CPU_SETSIZE; ++core)
    mask += CPU_ISSET(static_cast<std::size_t>(core), &cores) != 0 ? '1' : '0';
  pgaspi_printf("cores that may be used, from 0 on: %s\n", mask.c_str());
}

void pgaspi_printf(const char* fmt, ...) {
  std::va_list values;
  va_start(values, fmt);
  print(fmt, values);
  va_end(values);
}

void pgaspi_printf_to(gaspi_rank_t, const char* fmt, ...) {
  std::va_list values;
  va_start(values, fmt);
  print(fmt, values);
  va_end(values);
}

void pgaspi_delay(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}
