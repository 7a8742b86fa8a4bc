/// @file
/// The inspector: turns motions between arrays into a part of one rank's schedule. Makes no MPI call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wherry/motion/movement.hpp"

#include "core/stable_list.hpp"
#include "section_rows.hpp"

namespace wherry {

/// The source, the destination and the circumstances of a motion.
template <int N> struct motion_sides {
  const detail::array_shape<N>*source, *destination;
  detail::inspection how;
};

/// Adds motions to a schedule. If the elements of the two sides differ in size, the operation is a conversion. Sections
/// longer than a packet are cut.
template <int N> class motion_inspector {
 public:
  /// @param alike arrays that are carried together. They have the same floor plans, ghost widths and centring, and
  ///        differ in `inspection` only by `number` and the fields. Each entry is made and checked once for all of
  ///        them. The arrays must outlive this object.
  explicit motion_inspector(const std::vector<motion_sides<N>>& alike);

  /// Adds a motion to the builder's current stage. May be called for several stages in turn.
  /// @throws error(argument) for a wrong entry that this rank takes part in.
  void run(const plans::motion_builder<motion_plan<N>>& motions);

 private:
  enum class role : std::uint32_t { copy, send, receive };
  struct correspondence;
  /// The data of a floor plan and of its ghost widths that each entry needs, for fast access.
  struct boxes_of {
    const box<N>* cells;
    const int* owners;
    const floor_plan<N>* partial;  // null if all boxes are known
    int size;
    halo_widths<N> around;

    explicit boxes_of(const detail::array_shape<N>& side);
    [[gnu::always_inline]] inline int place_of(int number) const {
      return partial == nullptr ? number : partial->place_of(number);
    }
    int owner(int place) const { return place < 0 ? -1 : owners[place]; }
    [[gnu::always_inline]] inline bool hold(int place, const box<N>& section) const {
      const auto& own = cells[place];
      bool in = true;  // an empty box has no ghost cells
      for (std::size_t d = 0; d < N; ++d)
        in = in && own.lower[d] < own.upper[d] && section.lower[d] >= own.lower[d] - around.minus[d] &&
             section.upper[d] <= own.upper[d] + around.plus[d];
      return in || section.empty();
    }
  };
  /// An entry to be sorted. The first sort keys are stored as two integers.
  struct part {
    std::uint64_t role_and_peer, to_and_from;
    const motion<N>* entry;  // in the user's list, or in `kept_`

    part(role what, int peer, const motion<N>& e)
        : role_and_peer(joined(static_cast<int>(what), peer)), to_and_from(joined(e.to, e.from)), entry(&e) {}
    role what() const { return static_cast<role>(role_and_peer >> 32); }
    int peer() const { return static_cast<int>(role_and_peer & 0xffffffffu); }
    static std::uint64_t joined(int high, int low) {
      return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
    }
  };
  /// One of the arrays that are carried together. If source and destination are one array, `from` serves both.
  struct carried {
    const detail::array_shape<N>& source;
    detail::inspection how;
    visit_order<N> usual;
    bool converts;
    section_rows<N> from;
    std::optional<section_rows<N>> other;
    // Copies with shapes that are not looked up yet, so that their cache misses overlap. With several arrays, two
    // consecutive entries are copied array by array: they are mostly the two faces of a dimension, which touch the same
    // cache lines of an array.
    struct waiting_copy {
      typename section_rows<N>::asked_section from;
      typename section_rows<N>::asked_place to;
      bool overlaps;
    };
    std::array<waiting_copy, 16> waiting;
    std::size_t waiting_count = 0;
    bool alone;

    carried(const motion_sides<N>& sides, bool is_alone);
    section_rows<N>& to() { return other ? *other : from; }
    /// Copies between sections of the same shape, in grids at known places of the lists. False if the rows must be
    /// asked for one by one.
    [[gnu::always_inline]] inline bool copy(const motion<N>& e, std::size_t from_place, std::size_t to_place,
                                            bool overlaps);
    void add_waiting();
  };

  void add(const motion<N>& e);
  [[gnu::always_inline]] inline bool copy_own(const motion<N>& e);
  [[gnu::noinline]] void look_up(const motion<N>& e);
  bool overlaps(const motion<N>& e) const {
    return how_.endogenous && e.from == e.to && !intersection(e.source, e.destination).empty();
  }
  void keep(role what, int peer, const motion<N>& e);
  void sort();
  void give(const part& one, carried& c);
  void copy(const motion<N>& e, const correspondence& sections, carried& c);
  void cross(role what, int peer, const motion<N>& e, const correspondence& sections, carried& c);
  void cut(role what, int peer, const motion<N>& e, const correspondence& sections, carried& c);

  static plans::block_row source_row(const motion<N>& e, const correspondence& sections, carried& c);
  static plans::block_row destination_row(const motion<N>& e, const correspondence& sections, carried& c);
  int place(const boxes_of& side, int number, const motion<N>& e) const;
  void check(const motion<N>& e, int source, int destination, const correspondence& sections) const;
  void look_closer(const motion<N>& e, int source, int destination, const correspondence& sections) const;
  [[noreturn]] void fail(const motion<N>& e, std::string_view what) const;

  boxes_of source_, destination_;
  detail::inspection how_;
  std::vector<carried> carried_;
  // Entries that must be sorted.
  std::vector<part> parts_;
  stable_list<motion<N>> kept_;  // entries of builders, which no list holds
  bool entries_stay_ = false;
};

}  // namespace wherry
