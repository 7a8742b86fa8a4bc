#include "transposing.hpp"

namespace nas_ft {
namespace {

// begin: what a user writes
/// Makes the motions from those blocks that are their rank's `chunk`th.
wherry::box_motions<3> moves_of_chunk(const array& from, const array& to, int chunk, int chunks) {
  return wherry::redistribution(from.plan(), to.plan()).only([=](const wherry::motion<3>& entry) {
    return entry.from % chunks == chunk;
  });
}
// end

}  // namespace

transposing_transform::transposing_transform(std::vector<array*> arrays, const std::vector<stage>& stages,
                                             direction way, const transposing_options& how) {
  for (std::size_t s = 0; s < arrays.size(); ++s) {
    auto& here = *arrays[s];
    slowest_.push_back(stages[s].slowest);
    auto& blocks = blocks_.emplace_back();
    for (const auto& [number, cells, values] : here.blocks())
      blocks.push_back(
          {cells, transforms_of_planes(values, cells, stages[s].slowest, stages[s].axes, way, how.effort)});
    // begin: what a user writes
    auto& moves = moves_.emplace_back();
    if (s + 1 == arrays.size()) break;
    const int chunks = here.plan().size() / here.comm().size();
    for (int chunk = 0; chunk < chunks; ++chunk)
      moves.emplace_back(moves_of_chunk(here, *arrays[s + 1], chunk, chunks), here, *arrays[s + 1],
                         wherry::mover_options{.carry = {.transport = how.transport}});
    // end
  }
}

// begin: what a user writes
void transposing_transform::move(std::size_t stage, std::size_t block) {
  auto& moves = moves_[stage];
  if (moves.empty()) return;
  const double began = MPI_Wtime();
  moves[block].start();
  for (std::size_t earlier = 0; earlier < block; ++earlier) moves[earlier].test();
  communicating_ += MPI_Wtime() - began;
}

void transposing_transform::finish_moves(std::size_t stage) {
  const double began = MPI_Wtime();
  for (auto& m : moves_[stage])
    if (!m.test()) m.wait();
  communicating_ += MPI_Wtime() - began;
}

// end

}  // namespace nas_ft
