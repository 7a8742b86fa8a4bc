#include "wherry/collective/choice.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"

#include "arguments.hpp"
#include "core/terms.hpp"
#include "implementations.hpp"
#include "selection.hpp"

namespace wherry::collective {

std::vector<implementation_info> implementations_there_are() {
  std::vector<implementation_info> all;
  for (const auto& row : implementations()) all.push_back({row.name, row.what, row.reproducible});
  return all;
}

std::string_view obstacle(const call& what, std::string_view implementation) {
  const auto& on = communicator_state::of(what.comm);
  check_arguments(what, on.comm.rank(), on.comm.size(), on.around.get());
  const auto place = implementation_named(implementation, "obstacle");
  const auto& row = implementations()[static_cast<std::size_t>(place)];
  return row.obstacle(row, shape_of(what, on), on);
}

void choose(any_communicator comm, kind what, std::string_view implementation, std::int64_t from_bytes) {
  auto& on = communicator_state::of(comm);
  const terms agreed([&](auto& say) {
    say(name_of(what), "the collective");
    say(implementation, "the implementation");
    say(from_bytes, "'from_bytes'");
  });
  int place = 0;
  collectively_on(agreed, on.comm, "choose", [&] {
    place = implementation_named(implementation, "choose");
    if (from_bytes < 0)
      throw error(error_kind::argument, "choose",
                  wherry::detail::text("'from_bytes' is ", from_bytes, ", expected 0 or more"));
  });
  on.chosen.add(what, {chooser::program, place, from_bytes});
}

}  // namespace wherry::collective
