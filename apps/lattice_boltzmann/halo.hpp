/// @file
/// The halo exchange as the solver sees it. Each version is in a file of its own, halo_NAME.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "field.hpp"
#include "stopwatch.hpp"
#include "subdomain.hpp"

namespace lattice_boltzmann {

/// Fills the halo cells that the next pull reads. The two arrays of populations are given once; each step names the one
/// whose halo is to be filled.
class halo {
 public:
  /// Destroy it after a collective call that follows the last `wait`, so that no neighbour reads this rank's arrays any
  /// more.
  virtual ~halo() = default;
  /// Begins the exchange of array `which`, whose cells are all written. Until `wait` returns, the program may neither
  /// write them nor read halo cells.
  virtual void start(int which) = 0;
  /// Returns when the halo cells are filled. Neighbours may still read the outermost cells of this array, which may be
  /// written after the next `wait`, that of the other array.
  virtual void wait(int which) = 0;
  /// The transport, in words.
  virtual std::string carrier() const = 0;

  stopwatch pack, waiting, unpack;  ///< seconds of this rank so far
};

/// The arguments of a version of the halo exchange. The arrays live longer than the exchange.
struct halo_parts {
  const subdomain& mine;
  const model& lattice;
  halo_kind kind;
  population_field (&arrays)[2];
};

/// The number of doubles in the largest link of all ranks. Collective.
std::size_t largest_link(const halo_parts& parts);

/// One version, by the name that the command line uses.
struct halo_version {
  std::string_view name;
  std::unique_ptr<halo> (*make)(const halo_parts& parts);  ///< collective
  int lines;                                               ///< number of lines that its user writes
};
extern const std::vector<halo_version> halo_versions;

std::unique_ptr<halo> make_datatype_halo(const halo_parts& parts);
std::unique_ptr<halo> make_packed_halo(const halo_parts& parts);
std::unique_ptr<halo> make_segments_halo(const halo_parts& parts);
std::unique_ptr<halo> make_layouts_halo(const halo_parts& parts);
std::unique_ptr<halo> make_wherry_halo(const halo_parts& parts);
std::unique_ptr<halo> make_limit_halo(const halo_parts& parts);  // for comparison

}  // namespace lattice_boltzmann
