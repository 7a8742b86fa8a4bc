/// @file
/// Movers between memory and disk (paper 4, section 5): elements of XArrays, whole or their sections in a Region, under
/// names and time steps in one file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wherry/blocks/array_series.hpp"

#include "kelp/runtime.hpp"
#include "kelp/x_array.hpp"

namespace kelp {

/// A file of many XArrays; see wherry/blocks/array_series.hpp. Any number of processes, and any other FloorPlan, may
/// read it.
class DiskFile {
 public:
  /// Opens `path`, or makes it. By all processes. @throws wherry::error, on all processes alike
  explicit DiskFile(const std::string& path) : series_(KelpConfig::in_use().comm(), path) {}

  /// The time steps of a name, in the order in which they were written.
  std::vector<index_t> steps(const std::string& name) const { return series_.steps(name); }

  /// Fills what the file has of an XArray, ghost cells included where it was written with them.
  /// @return the number of cells that were filled, of all processes
  template <int D, class GridType> index_t read(const std::string& name, index_t step, XArray<D, GridType>& U) const {
    return series_.read(name, step, U.array());
  }
  /// Only what lies in R.
  template <int D, class GridType>
  index_t read(const std::string& name, index_t step, XArray<D, GridType>& U, const Region<D>& R) const {
    return series_.read(name, step, U.array(), R.box());
  }

  /// As Wherry has it.
  wherry::array_series& series() { return series_; }

 private:
  wherry::array_series series_;
};

/// Moves an XArray, or its sections in a Region, to disk, one time step after the other: `start` begins with the next
/// one, and until `wait` returns the XArray must not be changed. Specialised by inheritance as other Movers are.
template <int D, class GridType> class DiskMover {
 public:
  /// By all processes. The file must outlive the use.
  DiskMover(const XArray<D, GridType>& U, DiskFile& file, std::string name, index_t first_step = 0)
      : writer_(U.array()), file_(&file), name_(std::move(name)), next_(first_step) {}
  DiskMover(const XArray<D, GridType>& U, const Region<D>& R, DiskFile& file, std::string name, index_t first_step = 0)
      : writer_(U.array(), R.box()), file_(&file), name_(std::move(name)), next_(first_step) {}
  virtual ~DiskMover() = default;
  DiskMover(DiskMover&&) = default;
  DiskMover& operator=(DiskMover&&) = default;

  /// @throws wherry::error, on all processes alike, while another is under way to the same file
  virtual void start() {
    writer_.start(file_->series(), name_, next_);
    ++next_;
  }
  /// Returns when the step is on the disk.
  virtual void wait() { writer_.wait(); }
  void execute() {
    start();
    wait();
  }

 private:
  wherry::array_writer writer_;
  DiskFile* file_;
  std::string name_;
  index_t next_;
};

template <class G> using DiskMover1 = DiskMover<1, G>;
template <class G> using DiskMover2 = DiskMover<2, G>;
template <class G> using DiskMover3 = DiskMover<3, G>;
template <class G> using DiskMover4 = DiskMover<4, G>;
template <class G> using DiskMover5 = DiskMover<5, G>;
template <class G> using DiskMover6 = DiskMover<6, G>;

}  // namespace kelp
