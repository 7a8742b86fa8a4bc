#include "operand.hpp"

#include <algorithm>

#include "binomial_tree.hpp"

namespace summa {

matrix matrix_of(const wherry::grid_view<double, 2>& g) {
  return {g.data(), g.cells().extent(0), g.cells().extent(1), std::max<long>(1, g.strides()[1])};
}

// begin: what a user writes
namespace {

/// Returns the same boxes, but all from `first` to `last` along one dimension.
wherry::floor_plan<2> slabs(const wherry::floor_plan<2>& blocks, std::size_t dimension, long first, long last) {
  return blocks.transformed([=](wherry::box<2> cells) {
    cells.lower[dimension] = first;
    cells.upper[dimension] = last;
    return cells;
  });
}

/// Makes motions from a section of one source to several destinations. The owner of a panel has it already.
wherry::box_motions<2> broadcast(const wherry::floor_plan<2>& blocks, std::size_t dimension, const panel& k) {
  wherry::point<2> to_the_start{};
  to_the_start[dimension] = -k.first;
  return wherry::redistribution(blocks, slabs(blocks, dimension, k.first, k.last))
      .only([](const wherry::motion<2>& entry) { return entry.from != entry.to; })
      .transformed([=](wherry::motion<2> entry) {
        entry.destination = shift<2>(entry.destination, to_the_start);
        return entry;
      });
}

}  // namespace

operand::operand(const wherry::communicator& comm, const wherry::floor_plan<2>& blocks, const problem& what,
                 int dimension, const std::string& transport, bool proxy, broadcast_by way)
    : panels_(what.panels()), dimension_(static_cast<std::size_t>(dimension)), block_(comm, blocks) {
  for (int i = 0; i < 2; ++i) arrived_.emplace_back(comm, slabs(blocks, dimension_, 0, what.width));
  for (std::size_t k = 0; k < panels_.size(); ++k) {
    wherry::mover_options how{.carry = {.transport = transport, .progress_thread = proxy}};
    if (way == broadcast_by::tree) how.inspected = binomial_tree(what, dimension, panels_[k], comm.rank());
    moves_.emplace_back(wherry::mover(broadcast(blocks, dimension_, panels_[k]), block_, arrived_[k % 2], how));
  }
}

matrix operand::panel(std::size_t k) {
  const auto& own = block_.blocks().front().values;
  const auto& p = panels_[k];
  const bool here = p.first >= own.cells().lower[dimension_] && p.last <= own.cells().upper[dimension_];
  auto result = here ? mine() : matrix_of(arrived_[k % 2].blocks().front().values);
  if (here) result.first += (p.first - own.cells().lower[dimension_]) * own.strides()[dimension_];
  (dimension_ == 0 ? result.rows : result.columns) = p.width();
  return result;
}
// end

double operand::communicating() const {
  double seconds = 0;
  for (const auto& one : moves_) seconds += one.seconds();
  return seconds;
}

}  // namespace summa
