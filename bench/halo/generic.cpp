// Compares an exchange of fields with different types or layouts with exchanges of as many bytes in equal fields.
#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "harness/steady.hpp"

namespace bench::halo {
namespace {

constexpr int width = 3;

template <class T> struct trio {
  trio(const wherry::process_grid& grid, wherry::index_t n, const wherry::layout<3>& order) {
    const wherry::field_options<3> how{.layout = order, .pad_rows = true, .name = {}};
    for (int i = 0; i < 3; ++i) field.emplace_back(grid.comm(), wherry::point<3>{n, n, n}, width, how);
  }
  std::vector<wherry::field<T, 3>> field;
};

/// Three exchanges of three equal fields each, and one exchange with a field of each kind, which has a third of their
/// bytes.
template <class A, class B, class C>
void compare(const options& given, placement_probe& probe, const wherry::process_grid& grid, const problem& p,
             const std::string& what, trio<A> a, trio<B> b, trio<C> c) {
  std::vector<wherry::halo_exchange> bound;
  bound.emplace_back(grid, a.field[0], a.field[1], a.field[2]);
  bound.emplace_back(grid, b.field[0], b.field[1], b.field[2]);
  bound.emplace_back(grid, c.field[0], c.field[1], c.field[2]);
  bound.emplace_back(grid, a.field[0], b.field[1], c.field[2]);
  std::vector<method> methods;
  for (auto& one : bound) methods.push_back({what, "ours", [&one] { one(); }});
  const auto measured = measure_steadily(probe, p.comm, methods, {.seconds = given.seconds});
  const auto& timings = measured.timings;
  double uniform = 0, spread = timings[3].spread();
  for (std::size_t i = 0; i < 3; ++i) {
    uniform += timings[i].median / 3;
    spread = std::max(spread, timings[i].spread());
  }
  json about = record("generic");
  about.add("what", what)
      .add("n", p.n)
      .add("ranks", p.size)
      .add("us", timings[3].median)
      .add("uniform_us", uniform)
      .add("spread", spread);
  measured.describe(about);
  about.write(given.out);
}

}  // namespace

void run_generic(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto fortran = wherry::fortran_layout<3>(), c = wherry::c_layout<3>();
  const wherry::layout<3> other{{1, 2, 0}};
  for (const int n : given.sizes) {
    const problem p = make_problem(MPI_COMM_WORLD, {}, n, grid_for(given.splits.front(), ranks));
    const auto grid = grid_of(p);
    compare(given, probe, grid, p, "types: float, double, int", trio<float>(grid, n, fortran),
            trio<double>(grid, n, fortran), trio<int>(grid, n, fortran));
    compare(given, probe, grid, p, "layouts: x, z, z then x fastest", trio<double>(grid, n, fortran),
            trio<double>(grid, n, c), trio<double>(grid, n, other));
  }
}

}  // namespace bench::halo
