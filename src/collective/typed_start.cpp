#include "wherry/collective/typed_start.hpp"

#include <mutex>

namespace wherry::collective {

void detail::never_give_back(std::shared_ptr<void> memory) {
  static std::mutex guard;
  // Never destroyed, because MPI may write to it until the end.
  static auto& all = *new std::vector<std::shared_ptr<void>>;
  const std::lock_guard hold(guard);
  all.push_back(std::move(memory));
}

void detail::throw_taken() {
  throw error(error_kind::state, "in_flight",
              "there is no result: no call was started, or its result was already taken");
}

}  // namespace wherry::collective
