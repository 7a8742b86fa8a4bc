// What no exchange can beat: the same bytes from core to halo within each rank, by the same cores, nothing shared.
#include "halo/copy.hpp"
#include "halo/peers.hpp"

namespace bench::halo {
namespace {

class local_boxes : public peer {
 public:
  explicit local_boxes(const problem& p) : p_(p) {}
  void exchange() override {
    for (int e = 0; e < directions; ++e)
      if (e != here) copy_within(p_, p_.outgoing(opposite(e)), p_.incoming(e));
  }

 private:
  problem p_;
};

class local_phases : public peer {
 public:
  explicit local_phases(const problem& p) : p_(p) {}
  void exchange() override {
    for (int d = 0; d < 3; ++d) {
      const phase boxes = phase_of(p_, d);
      copy_within(p_, boxes.high_core, boxes.low_halo);
      copy_within(p_, boxes.low_core, boxes.high_halo);
    }
  }

 private:
  problem p_;
};

}  // namespace

std::unique_ptr<peer> make_local_boxes(const problem& p) { return std::make_unique<local_boxes>(p); }
std::unique_ptr<peer> make_local_phases(const problem& p) { return std::make_unique<local_phases>(p); }

}  // namespace bench::halo
