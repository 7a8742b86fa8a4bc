// No exchange: this version only packs and unpacks the same cells by the same loops, to show the time of that alone.
// The arriving cells are this rank's own, so the flow is a different one.
#include <memory>
#include <vector>

#include "halo.hpp"
#include "pack.hpp"

namespace lattice_boltzmann {
namespace {

class limit_halo : public halo {
 public:
  explicit limit_halo(const halo_parts& parts)
      : arrays_{populations_of(parts.arrays[0]), populations_of(parts.arrays[1])},
        links_(links_of(parts.mine, parts.lattice, parts.kind)) {
    for (const auto& one : links_) buffers_.emplace_back(size_of(one.leaves) * one.out.size());
  }

  std::string carrier() const override { return "nobody: packed and unpacked only"; }

  void start(int which) override {
    pack([&] {
      for (std::size_t i = 0; i < links_.size(); ++i)
        pack_cells(arrays_[which], links_[i].leaves, links_[i].out, buffers_[i].data());
    });
  }
  void wait(int which) override {
    unpack([&] {
      for (std::size_t i = 0; i < links_.size(); ++i)
        unpack_cells(buffers_[i].data(), arrays_[which], links_[i].arrives, links_[i].in);
    });
  }

 private:
  populations arrays_[2];
  std::vector<link> links_;
  std::vector<std::vector<double>> buffers_;
};

}  // namespace

std::unique_ptr<halo> make_limit_halo(const halo_parts& parts) { return std::make_unique<limit_halo>(parts); }

}  // namespace lattice_boltzmann
