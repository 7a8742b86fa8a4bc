#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "blocks/hand_written.hpp"
#include "blocks/sections.hpp"

namespace bench::blocks {
namespace {

// begin: what a user writes
class packed_messages final : public peer {
 public:
  explicit packed_messages(const cubes& work) : work_(work), sections_(sections(work)) {
    const auto mine = work.owned_by(work.rank);
    memory_.resize(mine.size() * static_cast<std::size_t>(work.grid()));
    const long e = work.edge();
    for (std::size_t i = 0; i < mine.size(); ++i)
      local_.push_back({mine[i], memory_.data() + static_cast<long>(i) * work.grid(), e, e * e, e * e * e});
    for (const auto& cells : local_)
      for (const auto& s : sections_) plan(cells, s);
    for (auto& [other, m] : messages_) {
      const auto order = [](const part& a, const part& b) { return a.key < b.key; };
      std::sort(m.sends.begin(), m.sends.end(), order);
      std::sort(m.receives.begin(), m.receives.end(), order);
      long doubles = 0;
      for (const auto& p : m.sends) doubles += work.components * p.what->count();
      m.out.resize(static_cast<std::size_t>(doubles));
      m.in.resize(m.out.size());
    }
    requests_.resize(2 * messages_.size());
  }

  void exchange() override {
    std::size_t request = 0;
    for (auto& [other, m] : messages_)
      MPI_Irecv(m.in.data(), static_cast<int>(m.in.size()), MPI_DOUBLE, other, 7, work_.comm, &requests_[request++]);
    for (auto& [other, m] : messages_) {
      double* wire = m.out.data();
      for (const auto& p : m.sends) wire = move<true>(p, wire);
      MPI_Isend(m.out.data(), static_cast<int>(m.out.size()), MPI_DOUBLE, other, 7, work_.comm, &requests_[request++]);
    }
    const long e = work_.edge();
    for (const auto& c : copies_)
      for (int k = 0; k < work_.components; ++k)
        copy_section(c.from + k * e * e * e, e, e * e, c.to + k * e * e * e, e, e * e, c.what->extent);
    MPI_Waitall(static_cast<int>(request), requests_.data(), MPI_STATUSES_IGNORE);
    for (auto& [other, m] : messages_) {
      double* wire = m.in.data();
      for (const auto& p : m.receives) wire = move<false>(p, wire);
    }
  }
  const std::vector<box_cells>& local() const override { return local_; }

 private:
  struct copy {
    const double* from;
    double* to;
    const section* what;
  };
  struct part {
    std::pair<int, long> key;  // the destination's box and direction, so that both sides have the same order
    double* cells;
    const section* what;
  };
  struct message {
    std::vector<part> sends, receives;
    std::vector<double> out, in;
  };

  const box_cells& mine(int box) const { return local_[static_cast<std::size_t>(box - local_.front().box)]; }

  void plan(const box_cells& cells, const section& s) {
    auto there = work_.place(cells.box), back = there;
    for (std::size_t d = 0; d < 3; ++d) {
      there[d] += s.direction[d];
      back[d] -= s.direction[d];
    }
    const int source = work_.at(there), destination = work_.at(back);
    const long number = &s - sections_.data();
    if (work_.owner(source) == work_.rank)
      copies_.push_back({mine(source).cell(s.from, 0), cells.cell(s.to, 0), &s});
    else
      messages_[work_.owner(source)].receives.push_back({{cells.box, number}, cells.cell(s.to, 0), &s});
    if (work_.owner(destination) != work_.rank)
      messages_[work_.owner(destination)].sends.push_back({{destination, number}, cells.cell(s.from, 0), &s});
  }

  template <bool Pack> double* move(const part& p, double* wire) const {
    const long e = work_.edge(), row = p.what->extent[0], plane = row * p.what->extent[1];
    for (int k = 0; k < work_.components; ++k, wire += p.what->count()) {
      double* cells = p.cells + k * e * e * e;
      if constexpr (Pack)
        copy_section(cells, e, e * e, wire, row, plane, p.what->extent);
      else
        copy_section(wire, row, plane, cells, e, e * e, p.what->extent);
    }
    return wire;
  }

  cubes work_;
  std::vector<section> sections_;
  std::vector<double> memory_;
  std::vector<box_cells> local_;
  std::vector<copy> copies_;
  std::map<int, message> messages_;
  std::vector<MPI_Request> requests_;
};
// end

class copy_rate final : public peer {
 public:
  explicit copy_rate(const cubes& work)
      : bytes_(static_cast<std::size_t>(work.payload())),
        from_(std::max(bytes_, least) / sizeof(double), 1.0),
        to_(from_.size(), 2.0) {}
  void exchange() override {
    // Walks through all of the memory in turn, so that small payloads are not copied within the cache.
    const std::size_t all = from_.size() * sizeof(double);
    for (std::size_t left = bytes_; left > 0;) {
      const std::size_t piece = std::min(left, all - at_);
      std::memcpy(reinterpret_cast<char*>(to_.data()) + at_, reinterpret_cast<const char*>(from_.data()) + at_, piece);
      left -= piece;
      at_ = (at_ + piece) % all;
    }
  }
  const std::vector<box_cells>& local() const override { return none_; }

 private:
  static constexpr std::size_t least = std::size_t{64} << 20;
  std::size_t bytes_, at_ = 0;
  std::vector<double> from_, to_;
  std::vector<box_cells> none_;
};

}  // namespace

std::unique_ptr<peer> make_packed_messages(const cubes& work) { return std::make_unique<packed_messages>(work); }
std::unique_ptr<peer> make_copy_rate(const cubes& work) { return std::make_unique<copy_rate>(work); }

}  // namespace bench::blocks
