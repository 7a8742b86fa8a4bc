// Wherry's halo exchange.
#include <memory>

#include "halo_fields.hpp"

namespace lattice_boltzmann {
namespace {

class wherry_halo : public halo {
 public:
  explicit wherry_halo(const halo_parts& parts)
      : exchange_{{parts.mine.grid, {}, halo_fields(parts, parts.arrays[0])},
                  {parts.mine.grid, {}, halo_fields(parts, parts.arrays[1])}} {}

  std::string carrier() const override { return "Wherry's halo exchange, " + exchange_[0].transport(); }

  // begin: what a user writes
  void start(int which) override {
    waiting([&] { exchange_[which].start(); });
  }
  void wait(int which) override {
    waiting([&] { exchange_[which].wait(); });
  }

 private:
  wherry::halo_exchange exchange_[2];
  // end
};

}  // namespace

std::unique_ptr<halo> make_wherry_halo(const halo_parts& parts) { return std::make_unique<wherry_halo>(parts); }

}  // namespace lattice_boltzmann
