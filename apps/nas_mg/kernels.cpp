// Compiled several times, with another MG_KERNELS and other processor flags each. So nothing here may come from a
// header with inline functions: the linker would keep one copy of them, perhaps the one that this processor cannot run.
#include "kernels.hpp"

namespace nas_mg {
namespace {

using line = double[longest_row];

// Rows that are added along y and z first are needed by three cells along x: partial sums in L1, as NPB has it.

void residual(const brick& u, const brick& v, const brick& r, const double* a) {
  const double a0 = a[0], a2 = a[2], a3 = a[3];  // a[1] is 0
  line faces, edges;
  for (long z = 0; z < u.nz; ++z)
    for (long y = 0; y < u.ny; ++y) {
      const double* centre = u.at(y, z);
      const double *south = u.at(y - 1, z), *north = u.at(y + 1, z), *below = u.at(y, z - 1), *above = u.at(y, z + 1);
      const double *p = u.at(y - 1, z - 1), *q = u.at(y + 1, z - 1), *s = u.at(y - 1, z + 1), *t = u.at(y + 1, z + 1);
#pragma omp simd
      for (long x = -1; x <= u.nx; ++x) {
        faces[x + 1] = south[x] + north[x] + below[x] + above[x];
        edges[x + 1] = p[x] + q[x] + s[x] + t[x];
      }
      const double* right = v.at(y, z);
      double* out = r.at(y, z);
#pragma omp simd
      for (long x = 0; x < u.nx; ++x)
        out[x] =
            right[x] - a0 * centre[x] - a2 * (edges[x + 1] + faces[x] + faces[x + 2]) - a3 * (edges[x] + edges[x + 2]);
    }
}

void smooth(const brick& r, const brick& u, const double* c) {
  const double c0 = c[0], c1 = c[1], c2 = c[2];  // c[3] is 0
  line faces, edges;
  for (long z = 0; z < r.nz; ++z)
    for (long y = 0; y < r.ny; ++y) {
      const double* centre = r.at(y, z);
      const double *south = r.at(y - 1, z), *north = r.at(y + 1, z), *below = r.at(y, z - 1), *above = r.at(y, z + 1);
      const double *p = r.at(y - 1, z - 1), *q = r.at(y + 1, z - 1), *s = r.at(y - 1, z + 1), *t = r.at(y + 1, z + 1);
#pragma omp simd
      for (long x = -1; x <= r.nx; ++x) {
        faces[x + 1] = south[x] + north[x] + below[x] + above[x];
        edges[x + 1] = p[x] + q[x] + s[x] + t[x];
      }
      double* out = u.at(y, z);
#pragma omp simd
      for (long x = 0; x < r.nx; ++x)
        out[x] += c0 * centre[x] + c1 * (centre[x - 1] + centre[x + 1] + faces[x + 1]) +
                  c2 * (edges[x + 1] + faces[x] + faces[x + 2]);
    }
}

// Full weighting is 1/2 of (1/2 1 1/2) along each axis: first along y and z, then along x and onto every other cell.
void restrict_to(const brick& fine, const brick& coarse, const alignment& where) {
  line sum;
  for (long z = 0; z < coarse.nz; ++z)
    for (long y = 0; y < coarse.ny; ++y) {
      const long fy = 2 * y + 1 - where.y, fz = 2 * z + 1 - where.z;
      const double* centre = fine.at(fy, fz);
      const double *south = fine.at(fy - 1, fz), *north = fine.at(fy + 1, fz);
      const double *below = fine.at(fy, fz - 1), *above = fine.at(fy, fz + 1);
      const double *p = fine.at(fy - 1, fz - 1), *q = fine.at(fy + 1, fz - 1);
      const double *s = fine.at(fy - 1, fz + 1), *t = fine.at(fy + 1, fz + 1);
#pragma omp simd
      for (long x = -1; x <= fine.nx; ++x)
        sum[x + 1] = centre[x] + 0.5 * (south[x] + north[x] + below[x] + above[x]) + 0.25 * (p[x] + q[x] + s[x] + t[x]);
      const double* first = sum + 2 - where.x;  // the place of fine cell 1 - where.x
      double* out = coarse.at(y, z);
#pragma omp simd
      for (long x = 0; x < coarse.nx; ++x) out[x] = 0.5 * first[2 * x] + 0.25 * (first[2 * x - 1] + first[2 * x + 1]);
    }
}

/// The coarse row that a fine row lies on, or the mean of the two or four that it lies between.
const double* row_between(const brick& coarse, long fy, long fz, const alignment& where, line& mean) {
  // Fine cell f lies on coarse cell (f + parity - 1) / 2 where that is whole, else also on the next one.
  const long twice_y = fy + where.y + 1, twice_z = fz + where.z + 1;  // shifted by 2, to be positive
  const long y = twice_y / 2 - 1, z = twice_z / 2 - 1;
  const bool between_y = twice_y % 2 != 0, between_z = twice_z % 2 != 0;
  const double* a = coarse.at(y, z);
  if (!between_y && !between_z) return a;
  double* out = mean + 1;
  if (between_y && between_z) {
    const double *b = coarse.at(y + 1, z), *c = coarse.at(y, z + 1), *d = coarse.at(y + 1, z + 1);
#pragma omp simd
    for (long x = -1; x <= coarse.nx; ++x) out[x] = 0.25 * (a[x] + b[x] + c[x] + d[x]);
  } else {
    const double* b = between_y ? coarse.at(y + 1, z) : coarse.at(y, z + 1);
#pragma omp simd
    for (long x = -1; x <= coarse.nx; ++x) out[x] = 0.5 * (a[x] + b[x]);
  }
  return out;
}

template <bool Add> void put(double& cell, double value) {
  if constexpr (Add)
    cell += value;
  else
    cell = value;
}

template <bool Add> void interpolate_rows(const brick& coarse, const brick& fine, const alignment& where) {
  if (fine.nx <= 0 || fine.ny <= 0 || fine.nz <= 0) return;
  line mean;
  const long pairs = (fine.nx + where.x) / 2;  // (half-way cell, cell on a coarse one), from fine cell -parity on
  for (long z = -1; z <= fine.nz; ++z)
    for (long y = -1; y <= fine.ny; ++y) {
      const double* from = row_between(coarse, y, z, where, mean);
      double* out = fine.at(y, z) - where.x;
      if (where.x == 0) put<Add>(out[-1], from[-1]);
#pragma omp simd
      for (long x = 0; x < pairs; ++x) {
        put<Add>(out[2 * x], 0.5 * (from[x - 1] + from[x]));
        put<Add>(out[2 * x + 1], from[x]);
      }
      // What is left up to fine cell nx.
      const long next = 2 * pairs - where.x;
      if (next <= fine.nx) put<Add>(out[2 * pairs], 0.5 * (from[pairs - 1] + from[pairs]));
      if (next + 1 <= fine.nx) put<Add>(out[2 * pairs + 1], from[pairs]);
    }
}

void interpolate(const brick& coarse, const brick& fine, const alignment& where, bool add) {
  if (add)
    interpolate_rows<true>(coarse, fine, where);
  else
    interpolate_rows<false>(coarse, fine, where);
}

double sum_of_squares(const brick& r) {
  double sum = 0;
  for (long z = 0; z < r.nz; ++z)
    for (long y = 0; y < r.ny; ++y) {
      const double* row = r.at(y, z);
      double of_row = 0;
#pragma omp simd reduction(+ : of_row)
      for (long x = 0; x < r.nx; ++x) of_row += row[x] * row[x];
      sum += of_row;
    }
  return sum;
}

}  // namespace

extern const kernel_set MG_KERNELS;
const kernel_set MG_KERNELS{MG_NAME, residual, smooth, restrict_to, interpolate, sum_of_squares};

}  // namespace nas_mg
