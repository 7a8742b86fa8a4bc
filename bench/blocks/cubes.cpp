#include "blocks/cubes.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench::blocks {
namespace {

template <class Visit> void for_each_cell(const cubes& work, const box_cells& cells, Visit visit) {
  const int edge = static_cast<int>(work.edge());
  const auto at = work.place(cells.box);
  for (int c = 0; c < work.components; ++c)
    for (int z = 0; z < edge; ++z)
      for (int y = 0; y < edge; ++y)
        for (int x = 0; x < edge; ++x) {
          const triple p{x, y, z};
          long number = c;
          bool inside = true;
          for (std::size_t d = 3; d-- > 0;) {
            const int local = p[d] - work.width;
            inside = inside && local >= 0 && local < work.b;
            number = number * work.n + ((at[d] * work.b + local) % work.n + work.n) % work.n;
          }
          visit(*cells.cell(p, c), static_cast<double>(number), inside);
        }
}

}  // namespace

cubes::cubes(MPI_Comm on, int domain, int box, int values, int ghosts)
    : comm(on), n(domain), b(box), components(values), width(ghosts) {
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  // The hand-written executors require a cube on every rank.
  if (boxes() < size) throw std::invalid_argument("fewer boxes than ranks: take a larger --domains or smaller --boxes");
}

int cubes::at(triple place) const {
  int number = 0;
  for (std::size_t d = 3; d-- > 0;) number = number * along() + (place[d] + along()) % along();
  return number;
}

std::vector<int> cubes::owned_by(int who) const {
  std::vector<int> mine;
  for (int i = 0; i < boxes(); ++i)
    if (owner(i) == who) mine.push_back(i);
  return mine;
}

double cubes::payload() const {
  const double whole = static_cast<double>(edge() * edge() * edge()), inner = static_cast<double>(b) * b * b;
  return static_cast<double>(owned_by(rank).size()) * components * (whole - inner) * sizeof(double);
}

void fill(const cubes& work, const std::vector<box_cells>& local) {
  for (const auto& cells : local)
    for_each_cell(work, cells, [](double& value, double right, bool inside) { value = inside ? right : -1; });
}

void rewrite(const cubes& work, const std::vector<box_cells>& local) {
  const int w = work.width, end = w + work.b;
  const auto again = [](double& value) { *static_cast<volatile double*>(&value) = value; };
  for (const auto& cells : local)
    for (int c = 0; c < work.components; ++c)
      for (int z = w; z < end; ++z)
        for (int y = w; y < end; ++y) {
          const bool all = z < 2 * w || z >= end - w || y < 2 * w || y >= end - w;
          for (int x = w; x < end; ++x) {
            if (!all && x == 2 * w) x = std::max(x, end - w);
            again(*cells.cell({x, y, z}, c));
          }
        }
}

long count_wrong(const cubes& work, const std::vector<box_cells>& local) {
  long wrong = 0, all = 0;
  for (const auto& cells : local)
    for_each_cell(work, cells, [&](double value, double right, bool) { wrong += value == right ? 0 : 1; });
  MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, work.comm);
  return all;
}

}  // namespace bench::blocks
