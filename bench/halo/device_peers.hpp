/// @file
/// The peers of Wherry on a CUDA device, and the device's clock (device_peers.cu). The file uses no MPI.
#pragma once

#include <memory>

#include "wherry/device/device.hpp"

namespace bench::halo {

/// Planes of rows of bytes.
struct strided_box {
  char* at = nullptr;
  long row = 0, plane = 0;  ///< bytes from one to the next
  long bytes = 0;           ///< of a row, a multiple of 4
  int rows = 0, planes = 0;
};

/// Dense fields of doubles of a single rank, periodic in all three dimensions.
struct periodic_fields {
  static constexpr int most = 8;
  double* first[most] = {};  ///< halo cells
  int fields = 0;
  long row = 0, plane = 0;   ///< doubles from one to the next
  int cells = 0, width = 0;  ///< along each dimension: of the core, and of the halo on each side
};

/// Device time between two moments of a stream.
class device_clock {
 public:
  device_clock();
  ~device_clock();
  device_clock(const device_clock&) = delete;
  device_clock& operator=(const device_clock&) = delete;

  void begin(wherry::device_stream stream);
  void end(wherry::device_stream stream);
  /// Waits for the end, and returns the microseconds.
  double us();

 private:
  struct events;
  std::unique_ptr<events> both_;
};

// The following functions only put work into the stream, and throw std::runtime_error with CUDA's text.

void launch_nothing(wherry::device_stream stream);
/// Starts one kernel for one box, as in GHEX's packing.
void copy_by_kernel(wherry::device_stream stream, const strided_box& to, const strided_box& from);
/// Starts one kernel for all halo cells of all fields: each thread wraps the coordinates of two cells.
void fill_by_kernel(wherry::device_stream stream, const periodic_fields& fields);
/// The limits of the kernel above. The first one reads the same cells and only compares them. The second one writes the
/// same cells, but in whole sectors of 32 bytes, for which no data has to be fetched; it overwrites other cells, too.
void read_by_kernel(wherry::device_stream stream, const periodic_fields& fields);
void write_by_kernel(wherry::device_stream stream, const periodic_fields& fields);
/// Calls cudaMemcpy3DAsync once.
void copy_by_runtime(wherry::device_stream stream, const strided_box& to, const strided_box& from);

/// The bytes that a copy reads and writes in a microsecond, outside of all caches.
double device_copy_rate();

}  // namespace bench::halo
