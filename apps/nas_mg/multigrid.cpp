#include "multigrid.hpp"

#include <algorithm>
#include <cmath>

#include "harness/text.hpp"

namespace nas_mg {
namespace {

/// The least number of cells of a piece along an axis. For thinner pieces, messages cost more than a second rank gains.
constexpr long thinnest_piece = 4;

/// The cuts of all levels, coarsest first.
std::vector<cut> cuts_of(long n, int ranks) {
  std::vector<cut> cuts{finest_cut(n, ranks)};
  for (; n > 2; n /= 2) cuts.push_back(agglomerated(coarsened(cuts.back()), thinnest_piece));
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

std::vector<std::unique_ptr<level>> make_levels(const wherry::communicator& comm, long n, const communication& by) {
  std::vector<std::unique_ptr<level>> levels;
  for (const auto& how : cuts_of(n, comm.size())) levels.push_back(std::make_unique<level>(comm, how, by));
  return levels;
}

/// Clears the whole block, ghost cells included.
void set_to_zero(array& cells) {
  for (const auto& block : cells.blocks())
    for_each_point(block.values.cells(), [&](const wherry::point<3>& p) { block.values[p] = 0; });
}

}  // namespace

multigrid::multigrid(const wherry::communicator& comm, const problem& what, const communication& by)
    : comm_(comm),
      problem_(what),
      levels_(make_levels(comm, what.cells, by)),
      v_(comm, finest().cells.blocks(), {.ghost_width = wherry::halo_widths<3>(1), .name = "v"}) {
  for (std::size_t k = 0; k + 1 < levels_.size(); ++k) stairs_.emplace_back(comm, *levels_[k + 1], *levels_[k], by);
}

void multigrid::smooth(level& at) {
  const brick r = brick_of(at.r), u = brick_of(at.u);
  at.fill_r.before(r.nz, [&](long first, long last) {
    kernels().smooth(planes_of(r, first, last), planes_of(u, first, last), problem_.smoother.data());
  });
}

void multigrid::find_residual() {
  level& at = finest();
  const brick u = brick_of(at.u), v = brick_of(v_), r = brick_of(at.r);
  at.fill_u.before(r.nz, [&](long first, long last) {
    kernels().residual(planes_of(u, first, last), planes_of(v, first, last), planes_of(r, first, last),
                       laplacian.data());
  });
}

void multigrid::cycle() {
  for (std::size_t k = stairs_.size(); k-- > 0;) stairs_[k].restrict_residual();

  level& coarsest = *levels_.front();
  set_to_zero(coarsest.u);
  smooth(coarsest);

  for (std::size_t k = 0; k < stairs_.size(); ++k) {
    level& at = *levels_[k + 1];
    const bool top = &at == &finest();
    stairs_[k].correct_and_find_residual(top, top ? v_ : at.r);  // below the top, the correction starts from zero
    smooth(at);
  }
}

double multigrid::residual_norm() {
  const double mine = kernels().sum_of_squares(brick_of(finest().r));
  double sum = 0;
  wherry::check_mpi(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
  return std::sqrt(sum / std::pow(static_cast<double>(problem_.cells), 3));
}

void multigrid::reset() { set_to_zero(finest().u); }

double multigrid::communicating() const {
  double sum = 0;
  for (const auto& at : levels_) sum += at->fill_u.seconds() + at->fill_r.seconds();
  for (const auto& stair : stairs_) sum += stair.seconds();
  return sum;
}

std::string multigrid::describe_levels() const {
  const cut& top = finest().cells;
  std::string result =
      bench::text(top.pieces(0), " x ", top.pieces(1), " x ", top.pieces(2), " bricks; ranks a level:");
  for (auto at = levels_.rbegin(); at != levels_.rend(); ++at) result += bench::text(" ", (*at)->cells.bricks());
  return result;
}

}  // namespace nas_mg
