/// @file
/// The halo exchange as the solver sees it. Each way to do it stands in a file of its own, halo_NAME.cpp.
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
  /// After something collective that follows the last `wait`: no neighbour reads this rank's arrays any more.
  virtual ~halo() = default;
  /// All cells of array `which` are written. Until `wait` returns nobody writes them or reads halo cells.
  virtual void start(int which) = 0;
  /// Afterwards the halo cells are there. Neighbours may still read the outermost cells of this array: they may be
  /// written after the next `wait`, that of the other array.
  virtual void wait(int which) = 0;
  /// What carries it, in words.
  virtual std::string carrier() const = 0;

  stopwatch pack, waiting, unpack;  ///< seconds of this rank so far
};

/// What a version of the halo exchange is made from. The arrays live longer than the exchange.
struct halo_parts {
  const subdomain& mine;
  const model& lattice;
  halo_kind kind;
  population_field (&arrays)[2];
};

/// Doubles in the largest link of all ranks. Collective.
std::size_t largest_link(const halo_parts& parts);

/// One version, by the name that the command line uses.
struct halo_version {
  std::string_view name;
  std::unique_ptr<halo> (*make)(const halo_parts& parts);  ///< collective
  int lines;                                               ///< what its user writes
};
extern const std::vector<halo_version> halo_versions;

std::unique_ptr<halo> make_datatype_halo(const halo_parts& parts);
std::unique_ptr<halo> make_packed_halo(const halo_parts& parts);
std::unique_ptr<halo> make_segments_halo(const halo_parts& parts);
std::unique_ptr<halo> make_layouts_halo(const halo_parts& parts);
std::unique_ptr<halo> make_wherry_halo(const halo_parts& parts);
std::unique_ptr<halo> make_limit_halo(const halo_parts& parts);  // to compare with

}  // namespace lattice_boltzmann
