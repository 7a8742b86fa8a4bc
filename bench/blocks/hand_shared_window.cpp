#include <sched.h>

#include <atomic>
#include <memory>
#include <new>

#include "blocks/hand_written.hpp"
#include "blocks/sections.hpp"

namespace bench::blocks {
namespace {

// begin: what a user writes
struct flags {
  alignas(64) std::atomic<unsigned> ready{0};
  alignas(64) std::atomic<unsigned> read{0};
};

class shared_window final : public peer {
 public:
  explicit shared_window(const cubes& work) : work_(work), sections_(sections(work)) {
    const auto mine = work.owned_by(work.rank);
    const MPI_Aint bytes =
        static_cast<MPI_Aint>(sizeof(flags) + mine.size() * static_cast<std::size_t>(work.grid()) * sizeof(double));
    void* memory = nullptr;
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, work.comm, &memory, &window_);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    new (memory) flags;
    for (int r = 0; r < work.size; ++r) bases_.push_back(base_of(r));
    for (const int box : mine) local_.push_back(cells_of(box));
    for (std::size_t i = 0; i < local_.size(); ++i)
      for (const auto& s : sections_) plan(local_[i], s);
    MPI_Barrier(work.comm);
  }
  ~shared_window() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  void exchange() override {
    ++turn_;
    flags_of(work_.rank).ready.store(turn_, std::memory_order_release);
    run(copies_of_[static_cast<std::size_t>(work_.rank)]);
    for (const int other : others_) {
      await(flags_of(other).ready);
      run(copies_of_[static_cast<std::size_t>(other)]);
    }
    flags_of(work_.rank).read.store(turn_, std::memory_order_release);
    for (const int other : others_) await(flags_of(other).read);
  }
  const std::vector<box_cells>& local() const override { return local_; }

 private:
  struct copy {
    const double* from;
    double* to;
    const section* what;
  };

  std::byte* base_of(int other) const {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* base = nullptr;
    MPI_Win_shared_query(window_, other, &bytes, &unit, &base);
    return static_cast<std::byte*>(base);
  }
  flags& flags_of(int other) const { return *reinterpret_cast<flags*>(bases_[static_cast<std::size_t>(other)]); }
  box_cells cells_of(int box) const {
    const int owner = work_.owner(box), first = work_.owned_by(owner).front();
    auto* cells = reinterpret_cast<double*>(bases_[static_cast<std::size_t>(owner)] + sizeof(flags));
    const long e = work_.edge();
    return {box, cells + (box - first) * work_.grid(), e, e * e, e * e * e};
  }
  void plan(const box_cells& to, const section& s) {
    auto place = work_.place(to.box);
    for (std::size_t d = 0; d < 3; ++d) place[d] += s.direction[d];
    const auto from = cells_of(work_.at(place));
    const auto owner = static_cast<std::size_t>(work_.owner(from.box));
    copies_of_.resize(static_cast<std::size_t>(work_.size));
    if (copies_of_[owner].empty() && owner != static_cast<std::size_t>(work_.rank))
      others_.push_back(static_cast<int>(owner));
    copies_of_[owner].push_back({from.cell(s.from, 0), to.cell(s.to, 0), &s});
  }
  void run(const std::vector<copy>& list) const {
    const long e = work_.edge();
    for (const auto& c : list)
      for (int k = 0; k < work_.components; ++k)
        copy_section(c.from + k * e * e * e, e, e * e, c.to + k * e * e * e, e, e * e, c.what->extent);
  }
  void await(const std::atomic<unsigned>& flag) const {
    for (int polls = 0; static_cast<int>(flag.load(std::memory_order_acquire) - turn_) < 0; ++polls)
      if (polls > 50) sched_yield();
  }

  cubes work_;
  std::vector<section> sections_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::byte*> bases_;
  std::vector<box_cells> local_;
  std::vector<std::vector<copy>> copies_of_;  // by the rank that owns the source
  std::vector<int> others_;
  unsigned turn_ = 0;
};
// end

}  // namespace

std::unique_ptr<peer> make_shared_window(const cubes& work) { return std::make_unique<shared_window>(work); }

}  // namespace bench::blocks
