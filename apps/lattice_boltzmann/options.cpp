#include "options.hpp"

#include <algorithm>

#include "harness/text.hpp"

namespace lattice_boltzmann {
namespace {

template <class Value> struct named {
  std::string_view name;
  Value value;
};

constexpr named<memory_layout> layouts[] = {{"soa", memory_layout::soa}, {"aos", memory_layout::aos}};
constexpr named<stepping> steppings[] = {
    {"fused", stepping::fused}, {"split", stepping::split}, {"overlap", stepping::overlap}};
constexpr named<halo_kind> kinds[] = {{"reduced", halo_kind::reduced}, {"full", halo_kind::full}};

template <class All, class Value> const char* find_name(const All& all, Value value) {
  return std::find_if(std::begin(all), std::end(all), [&](const auto& one) { return one.value == value; })->name.data();
}

/// The slowest axis is cut most, because its faces are long rows.
std::vector<int> chosen_grid(int ranks, int dimensions) {
  std::vector<int> grid(static_cast<std::size_t>(dimensions));
  MPI_Dims_create(ranks, dimensions, grid.data());
  std::reverse(grid.begin(), grid.end());
  grid.resize(3, 1);
  return grid;
}

std::string joined(const auto& numbers) { return bench::text(numbers[0], ",", numbers[1], ",", numbers[2]); }

flow parse_flow(bench::arguments& words, const run_options& given) {
  const named<decltype(&poiseuille)> flows[] = {{"taylor-green", taylor_green}, {"poiseuille", poiseuille}};
  const auto make = words.one_of(flows, "--flow", "taylor-green").value;
  const bool walls = make == &poiseuille, flat = given.lattice->dimensions == 2;
  const long side = given.verify ? (walls ? 8 : 16) : (flat ? 256 : 64);
  const auto cells = words.list<long>("--cells", {side, side, flat ? 1 : side});
  if (cells.size() != 3 || *std::max_element(cells.begin(), cells.end()) > 4096)
    throw bench::usage_error("--cells takes three numbers from 1 to 4096, as in 64,64,32");
  if (flat && cells[2] != 1)
    throw bench::usage_error(
        bench::text("--cells is ", joined(cells), "; a lattice of two dimensions has one cell along z"));
  if (walls && cells[1] < 2) throw bench::usage_error("--cells: there must be two cells between the walls");
  const double relaxation = words.number("--tau", walls ? 1.0 : 0.8, 0.501, 10);
  return make({cells[0], cells[1], cells[2]}, relaxation, words.number("--speed", 0.04, 0, 0.3));
}

/// This is tried before anything is computed.
void check_writable(const std::string& file) {
  if (file.empty()) return;
  int rank = 0, good = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::FILE* const opened = std::fopen(file.c_str(), "ab");
    good = opened != nullptr && std::fclose(opened) == 0;
  }
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!good) throw bench::usage_error("cannot write '" + file + "'");
}

}  // namespace

const char* const usage =
    "usage: lattice_boltzmann [--lattice NAME] [--flow NAME] [--cells X,Y,Z] [--grid X,Y,Z] [--exchange NAME]\n"
    "                         [--halo reduced|full] [--layout soa|aos] [--step fused|split|overlap] [--steps N]\n"
    "                         [--tau T] [--speed U] [--verify] [--check] [--compare [--seconds T]] [--vtk FILE]\n"
    "                         [--image FILE] [--json FILE]\n"
    "A lattice-Boltzmann flow solver (BGK) whose halo exchange is written in several ways.\n"
    "  --lattice NAME    d3q19 (default) or d2q9\n"
    "  --flow NAME       taylor-green (default): a vortex that decays; poiseuille: between two walls\n"
    "  --cells X,Y,Z     cells along each axis (default 64,64,64; d2q9: 256,256,1)\n"
    "  --grid X,Y,Z      ranks along each axis (default: the slowest axis is cut most)\n"
    "  --exchange NAME   datatype, packed (default), segments, layouts, wherry\n"
    "  --halo KIND       reduced (default): only the populations that the neighbour needs; full: all of them\n"
    "  --layout NAME     soa (default) or aos: a structure of arrays, or an array of structures\n"
    "  --step NAME       fused (default): propagation and collision in one pass; split: in two; overlap: fused, the\n"
    "                    inner cells while the halo is on its way\n"
    "  --steps N         time steps (default 100; --compare: 5 a run)\n"
    "  --tau T           relaxation time (default 0.8, Poiseuille 1)\n"
    "  --speed U         the largest speed, cells a step (default 0.04)\n"
    "  --verify          instead: the order of convergence, by two sizes\n"
    "  --check           instead: the same steps with every exchange, layout, way to step and halo, compared bit for "
    "bit\n"
    "  --compare         instead: all exchanges beside each other, timed for --seconds T (default 5)\n"
    "  --vtk FILE        writes density and velocity for ParaView\n"
    "  --image FILE      writes the speed in the middle of axis z as a PNG picture\n"
    "  --json FILE       writes what was measured\n";

run_options parse(bench::arguments& words, int ranks) {
  const named<const model*> lattices[] = {{"d3q19", &three_dimensions()}, {"d2q9", &two_dimensions()}};
  run_options given;
  given.verify = words.flag("--verify");
  given.check = words.flag("--check");
  given.compare = words.flag("--compare");
  given.lattice = words.one_of(lattices, "--lattice", "d3q19").value;
  given.what = parse_flow(words, given);
  given.grid = words.list<int>("--grid", chosen_grid(ranks, given.lattice->dimensions));
  if (given.grid.size() != 3) throw bench::usage_error("--grid takes three numbers, as in 1,2,2");
  if (static_cast<long>(given.grid[0]) * given.grid[1] * given.grid[2] != ranks)
    throw bench::usage_error(bench::text("--grid is ", joined(given.grid), ", but there are ", ranks, " ranks"));
  for (std::size_t d = 0; d < 3; ++d)
    if (given.what.cells[d] < given.grid[d])
      throw bench::usage_error(
          bench::text("--cells is ", joined(given.what.cells), ", too few for ", joined(given.grid), " ranks"));
  given.exchange = &words.one_of(halo_versions, "--exchange", "packed");
  given.how.kind = words.one_of(kinds, "--halo", "reduced").value;
  given.how.order = words.one_of(layouts, "--layout", "soa").value;
  given.how.how = words.one_of(steppings, "--step", "fused").value;
  given.steps = words.integer("--steps", given.compare ? 5 : 100, 1, 100'000'000);
  given.seconds = words.number("--seconds", 5, 0, 3600);
  given.vtk = words.text("--vtk");
  given.image = words.text("--image");
  given.json = words.text("--json");
  words.finish();
  for (const auto& file : {given.vtk, given.image, given.json}) check_writable(file);
  return given;
}

const char* name_of(memory_layout order) { return find_name(layouts, order); }
const char* name_of(stepping how) { return find_name(steppings, how); }
const char* name_of(halo_kind kind) { return find_name(kinds, kind); }

}  // namespace lattice_boltzmann
