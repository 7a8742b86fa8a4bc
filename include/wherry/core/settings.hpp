/// @file
/// Every setting of the library in one typed table: environment `WHERRY_*`, or `configure()` from the program.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wherry {

/// The settings in force. Read once from the environment, at the first use; a value that does not parse or is out of
/// range is an `error` that names the variable.
struct settings {
  std::string transport = "auto";  ///< WHERRY_TRANSPORT: overrides the transport of every exchange
  int node_size = 0;               ///< WHERRY_NODE_SIZE: k consecutive ranks count as one node; 0: ask MPI
  double timeout = 0;              ///< WHERRY_TIMEOUT: seconds until a wait becomes an error; 0: never
  bool check = false;              ///< WHERRY_CHECK: compare messages at every start, look for overlaps
  std::string statistics = "0";    ///< WHERRY_STATS: 0, 1 (rank 0 reports) or all
  std::string trace;               ///< WHERRY_TRACE: file for a trace in Chrome's JSON format; empty: none
  bool progress_thread = false;    ///< WHERRY_PROGRESS_THREAD: a thread carries exchanges while the user computes
  std::size_t arena_size = 0;      ///< WHERRY_ARENA_SIZE: bytes of node-shared address space a rank; 0: all memory
  std::size_t message_limit = std::size_t{1} << 30;  ///< WHERRY_MESSAGE_LIMIT: larger MPI messages are split
  std::size_t one_copy_row = 0;  ///< WHERRY_ONE_COPY_ROW: shortest row in bytes that is read in place; 0: ours
  /// WHERRY_STAGED_WRITE: longest write of a segment, in bytes, that goes through staging where the memory of a rank of
  /// the node is not shared; 0: none. Staging has room for 64 KiB at once; from 4 KiB on the kernel's one copy is
  /// quicker where the two cores are far apart (docs/performance.md, "Notified writes").
  std::size_t staged_write = 4096;
  std::string calibration;  ///< WHERRY_CALIBRATION: file of what moving data costs; 0: defaults; empty: the user's own
  std::string gpu_aware_mpi = "auto";  ///< WHERRY_GPU_AWARE_MPI: does MPI reach device memory? 1, 0; auto: MPI is asked
  std::string device = "auto";  ///< WHERRY_DEVICE: device of fields in device memory: auto, none, fake or its name
  int spin = -1;                ///< WHERRY_SPIN: polls before a wait yields its core; -1: as crowded as the node is
  bool gaspi_limits = false;    ///< WHERRY_GASPI_LIMITS: gaspi_config_set refuses what is beyond GPI-2's own limits
  std::string collectives;      ///< WHERRY_COLL: implementation of all collectives; empty: what is chosen otherwise
  /// WHERRY_COLL_BCAST, …: implementation of one collective, by its place in `wherry::collective::kind`
  std::array<std::string, 22> collective;
  std::string preload = "1";  ///< WHERRY_PRELOAD: collectives that the preload replaces: 1 (all), 0 or their names
  bool preload_nonblocking = false;   ///< WHERRY_PRELOAD_NONBLOCKING: also MPI_Ibcast, …
  std::string preload_compare = "0";  ///< WHERRY_PRELOAD_COMPARE: calls left to MPI to see what it takes: 0, 1 or all
  bool preload_report = true;         ///< WHERRY_PRELOAD_REPORT: what was replaced is told at the end
  std::string collective_tuning;      ///< WHERRY_COLL_TUNING: file that says which implementation is best; empty: none
  /// WHERRY_COLL_TUNE: 0, 1 (each communicator's first calls show which implementation is best) or a file that also
  /// gets what was found
  std::string collective_tune = "0";
};

/// The settings in force on this rank.
const settings& current_settings();

/// Changes one setting, named as in the environment without `WHERRY_` and in lower case ("node_size"). Affects what is
/// created afterwards. Not thread safe against exchanges that run or are made. Throws `error` for an unknown name or a
/// bad value.
void configure(std::string_view name, std::string_view value);

/// One row of `./run info`.
struct setting_report {
  std::string variable, value, source, meaning;
};
std::vector<setting_report> report_settings();

}  // namespace wherry
