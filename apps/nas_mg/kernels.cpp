// Compiled several times, with another KERNELS and other processor flags each. So nothing here may come from a header
// with inline functions: the linker would keep one copy of them, perhaps a copy that this processor cannot run.
#include "kernels.hpp"

namespace nas_mg {
namespace {

using line = double[longest_row];

/// Prefetches a row some rows ahead. Processors foresee sequential reads only up to the end of a page, and a page is
/// two rows.
void prefetch(const double* row, long cells) {
  for (long x = 0; x < cells; x += 8) __builtin_prefetch(row + x);
}
constexpr long rows_ahead = 3;

/// The sums of the rows below and above, for three neighbouring rows. Each sum is computed once and used three times.
struct vertical_sums {
  line memory[3];
  double *previous = memory[0] + 1, *here = memory[1] + 1, *next = memory[2] + 1;

  /// Prepares row 0 of plane z: computes `previous` and `here`.
  void begin(const brick& u, long z) {
    for (long y = -1; y <= 0; ++y) {
      const double *below = u.at(y, z - 1), *above = u.at(y, z + 1);
      double* sum = y < 0 ? previous : here;
#pragma omp simd
      for (long x = -1; x <= u.nx; ++x) sum[x] = below[x] + above[x];
    }
  }
  void advance() {
    double* const oldest = previous;
    previous = here;
    here = next;
    next = oldest;
  }
};

void residual(const brick& u, const brick& v, const brick& r, const double* a, long first, long last) {
  const double a0 = a[0], a2 = a[2], a3 = a[3];  // a[1] is 0
  vertical_sums sums;
  line side_memory, rest_memory;
  double *sides = side_memory + 1, *rest = rest_memory + 1;
  for (long z = first; z < last; ++z) {
    sums.begin(u, z);
    for (long y = 0; y < u.ny; ++y, sums.advance()) {
      prefetch(u.at(y + 1 + rows_ahead, z + 1), u.nx);
      prefetch(v.at(y + rows_ahead, z), u.nx);
      prefetch(r.at(y + rows_ahead, z), u.nx);
      const double *south = u.at(y - 1, z), *centre = u.at(y, z), *north = u.at(y + 1, z);
      const double *below = u.at(y + 1, z - 1), *above = u.at(y + 1, z + 1);
      const double *previous = sums.previous, *here = sums.here;
      double* next = sums.next;
#pragma omp simd
      for (long x = -1; x <= u.nx; ++x) {
        const double sum = below[x] + above[x];
        const double faces = south[x] + north[x] + here[x], edges = previous[x] + sum;
        next[x] = sum;
        sides[x] = a2 * faces + a3 * edges;
        rest[x] = a0 * centre[x] + a2 * edges;
      }
      const double* right = v.at(y, z);
      double* out = r.at(y, z);
#pragma omp simd
      for (long x = 0; x < u.nx; ++x) out[x] = right[x] - rest[x] - (sides[x - 1] + sides[x + 1]);
    }
  }
}

void smooth(const brick& r, const brick& u, const double* c) {
  const double c0 = c[0], c1 = c[1], c2 = c[2];  // c[3] is 0
  vertical_sums sums;
  line side_memory, rest_memory;
  double *sides = side_memory + 1, *rest = rest_memory + 1;
  for (long z = 0; z < r.nz; ++z) {
    sums.begin(r, z);
    for (long y = 0; y < r.ny; ++y, sums.advance()) {
      prefetch(r.at(y + 1 + rows_ahead, z + 1), r.nx);
      prefetch(u.at(y + rows_ahead, z), r.nx);
      const double *south = r.at(y - 1, z), *centre = r.at(y, z), *north = r.at(y + 1, z);
      const double *below = r.at(y + 1, z - 1), *above = r.at(y + 1, z + 1);
      const double *previous = sums.previous, *here = sums.here;
      double* next = sums.next;
#pragma omp simd
      for (long x = -1; x <= r.nx; ++x) {
        const double sum = below[x] + above[x];
        const double faces = south[x] + north[x] + here[x], edges = previous[x] + sum;
        next[x] = sum;
        sides[x] = c1 * centre[x] + c2 * faces;
        rest[x] = c0 * centre[x] + c1 * faces + c2 * edges;
      }
      double* out = u.at(y, z);
#pragma omp simd
      for (long x = 0; x < r.nx; ++x) out[x] += rest[x] + (sides[x - 1] + sides[x + 1]);
    }
  }
}

// Full weighting is 1/2 of (1/2 1 1/2) along each axis: first along y and z, then along x and onto every other cell.
void restrict_to(const brick& fine, const brick& coarse, const alignment& where) {
  line sum;
  for (long z = 0; z < coarse.nz; ++z)
    for (long y = 0; y < coarse.ny; ++y) {
      const long fy = 2 * y + 1 - where.y, fz = 2 * z + 1 - where.z;
      for (long row = 2; row < 4; ++row) {
        prefetch(fine.at(fy + row, fz), fine.nx);
        prefetch(fine.at(fy + row, fz + 1), fine.nx);
      }
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

/// The coarse row on which a fine row lies, or the mean of the two or four coarse rows around it.
const double* row_between(const brick& coarse, long fy, long fz, const alignment& where, line& mean) {
  // Fine cell f lies on coarse cell (f + parity - 1) / 2 if this is an integer, and otherwise between that cell and the
  // next one.
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

template <bool Add>
void interpolate_rows(const brick& coarse, const brick& fine, const alignment& where, long first, long last) {
  if (fine.nx <= 0 || fine.ny <= 0 || fine.nz <= 0) return;
  line mean;
  const long pairs = (fine.nx + where.x) / 2;  // (half-way cell, cell on a coarse one), from fine cell -parity on
  for (long z = first; z < last; ++z)
    for (long y = -1; y <= fine.ny; ++y) {
      prefetch(fine.at(y + rows_ahead, z), fine.nx);
      const double* from = row_between(coarse, y, z, where, mean);
      double* out = fine.at(y, z) - where.x;
      if (where.x == 0) put<Add>(out[-1], from[-1]);
#pragma omp simd
      for (long x = 0; x < pairs; ++x) {
        put<Add>(out[2 * x], 0.5 * (from[x - 1] + from[x]));
        put<Add>(out[2 * x + 1], from[x]);
      }
      // The remaining cells up to fine cell nx.
      const long next = 2 * pairs - where.x;
      if (next <= fine.nx) put<Add>(out[2 * pairs], 0.5 * (from[pairs - 1] + from[pairs]));
      if (next + 1 <= fine.nx) put<Add>(out[2 * pairs + 1], from[pairs]);
    }
}

void interpolate(const brick& coarse, const brick& fine, const alignment& where, bool add, long first, long last) {
  if (add)
    interpolate_rows<true>(coarse, fine, where, first, last);
  else
    interpolate_rows<false>(coarse, fine, where, first, last);
}

/// Computes a few planes of each in turn, so that the residual finds u in the cache.
void interpolate_and_find_residual(const brick& coarse, const brick& u, const alignment& where, bool add,
                                   const brick& v, const brick& r, const double* a) {
  constexpr long planes = 4;
  interpolate(coarse, u, where, add, -1, 1);
  for (long z = 0; z < u.nz; z += planes) {
    const long end = z + planes < u.nz ? z + planes : u.nz;
    interpolate(coarse, u, where, add, z + 1, end + 1);
    residual(u, v, r, a, z, end);
  }
}

void find_residual(const brick& u, const brick& v, const brick& r, const double* a) { residual(u, v, r, a, 0, u.nz); }

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

extern const kernel_set KERNELS;
const kernel_set KERNELS{KERNELS_NAME,  find_residual, smooth, restrict_to, interpolate_and_find_residual,
                         sum_of_squares};

}  // namespace nas_mg
