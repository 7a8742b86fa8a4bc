// Finds the particles that leave this rank, and where they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/particles/detail/particle_call.hpp"

#include "outside_scan.hpp"
#include "territory.hpp"

namespace wherry::particles {

using wherry::detail::particle_call;

/// The particles of this rank that leave, and those that stay but need their position corrected.
struct leaver_list {
  std::vector<std::size_t> who;        ///< those that leave, ascending
  std::vector<int> to;                 ///< the rank of each
  std::vector<std::uint8_t> wraps;     ///< for each: whether its position must be corrected
  std::vector<std::size_t> corrected;  ///< those that stay, but whose position must be corrected

  void clear() {
    who.clear();
    to.clear();
    wraps.clear();
    corrected.clear();
  }
};

class leaver_finder {
 public:
  leaver_finder(const territory& ground, bool neighbors_only) : ground_(ground), neighbors_only_(neighbors_only) {}

  /// Finds those that leave among all particles, or among those marked.
  /// @param found_some is called whenever some more have been found, while their positions are in the cache
  /// @throws error(argument) that names a particle that belongs to no rank, or a mark that is no particle's
  void find(const particle_call& call, const coordinate_arrays& at, std::size_t count, leaver_list& into,
            const std::function<void()>& found_some);

 private:
  void take_marks(const wherry::detail::particle_marks& marks, std::size_t count);
  void find_by_position(const coordinate_arrays& at, std::size_t count, bool is_marked, leaver_list& into,
                        const std::function<void()>& found_some);
  void find_by_choice(const particle_call& call, std::size_t count, leaver_list& into);
  void look_at(const coordinate_arrays& at, std::size_t i, leaver_list& into);
  void append_outside_parts(const coordinate_arrays& at, std::size_t count);
  void add(std::size_t i, int to, bool wraps, leaver_list& into) const;
  void check_unmarked(const particle_call& call, const coordinate_arrays& at, std::size_t count,
                      const leaver_list& found);
  [[noreturn]] void refuse(const std::string& what) const;

  const territory& ground_;
  bool neighbors_only_;
  std::vector<std::size_t> candidates_;
};

}  // namespace wherry::particles
