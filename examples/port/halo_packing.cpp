// A halo exchange of three arrays, written with MPI alone (pack, Isend, Irecv, unpack) and with Wherry. The program
// checks that both give the same bits. docs/howto/port_mpi.md shows the two parts between [ and ].
#include <mpi.h>
#include <wherry/wherry.hpp>

#include <array>
#include <cstdio>
#include <vector>

// [by hand
// Fills the halos of arrays of doubles, x fastest, from the 26 neighbours of a Cartesian communicator.
class packed_halo {
 public:
  packed_halo(MPI_Comm cart, std::array<int, 3> cells, int width, int arrays) : cart_(cart) {
    int ranks[3], periodic[3], mine[3];
    MPI_Cart_get(cart, 3, ranks, periodic, mine);
    for (int d = 0; d < 3; ++d) allocated_[d] = cells[d] + 2 * width;
    for (int direction = 0; direction < 27; ++direction) {
      if (direction == 13) continue;
      const int step[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
      neighbor n;
      n.direction = direction;
      int there[3], values = arrays;
      bool exists = true;
      for (int d = 0; d < 3; ++d) {
        there[d] = mine[d] + step[d];
        exists = exists && (periodic[d] || (there[d] >= 0 && there[d] < ranks[d]));
        n.extents[d] = step[d] == 0 ? cells[d] : width;
        n.leaves_at[d] = step[d] > 0 ? cells[d] : width;
        n.arrives_at[d] = step[d] == 0 ? width : step[d] > 0 ? cells[d] + width : 0;
        values *= n.extents[d];
      }
      if (!exists) continue;
      MPI_Cart_rank(cart, there, &n.rank);
      n.leaving.resize(values);
      n.arriving.resize(values);
      neighbors_.push_back(n);
    }
  }

  void operator()(const std::vector<double*>& arrays) {
    std::vector<MPI_Request> requests(2 * neighbors_.size());
    auto request = requests.begin();
    for (neighbor& n : neighbors_)  // the message comes from the neighbour's opposite direction
      MPI_Irecv(n.arriving.data(), int(n.arriving.size()), MPI_DOUBLE, n.rank, 26 - n.direction, cart_, &*request++);
    for (neighbor& n : neighbors_) {
      double* buffer = n.leaving.data();
      for (double* array : arrays)
        for_each_row(n, n.leaves_at, array, [&](double* row) {
          for (int i = 0; i < n.extents[0]; ++i) *buffer++ = row[i];
        });
      MPI_Isend(n.leaving.data(), int(n.leaving.size()), MPI_DOUBLE, n.rank, n.direction, cart_, &*request++);
    }
    MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (neighbor& n : neighbors_) {
      const double* buffer = n.arriving.data();
      for (double* array : arrays)
        for_each_row(n, n.arrives_at, array, [&](double* row) {
          for (int i = 0; i < n.extents[0]; ++i) row[i] = *buffer++;
        });
    }
  }

 private:
  struct neighbor {
    int rank = 0, direction = 0;
    int extents[3], leaves_at[3], arrives_at[3];
    std::vector<double> leaving, arriving;
  };

  template <class Body> void for_each_row(const neighbor& n, const int (&first)[3], double* array, Body body) const {
    for (int k = first[2]; k < first[2] + n.extents[2]; ++k)
      for (int j = first[1]; j < first[1] + n.extents[1]; ++j)
        body(array + first[0] + allocated_[0] * (j + long(allocated_[1]) * k));
  }

  MPI_Comm cart_;
  int allocated_[3];
  std::vector<neighbor> neighbors_;
};
// by hand]

namespace {

constexpr int width = 2;
constexpr std::array<int, 3> cells{12, 10, 8};

std::vector<double> made_on(int rank, int number) {
  std::vector<double> values((cells[0] + 2 * width) * (cells[1] + 2 * width) * (cells[2] + 2 * width));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000 * rank + 100 * number + 0.001 * double(i);
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  int ranks[3] = {}, periodic[3] = {1, 1, 0};
  MPI_Dims_create(mpi.size(), 3, ranks);
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 3, ranks, periodic, 0, &cart);

  std::vector<double> u = made_on(mpi.rank(), 0), v = made_on(mpi.rank(), 1), w = made_on(mpi.rank(), 2);
  auto a = u, b = v, c = w;
  packed_halo by_hand(cart, cells, width, 3);
  by_hand({a.data(), b.data(), c.data()});

  {
    const auto [nx, ny, nz] = cells;
    // [wherry
    wherry::process_grid grid(cart);
    const auto with_halo = [&](auto& array) { return wherry::halo_around(array, {nx, ny, nz}, width); };
    wherry::halo_exchange exchange(grid, with_halo(u), with_halo(v), with_halo(w));
    exchange();
    // wherry]
  }
  const bool same =
      wherry::collective::allreduce(MPI_COMM_WORLD, int(u == a && v == b && w == c), wherry::minimum{}) == 1;
  if (mpi.rank() == 0) std::printf("halo_packing: %s\n", same ? "the same bits" : "DIFFERENT");
  MPI_Comm_free(&cart);
  return same ? 0 : 1;
}
