#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "halo/device_peers.hpp"

namespace bench::halo {
namespace {

constexpr unsigned threads = 256;

void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
}

cudaStream_t of(wherry::device_stream stream) { return static_cast<cudaStream_t>(stream.handle); }

__global__ void do_nothing() {}

/// A thread an element, neighbours in a row beside each other.
template <class T> __global__ void __launch_bounds__(threads) copy_box(strided_box to, strided_box from) {
  const auto in_row = static_cast<unsigned>(to.bytes / static_cast<long>(sizeof(T)));
  const unsigned all = in_row * static_cast<unsigned>(to.rows) * static_cast<unsigned>(to.planes);
  for (unsigned i = blockIdx.x * threads + threadIdx.x; i < all; i += gridDim.x * threads) {
    const unsigned row = i / in_row, x = i % in_row;
    const unsigned z = row / static_cast<unsigned>(to.rows), y = row % static_cast<unsigned>(to.rows);
    reinterpret_cast<T*>(to.at + z * to.plane + y * to.row)[x] =
        reinterpret_cast<const T*>(from.at + z * from.plane + y * from.row)[x];
  }
}

struct halo_cells {
  unsigned whole, n, width, planes, rows, each;

  __host__ __device__ explicit halo_cells(const periodic_fields& f)
      : whole(static_cast<unsigned>(f.cells + 2 * f.width)),
        n(static_cast<unsigned>(f.cells)),
        width(static_cast<unsigned>(f.width)),
        planes(2 * width * whole * whole),
        rows(n * 2 * width * whole),
        each(planes + rows + n * n * 2 * width) {}
  __device__ unsigned outside(unsigned i) const { return i < width ? i : i + n; }
  __device__ unsigned wrapped(unsigned c) const { return c < width ? c + n : c >= width + n ? c - n : c; }
  /// Whole planes first, then rows of what is left, then the ends of rows.
  __device__ uint3 cell(unsigned i) const {
    if (i < planes) return {i % whole, i / whole % whole, outside(i / whole / whole)};
    i -= planes;
    if (i < rows) return {i % whole, outside(i / whole % (2 * width)), i / whole / (2 * width) + width};
    i -= rows;
    return {outside(i % (2 * width)), i / (2 * width) % n + width, i / (2 * width) / n + width};
  }
};

constexpr unsigned at_once = 2;

dim3 groups_for(const periodic_fields& fields) {
  return {(halo_cells(fields).each + at_once * threads - 1) / (at_once * threads),
          static_cast<unsigned>(fields.fields)};
}

__device__ long place_of(const periodic_fields& f, const uint3& c) { return c.z * f.plane + c.y * f.row + c.x; }
__device__ long source_of(const periodic_fields& f, const halo_cells& halo, const uint3& c) {
  return halo.wrapped(c.z) * f.plane + halo.wrapped(c.y) * f.row + halo.wrapped(c.x);
}

__global__ void __launch_bounds__(threads) read_sources(const __grid_constant__ periodic_fields f) {
  constexpr double nowhere = -1e300;
  const halo_cells halo(f);
  double* const field = f.first[blockIdx.y];
  const unsigned first = blockIdx.x * at_once * threads + threadIdx.x;
  double sum = 0;
#pragma unroll
  for (unsigned k = 0; k < at_once; ++k)
    if (const unsigned i = first + k * threads; i < halo.each) sum += field[source_of(f, halo, halo.cell(i))];
  if (sum == nowhere) field[0] = sum;
}

/// By the first cell of a sector, or of a run of halo cells that begins within one.
__global__ void __launch_bounds__(threads) write_sectors(const __grid_constant__ periodic_fields f) {
  constexpr long in_sector = 4;
  const halo_cells halo(f);
  double* const field = f.first[blockIdx.y];
  const unsigned first = blockIdx.x * at_once * threads + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < at_once; ++k) {
    const unsigned i = first + k * threads;
    if (i >= halo.each) continue;
    const uint3 c = halo.cell(i);
    const long to = place_of(f, c);
    const bool begins = c.x == 0 || (c.x == halo.n + halo.width && i >= halo.planes + halo.rows);
    if (to % in_sector != 0 && !begins) continue;
    auto* const sector = reinterpret_cast<double2*>(field + to / in_sector * in_sector);
    sector[0] = sector[1] = make_double2(1, 1);
  }
}

__global__ void __launch_bounds__(threads) fill_halo(const __grid_constant__ periodic_fields f) {
  const halo_cells halo(f);
  double* const field = f.first[blockIdx.y];
  double value[at_once];
  long to[at_once];
  const unsigned first = blockIdx.x * at_once * threads + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < at_once; ++k) {
    const unsigned i = first + k * threads;
    if (i >= halo.each) continue;
    const uint3 c = halo.cell(i);
    to[k] = place_of(f, c);
    value[k] = field[source_of(f, halo, c)];
  }
#pragma unroll
  for (unsigned k = 0; k < at_once; ++k)
    if (first + k * threads < halo.each) field[to[k]] = value[k];
}

bool in_words(const strided_box& box) {
  return (reinterpret_cast<std::uintptr_t>(box.at) | static_cast<std::uintptr_t>(box.row | box.plane | box.bytes)) %
             8 ==
         0;
}

template <class T> void copy_as(wherry::device_stream stream, const strided_box& to, const strided_box& from) {
  const long elements = to.bytes / static_cast<long>(sizeof(T)) * to.rows * to.planes;
  const auto groups = static_cast<unsigned>(std::clamp<long>((elements + threads - 1) / threads, 1, 1 << 16));
  copy_box<T><<<groups, threads, 0, of(stream)>>>(to, from);
  check(cudaGetLastError(), "launching a copy");
}

cudaPitchedPtr pitched(const strided_box& box) {
  return make_cudaPitchedPtr(box.at, static_cast<std::size_t>(box.row), static_cast<std::size_t>(box.bytes),
                             static_cast<std::size_t>(box.plane / box.row));
}

}  // namespace

struct device_clock::events {
  cudaEvent_t begin = nullptr, end = nullptr;
};

device_clock::device_clock() : both_(new events) {
  check(cudaEventCreate(&both_->begin), "cudaEventCreate");
  check(cudaEventCreate(&both_->end), "cudaEventCreate");
}

device_clock::~device_clock() {
  static_cast<void>(cudaEventDestroy(both_->begin));
  static_cast<void>(cudaEventDestroy(both_->end));
}

void device_clock::begin(wherry::device_stream stream) {
  check(cudaEventRecord(both_->begin, of(stream)), "cudaEventRecord");
}
void device_clock::end(wherry::device_stream stream) {
  check(cudaEventRecord(both_->end, of(stream)), "cudaEventRecord");
}

double device_clock::us() {
  float milliseconds = 0;
  check(cudaEventSynchronize(both_->end), "cudaEventSynchronize");
  check(cudaEventElapsedTime(&milliseconds, both_->begin, both_->end), "cudaEventElapsedTime");
  return 1e3 * static_cast<double>(milliseconds);
}

void launch_nothing(wherry::device_stream stream) {
  do_nothing<<<1, 32, 0, of(stream)>>>();
  check(cudaGetLastError(), "launching nothing");
}

void copy_by_kernel(wherry::device_stream stream, const strided_box& to, const strided_box& from) {
  if (in_words(to) && in_words(from))
    copy_as<std::uint64_t>(stream, to, from);
  else
    copy_as<std::uint32_t>(stream, to, from);
}

void fill_by_kernel(wherry::device_stream stream, const periodic_fields& fields) {
  fill_halo<<<groups_for(fields), threads, 0, of(stream)>>>(fields);
  check(cudaGetLastError(), "launching a fill");
}

void read_by_kernel(wherry::device_stream stream, const periodic_fields& fields) {
  read_sources<<<groups_for(fields), threads, 0, of(stream)>>>(fields);
  check(cudaGetLastError(), "launching reads");
}

void write_by_kernel(wherry::device_stream stream, const periodic_fields& fields) {
  write_sectors<<<groups_for(fields), threads, 0, of(stream)>>>(fields);
  check(cudaGetLastError(), "launching writes");
}

void copy_by_runtime(wherry::device_stream stream, const strided_box& to, const strided_box& from) {
  cudaMemcpy3DParms what{};
  what.srcPtr = pitched(from);
  what.dstPtr = pitched(to);
  what.extent = make_cudaExtent(static_cast<std::size_t>(to.bytes), static_cast<std::size_t>(to.rows),
                                static_cast<std::size_t>(to.planes));
  what.kind = cudaMemcpyDefault;
  check(cudaMemcpy3DAsync(&what, of(stream)), "cudaMemcpy3DAsync");
}

double device_copy_rate() {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  constexpr int times = 10;
  void *from = nullptr, *to = nullptr;
  check(cudaMalloc(&from, bytes), "cudaMalloc");
  check(cudaMalloc(&to, bytes), "cudaMalloc");
  check(cudaMemset(from, 1, bytes), "cudaMemset");
  device_clock clock;
  double best = 0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    clock.begin({});
    for (int i = 0; i < times; ++i)
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
    clock.end({});
    best = std::max(best, 2.0 * times * static_cast<double>(bytes) / clock.us());
  }
  check(cudaFree(from), "cudaFree");
  check(cudaFree(to), "cudaFree");
  return best;
}

}  // namespace bench::halo
