// Packs by hand, and sends and receives without blocking: one message for each neighbour, however many links lead to
// it.
#include <algorithm>
#include <memory>

#include "halo.hpp"
#include "pack.hpp"

namespace lattice_boltzmann {
namespace {

class packed_halo : public halo {
 public:
  explicit packed_halo(const halo_parts& parts)
      : comm_(parts.mine.comm), arrays_{populations_of(parts.arrays[0]), populations_of(parts.arrays[1])} {
    add_links(parts);
  }

  std::string carrier() const override { return "MPI, packed by hand"; }

  // begin: what a user writes
  void start(int which) override {
    pack([&] {
      for (std::size_t p = 0; p < peers_.size(); ++p)
        MPI_Irecv(peers_[p].in.data(), static_cast<int>(peers_[p].in.size()), MPI_DOUBLE, peers_[p].rank, tag, comm_,
                  &requests_[p]);
      for (std::size_t p = 0; p < peers_.size(); ++p) {
        auto& peer = peers_[p];
        double* to = peer.out.data();
        for (const auto& part : peer.leaves) to = pack_cells(arrays_[which], part.cells, part.which, to);
        MPI_Isend(peer.out.data(), static_cast<int>(peer.out.size()), MPI_DOUBLE, peer.rank, tag, comm_,
                  &requests_[peers_.size() + p]);
      }
    });
  }

  void wait(int which) override {
    waiting([&] { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); });
    unpack([&] {
      for (const auto& peer : peers_) {
        const double* from = peer.in.data();
        for (const auto& part : peer.arrives) from = unpack_cells(from, arrays_[which], part.cells, part.which);
      }
    });
  }

 private:
  static constexpr int tag = 1;
  struct section {
    range3 cells;
    std::vector<int> which;
  };
  struct neighbour {
    int rank;
    std::vector<section> leaves, arrives;
    std::vector<double> out, in;
  };

  /// Outgoing data is in ascending order of direction. The peer sees directions reversed, so arriving data is in
  /// descending order.
  void add_links(const halo_parts& parts) {
    const auto links = links_of(parts.mine, parts.lattice, parts.kind);
    for (const auto& one : links) {
      auto& to = peer_of(one.peer);
      to.leaves.push_back({one.leaves, one.out});
      to.out.resize(to.out.size() + size_of(one.leaves) * one.out.size());
      to.arrives.insert(to.arrives.begin(), {one.arrives, one.in});
      to.in.resize(to.in.size() + size_of(one.arrives) * one.in.size());
    }
    requests_.resize(2 * peers_.size());
  }
  neighbour& peer_of(int rank) {
    const auto found = std::find_if(peers_.begin(), peers_.end(), [&](const neighbour& p) { return p.rank == rank; });
    return found != peers_.end() ? *found : peers_.emplace_back(neighbour{rank, {}, {}, {}, {}});
  }

  MPI_Comm comm_;
  populations arrays_[2];
  std::vector<neighbour> peers_;
  std::vector<MPI_Request> requests_;
  // end
};

}  // namespace

std::unique_ptr<halo> make_packed_halo(const halo_parts& parts) { return std::make_unique<packed_halo>(parts); }

}  // namespace lattice_boltzmann
