// Published layouts: each rank tells once how its populations lie in memory, and in every step only that they are
// written. Neighbours on the same node read long rows, and an array of structures, straight into their halo, without
// packing; other short rows, and all data for other nodes, leave as double-buffered notified writes by the same calls.
#include <memory>

#include "halo_fields.hpp"

namespace lattice_boltzmann {
namespace {

// begin: what a user writes
std::vector<void*> addresses(const std::vector<wherry::halo_field>& fields) {
  std::vector<void*> result;
  for (const auto& one : fields) result.push_back(one.data);
  return result;
}
// end

class layouts_halo : public halo {
 public:
  explicit layouts_halo(const halo_parts& parts)
      : layouts_(parts.mine.grid.comm(),
                 wherry::halo_exchange(parts.mine.grid, {}, halo_fields(parts, parts.arrays[0])).schedule()),
        tables_{addresses(halo_fields(parts, parts.arrays[0])), addresses(halo_fields(parts, parts.arrays[1]))} {}

  std::string carrier() const override {
    std::string text = "published layouts, " + layouts_.explain();
    while (text.back() == '\n') text.pop_back();
    return text;
  }

  // begin: what a user writes
  void start(int which) override {
    pack([&] { layouts_.publish(tables_[which]); });
  }
  /// No rank waits for readers: before this array is written again, the neighbours' publications of the other array
  /// arrive, and each neighbour has read this array before.
  void wait(int which) override {
    waiting([&] { layouts_.read(tables_[which]); });
  }

 private:
  wherry::published_layouts layouts_;
  std::vector<void*> tables_[2];
  // end
};

}  // namespace

std::unique_ptr<halo> make_layouts_halo(const halo_parts& parts) { return std::make_unique<layouts_halo>(parts); }

}  // namespace lattice_boltzmann
