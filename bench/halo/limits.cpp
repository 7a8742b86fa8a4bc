// Limits that no exchange can beat: the same cores move the same bytes, and share at most a flag.
#include <atomic>
#include <cstring>
#include <memory>

#include "halo/copy.hpp"
#include "halo/peers.hpp"

namespace bench::halo {
namespace {

class local_boxes : public peer {
 public:
  explicit local_boxes(const problem& p) : p_(p) {}
  void exchange() override {
    for (int e = 0; e < directions; ++e)
      if (p_.sends(e)) copy_within(p_, p_.outgoing(opposite(e)), p_.incoming(e));
  }

 private:
  problem p_;
};

class local_phases : public peer {
 public:
  explicit local_phases(const problem& p) : p_(p), phases_(phases_of(p)) {}
  void exchange() override {
    for (const phase& d : phases_) {
      copy_within(p_, d.high_core, d.low_halo);
      copy_within(p_, d.low_core, d.high_halo);
    }
  }

 private:
  problem p_;
  std::vector<phase> phases_;
};

/// Data for another rank is packed, and unpacked from this rank's own buffer, and the neighbours' flags are waited for.
/// This is all the work of an exchange through memory except fetching cache lines that another core has written.
class flag_and_copies : public peer {
 public:
  explicit flag_and_copies(const problem& p) : p_(p), phases_(phases_of(p)) {
    char* mine = nullptr;
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(line * phases_.size()), 1, MPI_INFO_NULL, p.comm, &mine, &window_);
    std::memset(mine, 0, line * phases_.size());
    for (int rank = 0; rank < p.size; ++rank) {
      MPI_Aint size = 0;
      int unit = 0;
      flags_.emplace_back();
      MPI_Win_shared_query(window_, rank, &size, &unit, &flags_.back());
    }
    for (const phase& d : phases_) buffers_.emplace_back(2 * d.bytes);
    MPI_Barrier(p.comm);
  }
  ~flag_and_copies() override { MPI_Win_free(&window_); }

  void exchange() override {
    ++number_;
    for (std::size_t d = 0; d < phases_.size(); ++d) {
      const phase& one = phases_[d];
      if (one.low == p_.rank) {
        copy_within(p_, one.high_core, one.low_halo);
        copy_within(p_, one.low_core, one.high_halo);
        continue;
      }
      char* const buffer = buffers_[d].data();
      pack(p_, one.low_core, pack(p_, one.high_core, buffer));
      flag(p_.rank, d).store(number_, std::memory_order_release);
      while (flag(one.low, d).load(std::memory_order_acquire) < number_ ||
             flag(one.high, d).load(std::memory_order_acquire) < number_) {
      }
      unpack(p_, one.high_halo, unpack(p_, one.low_halo, buffer));
    }
  }

 private:
  static constexpr std::size_t line = 128;
  std::atomic_ref<long> flag(int rank, std::size_t d) const {
    return std::atomic_ref<long>(*reinterpret_cast<long*>(flags_[static_cast<std::size_t>(rank)] + line * d));
  }

  problem p_;
  std::vector<phase> phases_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<char*> flags_;
  std::vector<std::vector<char>> buffers_;
  long number_ = 0;
};

}  // namespace

std::unique_ptr<peer> make_local_boxes(const problem& p) { return std::make_unique<local_boxes>(p); }
std::unique_ptr<peer> make_local_phases(const problem& p) { return std::make_unique<local_phases>(p); }
std::unique_ptr<peer> make_flag_and_copies(const problem& p) { return std::make_unique<flag_and_copies>(p); }

}  // namespace bench::halo
