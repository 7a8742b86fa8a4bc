#include "wherry/blocks/level_coupling.hpp"

#include <algorithm>
#include <functional>

#include "core/terms.hpp"

namespace wherry::detail {

void check_levels(const communicator& comm, const level_terms& all) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "level_coupling", what, comm.rank());
  };
  const terms agreed([&](auto& say) {
    for (std::size_t d = 0; d < all.ratio.size(); ++d) say(all.ratio[d], "the ratio of dimension ", d);
    for (std::size_t d = 0; d < all.ratio.size(); ++d)
      say(all.fine_on_planes[d], "the centring: on planes in dimension ", d);
    say(all.reach, "the reach");
    say(all.only_rim, "'only_rim'");
    say(all.coarse_floor != 0, "whether the coarse floor plan is complete");
    say(all.fine_floor != 0, "whether the fine floor plan is complete");
    say(all.coarse_floor, "the coarse floor plan (as a word)");
    say(all.fine_floor, "the fine floor plan (as a word)");
    for (std::size_t d = 0; d < all.ratio.size(); ++d) {
      say(all.lower[d], "the domain: its lower end in dimension ", d);
      say(all.upper[d], "the domain: its upper end in dimension ", d);
      say(bool{all.periodic[d]}, "the domain: its periodicity in dimension ", d);
    }
  });
  collectively_on(agreed, comm, "level_coupling", [&] {
    for (std::size_t d = 0; d < all.ratio.size(); ++d)
      if (all.ratio[d] < 1) fail(text("'ratio' is ", all.ratio[d], " in dimension ", d, ", expected 1 or more"));
    if (all.reach < 0) fail(text("'reach' is ", all.reach, ", expected 0 or more"));
    if (all.coarse_components != all.fine_components)
      fail(text("the coarse level has ", all.coarse_components, " components, and the fine level has ",
                all.fine_components));
    for (std::size_t d = 0; d < all.ratio.size(); ++d)
      if (all.coarse_on_planes[d] != all.fine_on_planes[d])
        fail(text("in dimension ", d, " the values of one level are in cells, and those of the other are on planes"));
    if (all.only_rim && std::ranges::none_of(all.fine_on_planes, std::identity()))
      fail("'only_rim' needs values on planes, but these are in cells");
    if (!all.problem.empty()) fail(all.problem);
  });
}

void check_levels(const communicator& comm, const std::string& problem) {
  collectively(comm, "level_coupling", [&] {
    if (!problem.empty()) throw error(error_kind::argument, "level_coupling", problem, comm.rank());
  });
}

void throw_not_started(const communicator& comm) {
  throw error(error_kind::state, "level_coupling", "'wait_average_down' was called without 'start_average_down'",
              comm.rank());
}

}  // namespace wherry::detail
