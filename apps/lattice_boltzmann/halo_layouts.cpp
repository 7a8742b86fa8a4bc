// Published layouts: each rank says once how its populations lie in memory. A neighbour on the same node is told when
// they are written, and reads what it needs straight from them into its halo: no pack, no unpack, one copy. Neighbours
// on other nodes get packed, double-buffered writes by the same calls.
#include <algorithm>

#include "halo.hpp"
#include "pack.hpp"

namespace lattice_boltzmann {
namespace {

class layouts_halo : public halo {
 public:
  explicit layouts_halo(const halo_parts& parts)
      : arrays_{populations_of(parts.arrays[0]), populations_of(parts.arrays[1])},
        published_{{parts.mine.comm, memory_of(parts.arrays[0])}, {parts.mine.comm, memory_of(parts.arrays[1])}},
        staging_(parts.mine.comm, 3 * directions * largest_link(parts)) {
    add_links(parts);
  }
  ~layouts_halo() override { say_goodbye(); }

  std::string carrier() const override { return "published layouts, " + published_[0].explain(); }

  // begin: what a user writes
  void start(int which) override {
    pack([&] {
      for (const auto& to : links_) {
        const int there = opposite(to.number);
        if (to.near) {
          staging_.notify(to.peer, id(there, which));
        } else {
          double* const begin = &staging_[out(to.number)];
          double* const end = pack_cells(arrays_[which], to.leaves, to.out, begin);
          staging_.write_notify(to.peer, in(there, which), {begin, end}, id(there, which));
        }
      }
    });
  }

  void wait(int which) override {
    for (std::size_t arrived = 0; arrived < links_.size(); ++arrived) {
      int number = 0;
      waiting([&] { number = next_of(which); });
      unpack([&] {
        const auto& from =
            *std::find_if(links_.begin(), links_.end(), [&](const auto& l) { return l.number == number; });
        if (from.near)
          copy_cells(from.theirs[which], arrays_[which], from.arrives, from.in);
        else
          unpack_cells(&staging_[in(number, which)], arrays_[which], from.arrives, from.in);
      });
    }
  }

 private:
  /// How a rank's cells lie in its memory, in doubles from the memory's beginning.
  struct layout {
    std::ptrdiff_t first, q, stride[3];
    long extent[3];
  };
  struct published_link : link {
    bool near = false;        ///< on this node
    populations theirs[2]{};  ///< the neighbour's cells, under the indices that they have here
  };

  /// No rank overwrites an array whose cells are still to be read. It does so a step later, after its next `wait`,
  /// which waits for what this rank tells it in its next `start`, after its own reads: that is the acknowledgement. The
  /// same holds for what is staged twice. Only the last reads of all need one of their own.
  void say_goodbye() {
    constexpr int last = 2;
    constexpr double seconds = 10;  // of patience with ranks that have failed
    for (const auto& to : links_) staging_.notify(to.peer, id(opposite(to.number), last));
    for (const auto& from : links_) staging_.wait(id(from.number, last), seconds);
  }

  int next_of(int which) {
    const int found = *staging_.wait_some(id(0, which), directions);
    staging_.reset(found);
    return found - id(0, which);
  }

  void add_links(const halo_parts& parts) {
    const auto& mine = parts.mine;
    const auto& f = arrays_[0];
    layout here{f.first - parts.arrays[0].data(),
                f.q,
                {f.stride[0], f.stride[1], f.stride[2]},
                {mine.extent[0], mine.extent[1], mine.extent[2]}};
    std::vector<layout> all(static_cast<std::size_t>(mine.grid.size()));
    MPI_Allgather(&here, sizeof here, MPI_BYTE, all.data(), sizeof here, MPI_BYTE, mine.comm);
    for (auto& one : links_of(mine, parts.lattice, parts.kind)) {
      published_link added{std::move(one)};
      const auto& there = all[static_cast<std::size_t>(added.peer)];
      added.near = published_[0].in_place(added.peer) != nullptr && published_[1].in_place(added.peer) != nullptr;
      for (int k = 0; k < 2 && added.near; ++k) {
        // Read only: `populations` has no const twin.
        double* first = const_cast<double*>(published_[k].in_place(added.peer)) + there.first;
        for (std::size_t d = 0; d < 3; ++d)
          first -= added.where[d] * there.stride[d] * (added.where[d] > 0 ? mine.extent[d] : there.extent[d]);
        added.theirs[k] = {first, there.q, {there.stride[0], there.stride[1], there.stride[2]}};
      }
      links_.push_back(std::move(added));
    }
    largest_ = largest_link(parts);
  }

  static std::span<double> memory_of(population_field& field) {
    std::ptrdiff_t last = 0;
    for (std::size_t d = 0; d < 4; ++d) last += (field.whole().extent(static_cast<int>(d)) - 1) * field.strides()[d];
    return {field.data(), static_cast<std::size_t>(last + 1)};
  }

  std::size_t out(int number) const { return static_cast<std::size_t>(number) * largest_; }
  std::size_t in(int number, int which) const { return out((1 + which) * directions + number); }
  static int id(int number, int which) { return which * directions + number; }

  populations arrays_[2];
  wherry::segment<double> published_[2];
  wherry::segment<double> staging_;
  std::size_t largest_ = 0;
  std::vector<published_link> links_;
  // end
};

}  // namespace

std::unique_ptr<halo> make_layouts_halo(const halo_parts& parts) { return std::make_unique<layouts_halo>(parts); }

}  // namespace lattice_boltzmann
