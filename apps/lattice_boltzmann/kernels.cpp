// Compiled several times, with another KERNELS and other processor flags each. So nothing here may come from a header
// with inline functions: the linker would keep one copy of them, perhaps a copy that this processor cannot run.
//
// The kernels work on short pieces of a row. A piece's populations are Q rows of doubles. In the layout SoA they are
// read in place, and in AoS they are gathered in a buffer. The collision is the same for both: every cell gets the same
// operations in the same order, whichever rank owns it.
#include "kernels.hpp"

namespace lattice_boltzmann {
namespace {

constexpr long soa_piece = 64, aos_piece = 32;  // cells; the data of a piece fits the first-level cache

template <int... P> struct numbers {};
template <int Count, int... P> struct numbers_below : numbers_below<Count - 1, Count - 1, P...> {};
template <int... P> struct numbers_below<0, P...> {
  using type = numbers<P...>;
};

/// Returns a + component * b, where the component is known at compile time.
template <int Component> double plus(double a, double b) {
  if constexpr (Component > 0) return a + b;
  if constexpr (Component < 0) return a - b;
  return a;
}

template <class Lattice> struct collision {
  static constexpr int q = Lattice::populations;
  using pairs = typename numbers_below<(Lattice::populations - 1) / 2>::type;
  template <int P, int D> static constexpr int along = Lattice::velocity[2 * P + 1][D];

  double density[soa_piece], ux[soa_piece], uy[soa_piece], uz[soa_piece], rest[soa_piece];

  template <int P>
  static void add_pair(const double* const* in, long i, double& sum, double& jx, double& jy, double& jz) {
    const double one = in[2 * P + 1][i], other = in[2 * P + 2][i], difference = one - other;
    sum += one + other;
    jx = plus<along<P, 0>>(jx, difference);
    jy = plus<along<P, 1>>(jy, difference);
    jz = plus<along<P, 2>>(jz, difference);
  }

  /// Computes the density and velocity of the cells, and the common part of all equilibria of a cell.
  template <int... P> void look(const double* const* in, long cells, double force, numbers<P...>) {
#pragma omp simd
    for (long i = 0; i < cells; ++i) {
      double sum = in[0][i], jx = 0, jy = 0, jz = 0;
      (add_pair<P>(in, i, sum, jx, jy, jz), ...);
      const double inverse = 1 / sum;
      const double x = (jx + 0.5 * force) * inverse, y = jy * inverse, z = jz * inverse;
      density[i] = sum;
      ux[i] = x;
      uy[i] = y;
      uz[i] = z;
      rest[i] = 1 - 1.5 * (x * x + y * y + z * z);
    }
  }

  /// The two populations of a pair relax towards the even part of their equilibrium plus or minus its odd part.
  template <int P>
  void relax_pair(const double* const* in, double* const* out, long cells, double omega, double force) {
    constexpr double weight = Lattice::weight[2 * P + 1];
    const double *one = in[2 * P + 1], *other = in[2 * P + 2];
    double *one_out = out[2 * P + 1], *other_out = out[2 * P + 2];
    const double push = (1 - 0.5 * omega) * weight * 3 * force;
#pragma omp simd
    for (long i = 0; i < cells; ++i) {
      const double c_u = plus<along<P, 2>>(plus<along<P, 1>>(plus<along<P, 0>>(0.0, ux[i]), uy[i]), uz[i]);
      const double share = weight * density[i];
      const double even = share * (rest[i] + 4.5 * c_u * c_u), odd = share * (3 * c_u);
      const double even_push = push * (plus<along<P, 0>>(0.0, 3 * c_u) - ux[i]);
      const double odd_push = plus<along<P, 0>>(0.0, push);
      const double a = one[i], b = other[i];
      one_out[i] = a - omega * (a - (even + odd)) + (even_push + odd_push);
      other_out[i] = b - omega * (b - (even - odd)) + (even_push - odd_push);
    }
  }

  void relax_rest(const double* in, double* out, long cells, double omega, double force) {
    const double push = (1 - 0.5 * omega) * Lattice::weight[0] * 3 * force;
#pragma omp simd
    for (long i = 0; i < cells; ++i)
      out[i] = in[i] - omega * (in[i] - Lattice::weight[0] * density[i] * rest[i]) - push * ux[i];
  }

  template <int... P>
  void relax(const double* const* in, double* const* out, long cells, double omega, double force, numbers<P...>) {
    relax_rest(in[0], out[0], cells, omega, force);
    (relax_pair<P>(in, out, cells, omega, force), ...);
  }

  /// `in` and `out` may be the same rows.
  void operator()(const double* const* in, double* const* out, long cells, double omega, double force) {
    look(in, cells, force, pairs{});
    relax(in, out, cells, omega, force, pairs{});
  }
};

long around(long index, long extent) { return index < 0 ? index + extent : index >= extent ? index - extent : index; }

/// Finds the sources of the populations of a row: `source[q]` points to the value that cell 0 of the row pulls.
template <class Lattice> void find_sources(const sweep& s, long y, long z, double** source) {
  const std::ptrdiff_t step = s.from.stride[0];
  for (int q = 0; q < Lattice::populations; ++q) {
    const int* c = Lattice::velocity[q];
    const bool bounces = (c[1] > 0 && y == 0 && s.wall[0]) || (c[1] < 0 && y == s.extent[1] - 1 && s.wall[1]);
    if (bounces) {  // the wall is half a cell away: a population that left this cell comes back to it, reversed
      source[q] = s.from.at(q == 0 ? 0 : ((q - 1) ^ 1) + 1, 0, y, z);
      continue;
    }
    const long there_y = s.wraps[1] ? around(y - c[1], s.extent[1]) : y - c[1];
    const long there_z = s.wraps[2] ? around(z - c[2], s.extent[2]) : z - c[2];
    double* row = s.from.at(q, 0, there_y, there_z);
    if (s.wraps[0] && c[0] > 0) row[-step] = row[(s.extent[0] - 1) * step];
    if (s.wraps[0] && c[0] < 0) row[s.extent[0] * step] = row[0];
    source[q] = row - c[0] * step;
  }
}

/// Copies between a row of cells (AoS) and rows of populations.
template <int Count> void gather(double* const* source, double (*row)[aos_piece], long x, long cells) {
  for (int q = 0; q < Count; ++q) {
    const double* from = source[q] + x * Count;
    for (long i = 0; i < cells; ++i) row[q][i] = from[i * Count];
  }
}
template <int Count> void scatter(const double (*row)[aos_piece], double* target, long cells) {
  for (long i = 0; i < cells; ++i)
#pragma GCC unroll 19
    for (int q = 0; q < Count; ++q) target[i * Count + q] = row[q][i];
}

enum class what { pull_and_collide, pull, collide };

template <class Lattice, what Todo> void advance(const sweep& s, const range3& cells) {
  constexpr int count = Lattice::populations;
  const bool soa = s.into.stride[0] == 1;
  const long piece = soa ? soa_piece : aos_piece;
  collision<Lattice> collide;
  double buffer[count][aos_piece];
  double *source[count], *in[count], *out[count];
  for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
    for (long y = cells.lower[1]; y < cells.upper[1]; ++y) {
      if constexpr (Todo == what::collide)
        for (int q = 0; q < count; ++q) source[q] = s.into.at(q, 0, y, z);
      else
        find_sources<Lattice>(s, y, z, source);
      for (long x = cells.lower[0]; x < cells.upper[0]; x += piece) {
        const long n = x + piece < cells.upper[0] ? piece : cells.upper[0] - x;
        for (int q = 0; q < count; ++q) {
          in[q] = soa ? source[q] + x : buffer[q];
          out[q] = soa ? s.into.at(q, x, y, z) : buffer[q];
        }
        if (!soa) gather<count>(source, buffer, x, n);
        if constexpr (Todo == what::pull) {
          if (soa)
            for (int q = 0; q < count; ++q)
              __builtin_memcpy(out[q], in[q], static_cast<std::size_t>(n) * sizeof(double));
        } else {
          collide(in, out, n, s.omega, s.force);
        }
        if (!soa) scatter<count>(buffer, s.into.at(0, x, y, z), n);
      }
    }
}

template <class Lattice>
constexpr lattice_kernels kernels_of = {advance<Lattice, what::pull_and_collide>, advance<Lattice, what::pull>,
                                        advance<Lattice, what::collide>};

}  // namespace

extern const kernel_set KERNELS;
const kernel_set KERNELS = {KERNELS_NAME, kernels_of<d2q9>, kernels_of<d3q19>};

}  // namespace lattice_boltzmann
