/// @file
/// Movers between memory and disk (KeLP, section 5): they store XArrays, whole or within a Region, under names and time
/// steps in one file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wherry/blocks/array_series.hpp"

#include "kelp/runtime.hpp"
#include "kelp/x_array.hpp"

namespace kelp {

/// A file of many XArrays; see wherry/blocks/array_series.hpp. Any number of processes may read it, with any other
/// FloorPlan.
class DiskFile {
 public:
  /// Opens `path`, or creates it. Collective over all processes of KeLP.
  /// @throws wherry::error, on all processes alike
  explicit DiskFile(const std::string& path) : series_(KelpConfig::in_use().comm(), path) {}

  /// The time steps that the file has under a name, in the order in which they were written.
  std::vector<index_t> steps(const std::string& name) const { return series_.steps(name); }

  /// Reads an XArray: fills all its cells that the file holds, ghost cells included if they were written. Collective.
  /// @return the number of cells filled on all processes
  template <int D, class GridType> index_t read(const std::string& name, index_t step, XArray<D, GridType>& U) const {
    return series_.read(name, step, U.array());
  }
  /// Reads only the cells in R. Collective.
  template <int D, class GridType>
  index_t read(const std::string& name, index_t step, XArray<D, GridType>& U, const Region<D>& R) const {
    return series_.read(name, step, U.array(), R.box());
  }

  /// The file as a Wherry object.
  wherry::array_series& series() { return series_; }

 private:
  wherry::array_series series_;
};

/// Writes an XArray, or its sections in a Region, to disk, one time step after the other. `start` begins the next step;
/// the XArray must not change until `wait` returns. Like other Movers it can be specialised by inheritance.
template <int D, class GridType> class DiskMover {
 public:
  /// Collective over all processes. The file must outlive this object.
  DiskMover(const XArray<D, GridType>& U, DiskFile& file, std::string name, index_t first_step = 0)
      : writer_(U.array()), file_(&file), name_(std::move(name)), next_(first_step) {}
  DiskMover(const XArray<D, GridType>& U, const Region<D>& R, DiskFile& file, std::string name, index_t first_step = 0)
      : writer_(U.array(), R.box()), file_(&file), name_(std::move(name)), next_(first_step) {}
  virtual ~DiskMover() = default;
  DiskMover(DiskMover&&) = default;
  DiskMover& operator=(DiskMover&&) = default;

  /// Begins to write the next step. Collective.
  /// @throws wherry::error, on all processes alike, while another step is being written to the same file
  virtual void start() {
    writer_.start(file_->series(), name_, next_);
    ++next_;
  }
  /// Waits until the step is on the disk. Collective.
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
