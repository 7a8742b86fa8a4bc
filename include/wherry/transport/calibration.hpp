/// @file
/// What moving data costs on this machine: the figures by which `auto` chooses a transport and `shared` the rows that
/// are read in place. `wherry_calibrate` (`./run info --calibrate`) measures them and keeps them in a file, a part of
/// it for each machine, which people can read and write:
///
///     # what the program says
///     machine AMD EPYC 7B13, Open MPI v4.1.4
///     on_node two_sided 0.61 0.00024 0.031
///     between_nodes two_sided 2.1 0.0009 0.031
///     long_row 512
///
/// What it does not say is as it was on the machine that the defaults come from. WHERRY_CALIBRATION names the file; 0:
/// the defaults; none: `calibration_file()`, where there is one, else the defaults and, of processors that we have
/// measured, the rows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wherry {

/// Microseconds expected for one message.
struct message_cost {
  double message = 0;  ///< of no length
  double byte = 0;
  double block = 0;
  double of(double bytes, double blocks) const { return message + bytes * byte + blocks * block; }
  bool operator==(const message_cost&) const = default;
};

struct calibration {
  /// Of those transports whose figures are measured; the others' follow from these.
  enum transport { two_sided, shared, datatype, mpi_pack, neighborhood, one_sided };
  static constexpr std::array<std::string_view, 6> names{"two_sided", "shared",       "datatype",
                                                         "mpi_pack",  "neighborhood", "one_sided"};
  using costs = std::array<message_cost, names.size()>;

  // Rough figures of one node, an EPYC with 2 cores; of a put, those of the MPI that is slower at it.
  costs on_node{{{0.6, 2.5e-4, 0.04},
                 {0.25, 5e-5, 0.02},
                 {0.8, 3e-4, 0.05},
                 {0.8, 5e-4, 0.1},
                 {1.0, 2.5e-4, 0.04},
                 {2.2, 2.8e-4, 0.04}}};
  costs between_nodes = on_node;

  /// The shortest row, in bytes, that is read in place rather than through staging: where what arrives fits the
  /// second-level cache, and where it does not.
  std::int64_t long_row = 512, row_beyond_cache = 256;
  /// Rows of any length are read in place where more arrives than so many times the second-level cache, in whole lines.
  std::int64_t cached_lines = 12;

  std::string source = "the defaults, of another machine";  ///< for people

  bool operator==(const calibration&) const = default;
};

/// The processor and the MPI that this process runs on, by which a file tells machines apart. Call it when MPI runs.
std::string calibrated_machine();

/// The user's own: wherry/calibration.txt in $XDG_CACHE_HOME, or in ~/.cache. Empty: the user has no such folder.
std::string calibration_file();

/// What the text of a file says of this machine; `found`: whether it says anything of it.
/// @throws error(argument) naming the line that it does not understand, whatever machine it is of, or a figure beyond
///         sense
calibration read_calibration(std::string_view text, std::string_view machine, bool& found);

/// The text with these figures for this machine, in place of what it says of it.
std::string with_calibration(std::string_view text, const calibration& measured, std::string_view machine,
                             std::string_view remark);

/// Puts these figures of this machine into the file, which is made where there is none, with its folders; what it says
/// of other machines stays. Whoever reads at the same time sees the old file or the new one.
/// @throws error(argument) where it cannot be written, error(resource) for a full disk
void keep_calibration(const std::string& path, const calibration& measured, std::string_view remark);

/// In bytes: what `long_row`, `row_beyond_cache` and `cached_lines` go by.
std::int64_t second_level_cache();

/// What this process goes by. Reads the file at the first call, and again where the setting has been changed. The
/// user's own file, which nobody has asked for, is told about on standard error and left alone where it is not
/// understood.
/// @throws error(argument) where WHERRY_CALIBRATION names a file that cannot be read or understood
const calibration& current_calibration();

}  // namespace wherry
