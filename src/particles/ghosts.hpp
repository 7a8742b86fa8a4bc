// Ghosts from their plan to their exchanges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "wherry/halo/index_exchange.hpp"
#include "wherry/halo/index_lists.hpp"
#include "wherry/particles/ghost_particles.hpp"

#include "outside_scan.hpp"
#include "territory.hpp"

namespace wherry::particles {

using wherry::detail::particle_call;
using wherry::detail::particle_column;

class ghosts {
 public:
  /// @throws error(argument) for a cut-off that is no distance, or a territory without a space
  ghosts(std::shared_ptr<territory> ground, double cutoff, const carry_options& carry);

  void plan(const particle_call& call);
  void begin(const particle_call& call, bool back);
  bool test();
  void wait();
  void resize(std::span<const particle_column> columns) const;
  void drop(std::span<const particle_column> columns);

  std::size_t owned() const { return owned_; }
  std::size_t count() const { return count_; }
  int owner_of(std::size_t k) const;
  const communicator& comm() const { return ground_->comm; }

 private:
  /// A rank, and the whole periods that are added to the positions that it gets.
  struct target {
    int rank = 0;
    cell image{};
    auto operator<=>(const target&) const = default;
  };
  /// A box of a target that particles of a part may be near.
  struct near_box {
    std::size_t target = 0;
    real_box cells;  ///< in coordinates, or in fractions if the space is not upright
  };
  struct own_part {
    std::vector<near_box> near;  ///< ascending by target
    real_box interior;           ///< no particle in it has a ghost
  };
  /// Ghosts that arrive from one rank and have one image.
  struct group {
    int rank = 0;
    cell image{};
    std::size_t begin = 0, count = 0;
  };
  /// The ghosts that a plan finds.
  struct found_ghosts {
    std::size_t owned = 0, count = 0;
    std::vector<group> groups;
    index_lists lists;
  };
  /// The bytes of each element of an array that a call reads and writes.
  struct listed_part {
    const void* array;
    std::size_t column, begin, end;
  };
  struct bound {
    bool back;
    std::vector<wherry::detail::index_field> fields;
    index_exchange exchange;
  };

  void find_targets();
  std::size_t part_of(const coordinate_arrays& at, std::size_t i) const;
  void add_ghosts_of(std::size_t i, const position& x, const own_part& part);
  bool is_near(const position& x, const near_box& one, const position& shift) const;
  void find_senders(const coordinate_arrays& at, std::size_t owned);
  void check_plan(const particle_call& call);
  found_ghosts exchange_counts(const particle_call& call);
  void make_lists(found_ghosts& found) const;
  position shift_of(const cell& image) const;

  void list_fields(const particle_call& call, bool whole);
  void add_field(const particle_column& column, std::size_t offset, std::size_t bytes, const plans::element_type& type);
  void require_idle() const;
  void require_distinct_arrays() const;
  void check_arrays(const particle_call& call) const;
  bound* find_bound(bool back);
  void start(const particle_call& call, bool back, bool whole);
  template <class Step> auto ending(Step&& step);
  void shift_positions();
  void require_fresh() const;

  std::shared_ptr<territory> ground_;
  double cutoff_;
  carry_options carry_;
  std::vector<target> targets_;  // ascending
  std::vector<position> shifts_;
  std::vector<own_part> parts_;

  bool planned_ = false;
  std::uint64_t move_ = 0;
  std::size_t owned_ = 0, count_ = 0;
  std::vector<std::vector<index_t>> sent_;  // for each target: the particles that have a ghost there
  std::vector<group> groups_;
  index_lists lists_;

  std::deque<bound> bound_;
  std::vector<wherry::detail::index_field> fields_;
  std::vector<listed_part> listed_;
  std::vector<void*> table_;
  bound* active_ = nullptr;
  bool has_ended_by_test_ = false;
  bool shifts_positions_ = false;
  coordinate_arrays positions_;
};

}  // namespace wherry::particles
