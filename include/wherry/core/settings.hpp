/// @file
/// Every setting of the library, in one typed table. A setting comes from the environment variable `WHERRY_*`, or from
/// a call of `configure()` in the program, which overrides the environment.
///
///     wherry::configure("timeout", "30");  // as WHERRY_TIMEOUT=30
///     const double seconds = wherry::current_settings().timeout;
///     for (const auto& row : wherry::report_settings())
///       std::printf("%s = %s (%s)\n", row.variable.c_str(), row.value.c_str(), row.source.c_str());
///
/// To set the transport of one object only, use the member `.carry` of its options.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wherry {

/// The values of all settings on this rank. `report_settings` says which ones must be the same on all ranks, and for
/// which ones the value of rank 0 counts on all.
struct settings {
  std::string transport = "auto";  ///< WHERRY_TRANSPORT: overrides the transport of every exchange
  int node_size = 0;               ///< WHERRY_NODE_SIZE: number of consecutive ranks that form a node; 0: as in MPI
  double timeout = 0;              ///< WHERRY_TIMEOUT: seconds until a wait throws error(timeout); 0: never
  bool check = false;              ///< WHERRY_CHECK: compares messages at every start, finds conflicting writes
  std::string statistics = "0";    ///< WHERRY_STATS: 0, 1 (rank 0 reports) or all (every rank does)
  std::string trace;               ///< WHERRY_TRACE: file for a trace in Chrome's JSON format; empty: none
  bool progress_thread = false;    ///< WHERRY_PROGRESS_THREAD: a thread carries exchanges during computation
  std::size_t arena_size = 0;      ///< WHERRY_ARENA_SIZE: bytes of each rank's arena; 0: the size of all memory
  std::size_t message_limit = std::size_t{1} << 30;  ///< WHERRY_MESSAGE_LIMIT: larger MPI messages are split
  /// WHERRY_ONE_COPY_ROW: bytes of the shortest row that is read in place; a smaller number lets more data be read in
  /// place. 0: Wherry decides.
  std::size_t one_copy_row = 0;
  /// WHERRY_STAGED_WRITE: the longest write of a segment, in bytes, that goes through staging if the target's memory is
  /// on the same node but not shared; 0: none does. Staging holds 64 KiB at once. From 4 KiB on, the kernel's single
  /// copy is faster between distant cores (docs/performance.md, "Notified writes").
  std::size_t staged_write = 4096;
  std::string calibration;  ///< WHERRY_CALIBRATION: file of measured costs; 0: defaults; empty: the user's own file
  std::string gpu_aware_mpi = "auto";  ///< WHERRY_GPU_AWARE_MPI: MPI reaches device memory: 1, 0 or auto (ask MPI)
  std::string device = "auto";  ///< WHERRY_DEVICE: device of fields in device memory: auto, none, fake or its name
  /// WHERRY_SPIN: polls, each with a pause instruction, before a wait yields its core; -1: 200, or 5 on a crowded node.
  int spin = -1;
  bool gaspi_limits = false;  ///< WHERRY_GASPI_LIMITS: gaspi_config_set refuses values beyond GPI-2's own limits
  std::string collectives;    ///< WHERRY_COLL: implementation of all collectives; empty: chosen by size or tuning
  /// WHERRY_COLL_BCAST, …: the implementation of one collective. Entry i belongs to the collective with the number i in
  /// `wherry::collective::kind`.
  std::array<std::string, 22> collective;
  std::string sparse;         ///< WHERRY_SPARSE: algorithm of all sparse exchanges; empty: chosen
  std::string preload = "1";  ///< WHERRY_PRELOAD: collectives that the preload replaces: 1 (all), 0 or their names
  bool preload_nonblocking = false;   ///< WHERRY_PRELOAD_NONBLOCKING: replaces MPI_Ibcast, MPI_Bcast_init, … too
  std::string preload_compare = "0";  ///< WHERRY_PRELOAD_COMPARE: leaves a few calls to MPI, to time it: 0, 1 or all
  bool preload_report = true;         ///< WHERRY_PRELOAD_REPORT: reports at the end which calls were replaced
  std::string collective_tuning;      ///< WHERRY_COLL_TUNING: file that names the best implementations; empty: none
};

/// The settings on this rank. Local. The first call reads the environment.
/// @throws error(argument) that names the variable, if a value does not parse or is out of range
const settings& current_settings();

/// Changes one setting on this rank. Local. `name` is the name of the environment variable in lower case, without
/// `WHERRY_` ("node_size"). The change affects objects that are created later. No other thread may run or create
/// exchanges during the call.
/// @throws error(argument) for an unknown name or a bad value
void configure(std::string_view name, std::string_view value);

/// One setting: a row of the table that `./run info` prints.
struct setting_report {
  std::string variable, value, source, meaning;
};
std::vector<setting_report> report_settings();

}  // namespace wherry
