// Questions about a call, an operation and a persistent call.
#include <string>

#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"

#include "implementations.hpp"
#include "selection.hpp"

namespace wherry::collective {
namespace {

std::string_view name_of_implementation(int place) { return implementations()[static_cast<std::size_t>(place)].name; }

}  // namespace

std::string explain(const call& what) { return words_of(explained_selection(what, communicator_state::of(what.comm))); }

std::string running_call::transport() const {
  return account_.place < 0 ? std::string() : std::string(name_of_implementation(account_.place));
}

std::string running_call::explain() const {
  if (account_.place < 0) return {};
  return wherry::detail::text(
      name_of(account_.what), " by ", words_of({account_.place, account_.source, account_.obstacle, account_.wanted}),
      "; ", account_.moved.bytes_sent, " B to others, ", account_.moved.bytes_received, " B from others");
}

exchange_statistics running_call::statistics() const {
  return account_.moved.exchanges > 0 ? account_.moved : exchange_statistics();
}

std::string persistent::transport() const {
  if (auto name = last_.transport(); !name.empty()) return name;
  const auto& on = communicator_state::of(call_.comm);
  return std::string(name_of_implementation(explained_selection(call_, on, implementation_).implementation));
}

std::string persistent::explain() const {
  if (auto words = last_.explain(); !words.empty()) return words;
  auto& on = communicator_state::of(call_.comm);
  const auto chosen = explained_selection(call_, on, implementation_);
  return wherry::detail::text(name_of(call_.kind), " by ", words_of(chosen));
}

exchange_statistics persistent::statistics() const {
  auto all = before_;
  return all += last_.statistics();
}

}  // namespace wherry::collective
