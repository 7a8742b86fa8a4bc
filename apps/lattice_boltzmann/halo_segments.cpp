// GASPI's segments, as in the paper: outgoing data is packed into the segment and written to the neighbour's segment
// with a notification; arriving data is waited for in any order, and unpacked.
#include <algorithm>
#include <memory>

#include "halo.hpp"
#include "pack.hpp"

namespace lattice_boltzmann {
namespace {

class segments_halo : public halo {
 public:
  explicit segments_halo(const halo_parts& parts)
      : links_(links_of(parts.mine, parts.lattice, parts.kind)),
        arrays_{populations_of(parts.arrays[0]), populations_of(parts.arrays[1])},
        largest_(largest_link(parts)),
        segment_(parts.mine.comm, 3 * directions * largest_) {}

  std::string carrier() const override { return "segments, " + segment_.explain(); }

  // begin: what a user writes
  void start(int which) override {
    pack([&] {
      for (const auto& to : links_) {
        double* const begin = &segment_[out(to.number)];
        double* const end = pack_cells(arrays_[which], to.leaves, to.out, begin);
        segment_.write(to.peer, in(opposite(to.number), which), {begin, end});
      }
      // Between nodes, a notification waits for all earlier writes, and all of these are under way now.
      for (const auto& to : links_) segment_.notify(to.peer, id(opposite(to.number), which));
    });
  }

  void wait(int which) override {
    for (std::size_t arrived = 0; arrived < links_.size(); ++arrived) {
      int number = 0;
      waiting([&] {
        const int found = *segment_.wait_some(id(0, which), directions);
        segment_.reset(found);
        number = found - id(0, which);
      });
      unpack([&] {
        const auto& from =
            *std::find_if(links_.begin(), links_.end(), [&](const link& l) { return l.number == number; });
        unpack_cells(&segment_[in(number, which)], arrays_[which], from.arrives, from.in);
      });
    }
  }

 private:
  /// For each direction, the segment has a place for outgoing data and two places for arriving data, because a
  /// neighbour that is one step ahead fills the other one. A neighbour cannot be two steps ahead, because it waits for
  /// the data that this rank sends after unpacking.
  std::size_t out(int number) const { return static_cast<std::size_t>(number) * largest_; }
  std::size_t in(int number, int which) const { return out((1 + which) * directions + number); }
  static int id(int number, int which) { return which * directions + number; }

  std::vector<link> links_;
  populations arrays_[2];
  std::size_t largest_;
  wherry::segment<double> segment_;
  // end
};

}  // namespace

std::unique_ptr<halo> make_segments_halo(const halo_parts& parts) { return std::make_unique<segments_halo>(parts); }

}  // namespace lattice_boltzmann
