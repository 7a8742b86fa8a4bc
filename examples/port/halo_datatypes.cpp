// A halo exchange in two dimensions by MPI's subarray datatypes, and with Wherry. The program checks that both give the
// same bits. docs/howto/port_mpi.md shows the two parts between [ and ].
#include <mpi.h>
#include <wherry/wherry.hpp>

#include <cstdio>
#include <vector>

// [by hand
// Fills one layer of halo cells across the four edges of an array of floats, the second index fastest.
class subarray_halo {
 public:
  subarray_halo(MPI_Comm cart, int rows, int columns) : cart_(cart) {
    const int allocated[2] = {rows + 2, columns + 2}, core[2] = {rows, columns};
    for (int d = 0; d < 2; ++d) {
      MPI_Cart_shift(cart, d, 1, &below_[d], &above_[d]);
      int extents[2] = {rows, columns};
      extents[d] = 1;
      const auto layer = [&](int position) {
        int first[2] = {1, 1};
        first[d] = position;
        MPI_Datatype type;
        MPI_Type_create_subarray(2, allocated, extents, first, MPI_ORDER_C, MPI_FLOAT, &type);
        MPI_Type_commit(&type);
        return type;
      };
      halo_below_[d] = layer(0);
      edge_below_[d] = layer(1);
      edge_above_[d] = layer(core[d]);
      halo_above_[d] = layer(core[d] + 1);
    }
  }
  ~subarray_halo() {
    for (int d = 0; d < 2; ++d)
      for (MPI_Datatype* type : {&halo_below_[d], &edge_below_[d], &edge_above_[d], &halo_above_[d]})
        MPI_Type_free(type);
  }
  subarray_halo(const subarray_halo&) = delete;
  subarray_halo& operator=(const subarray_halo&) = delete;

  void start(float* u) {
    for (int d = 0; d < 2; ++d) {
      MPI_Request* r = requests_ + 4 * d;
      MPI_Irecv(u, 1, halo_below_[d], below_[d], 2 * d, cart_, &r[0]);
      MPI_Irecv(u, 1, halo_above_[d], above_[d], 2 * d + 1, cart_, &r[1]);
      MPI_Isend(u, 1, edge_above_[d], above_[d], 2 * d, cart_, &r[2]);
      MPI_Isend(u, 1, edge_below_[d], below_[d], 2 * d + 1, cart_, &r[3]);
    }
  }
  void wait() { MPI_Waitall(8, requests_, MPI_STATUSES_IGNORE); }

 private:
  MPI_Comm cart_;
  int below_[2], above_[2];
  MPI_Datatype halo_below_[2], edge_below_[2], edge_above_[2], halo_above_[2];
  MPI_Request requests_[8];
};
// by hand]

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  int ranks[2] = {}, periodic[2] = {0, 1};
  MPI_Dims_create(mpi.size(), 2, ranks);
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, ranks, periodic, 0, &cart);

  const int rows = 30, columns = 40;
  std::vector<float> u((rows + 2) * (columns + 2));
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = float(10000 * mpi.rank()) + float(i);
  auto v = u;
  subarray_halo by_hand(cart, rows, columns);
  by_hand.start(v.data());
  by_hand.wait();

  {
    // [wherry
    wherry::process_grid grid(cart);
    wherry::halo_exchange exchange(grid, {.stencil = wherry::stencil_shape::faces()},
                                   wherry::halo_around(u, {rows, columns}, 1, wherry::c_layout<2>()));
    exchange.start();
    exchange.wait();
    // wherry]
  }
  const bool same = wherry::collective::allreduce(MPI_COMM_WORLD, int(u == v), wherry::minimum{}) == 1;
  if (mpi.rank() == 0) std::printf("halo_datatypes: %s\n", same ? "the same bits" : "DIFFERENT");
  MPI_Comm_free(&cart);
  return same ? 0 : 1;
}
