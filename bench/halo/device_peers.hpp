/// @file
/// What is measured beside Wherry on a CUDA device, and its clock (device_peers.cu). Free of MPI.
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

/// Dense fields of doubles that a rank alone has, periodic in all three dimensions.
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
  /// Waits for the end. Microseconds.
  double us();

 private:
  struct events;
  std::unique_ptr<events> both_;
};

// What follows only puts work into the stream, and throws std::runtime_error with CUDA's words.

void launch_nothing(wherry::device_stream stream);
/// One kernel for one box, as GHEX's packing has it.
void copy_by_kernel(wherry::device_stream stream, const strided_box& to, const strided_box& from);
/// One kernel for all halo cells of all fields: each thread wraps the coordinates of two.
void fill_by_kernel(wherry::device_stream stream, const periodic_fields& fields);
/// What bounds the one above: reading what it reads, and no more than a comparison; and writing what it writes, but
/// whole sectors of 32 bytes, for which nothing has to be fetched. The latter overwrites other cells, too.
void read_by_kernel(wherry::device_stream stream, const periodic_fields& fields);
void write_by_kernel(wherry::device_stream stream, const periodic_fields& fields);
/// One cudaMemcpy3DAsync.
void copy_by_runtime(wherry::device_stream stream, const strided_box& to, const strided_box& from);

/// Bytes read and written a microsecond by a copy of what no cache holds.
double device_copy_rate();

}  // namespace bench::halo
