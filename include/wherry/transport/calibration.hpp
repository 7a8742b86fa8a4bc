/// @file
/// The cost of moving data on this machine. `auto` chooses a transport by these figures, and `shared` chooses the rows
/// that are read in place.
///
///     const auto& figures = wherry::transports::current_calibration();
///     const double microseconds = figures.on_node[wherry::transports::calibration::shared].of(bytes, blocks);
///
/// `wherry_calibrate` (`./run info --calibrate`) measures the figures and keeps them in a text file that has a part for
/// each machine:
///
///     # a remark
///     machine AMD EPYC 7B13, Open MPI v4.1.4
///     on_node two_sided 0.61 0.00024 0.031
///     between_nodes two_sided 2.1 0.0009 0.031
///     long_row 512
///
/// A figure that is missing in the file has its default. WHERRY_CALIBRATION names the file; 0 means the defaults; empty
/// means `calibration_file()`, if it exists. Without a file, the defaults are used, with other row lengths for the
/// processors that we have measured.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wherry::transports {

/// The expected cost of one message, in microseconds.
struct message_cost {
  double message = 0;  ///< of a message without data
  /// Cost of each byte, and of each block.
  double byte = 0;
  double block = 0;
  /// The cost of a message of `bytes` bytes in `blocks` blocks.
  double of(double bytes, double blocks) const { return message + bytes * byte + blocks * block; }
  bool operator==(const message_cost&) const = default;
};

/// The figures of one machine.
struct calibration {
  /// The transports whose cost is measured. The cost of the others follows from these.
  enum transport { two_sided, shared, datatype, mpi_pack, neighborhood, one_sided };
  static constexpr std::array<std::string_view, 6> names{"two_sided", "shared",       "datatype",
                                                         "mpi_pack",  "neighborhood", "one_sided"};
  using costs = std::array<message_cost, names.size()>;

  // Rough figures of one node, an EPYC with 2 cores. For puts, those of the slower MPI.
  costs on_node{{{0.6, 2.5e-4, 0.04},
                 {0.25, 5e-5, 0.02},
                 {0.8, 3e-4, 0.05},
                 {0.8, 5e-4, 0.1},
                 {1.0, 2.5e-4, 0.04},
                 {2.2, 2.8e-4, 0.04}}};
  costs between_nodes = on_node;

  /// The shortest row, in bytes, that is read in place and not through staging: if the arriving data fits the
  /// second-level cache, and if it does not.
  std::int64_t long_row = 512, row_beyond_cache = 256;
  /// Rows of any length are read in place if more than `cached_lines` times the second-level cache arrives, counted in
  /// whole cache lines.
  std::int64_t cached_lines = 12;

  std::string source = "the defaults, of another machine";  ///< in words, for reports

  bool operator==(const calibration&) const = default;
};

/// The processor and the MPI of this process, by which a file tells machines apart. Local. Call it while MPI runs.
std::string calibrated_machine();

/// The file of the user: wherry/calibration.txt in $XDG_CACHE_HOME, or in ~/.cache. Empty if the user has no such
/// folder. Local.
std::string calibration_file();

/// The figures for `machine` in the text of a file. Local. `found` becomes true if the text has a part for that
/// machine.
/// @throws error(argument) that names the line, if a line of any machine cannot be parsed or has a figure out of range
calibration read_calibration(std::string_view text, std::string_view machine, bool& found);

/// Returns the text with these figures for `machine`, in place of those that it has. Local. `remark` is written beside
/// the name of the machine.
std::string with_calibration(std::string_view text, const calibration& measured, std::string_view machine,
                             std::string_view remark);

/// Puts the figures of this machine into the file, and keeps those of other machines. Local. The file and its folders
/// are made if they are missing. A concurrent reader sees either the old file or the new one.
/// @throws error(argument) if the file cannot be written; error(resource) if the disk is full
void keep_calibration(const std::string& path, const calibration& measured, std::string_view remark);

/// The size of the second-level cache in bytes, to which `long_row`, `row_beyond_cache` and `cached_lines` refer.
/// Local.
std::int64_t second_level_cache();

/// The figures that this process uses. Local. The first call reads the file; so does the first call after the setting
/// was changed. If the user's own file, which WHERRY_CALIBRATION does not name, cannot be understood, a message on
/// standard error says so and the defaults are used.
/// @throws error(argument) if WHERRY_CALIBRATION names a file that cannot be read or understood
const calibration& current_calibration();

}  // namespace wherry::transports
