#include "multigrid.hpp"

#include <algorithm>
#include <cmath>

namespace nas_mg {
namespace {

/// Thinner pieces cost more in messages than a second rank gains.
constexpr long thinnest_piece = 4;

/// The cuts of all levels, coarsest first.
std::vector<cut> cuts_of(long n, int ranks) {
  std::vector<cut> cuts{finest_cut(n, ranks)};
  for (; n > 2; n /= 2) cuts.push_back(agglomerated(coarsened(cuts.back()), thinnest_piece));
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

array make_right_hand_side(const wherry::communicator& comm, const level& finest) {
  const auto core = finest.u.core();
  return array(comm, {core.extent(0), core.extent(1), core.extent(2)}, 1, {.name = "v"});
}

std::vector<std::unique_ptr<level>> make_levels(const wherry::communicator& comm, long n,
                                                const std::string& transport) {
  std::vector<std::unique_ptr<level>> levels;
  for (const auto& how : cuts_of(n, comm.size())) levels.push_back(std::make_unique<level>(comm, how, transport));
  return levels;
}

}  // namespace

multigrid::multigrid(const wherry::communicator& comm, const problem& what, const std::string& transport)
    : comm_(comm),
      problem_(what),
      levels_(make_levels(comm, what.cells, transport)),
      v_(make_right_hand_side(comm, *levels_.back())) {
  for (std::size_t k = 0; k + 1 < levels_.size(); ++k)
    stairs_.emplace_back(comm, *levels_[k + 1], *levels_[k], transport);
}

void multigrid::smooth(level& at) {
  kernels().smooth(brick_of(at.r), brick_of(at.u), problem_.smoother.data());
  at.fill_u();
}

void multigrid::find_residual() {
  level& at = finest();
  kernels().residual(brick_of(at.u), brick_of(v_), brick_of(at.r), laplacian.data());
  at.fill_r();
}

void multigrid::cycle() {
  for (std::size_t k = stairs_.size(); k-- > 0;) stairs_[k].restrict_residual();

  level& coarsest = *levels_.front();
  for_each_point(coarsest.u.whole(), [&](const wherry::point<3>& p) { coarsest.u[p] = 0; });
  smooth(coarsest);

  for (std::size_t k = 0; k < stairs_.size(); ++k) {
    level& at = *levels_[k + 1];
    const bool top = &at == &finest();
    stairs_[k].correct_and_find_residual(top, top ? v_ : at.r);  // below the top the correction starts from nothing
    smooth(at);
  }
}

double multigrid::residual_norm() const {
  const double mine = kernels().sum_of_squares(brick_of(finest().r));
  double sum = 0;
  wherry::check_mpi(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
  return std::sqrt(sum / std::pow(static_cast<double>(problem_.cells), 3));
}

void multigrid::reset() {
  const array& u = finest().u;
  for_each_point(u.whole(), [&](const wherry::point<3>& p) { u[p] = 0; });
}

std::string multigrid::describe_levels() const {
  const cut& top = finest().cells;
  std::string result =
      wherry::text(top.pieces(0), " x ", top.pieces(1), " x ", top.pieces(2), " bricks; ranks a level:");
  for (auto at = levels_.rbegin(); at != levels_.rend(); ++at) result += wherry::text(" ", (*at)->cells.bricks());
  return result;
}

}  // namespace nas_mg
