#include "default_choices.hpp"

#include "implementations.hpp"

namespace wherry::collective {
namespace {

int place_of(std::string_view name) { return implementation_named(name); }

}  // namespace

void choose_by_default(communicator_state& on) {
  const bool shares = on.one_node && on.board != nullptr && on.comm.size() > 1;
  for (int k = 0; k < kinds; ++k) {
    const auto what = static_cast<kind>(k);
    const bool ours = shares && pattern_of(what) != pattern::neighbors;
    on.chosen.set(what, {{0, ours ? place_of("shared") : mpi_itself, "the defaults"}});
  }
}

}  // namespace wherry::collective
