#include "wherry/collective/memory.hpp"

#include "wherry/core/error.hpp"

#include "communicator_state.hpp"
#include "implementations.hpp"

namespace wherry::collective {
namespace {

const implementation& row_of(std::string_view where, std::string_view name, const communicator_state& on) {
  return implementations()[static_cast<std::size_t>(implementation_named(name, where, on.comm.rank()))];
}

}  // namespace

void make_ready(any_communicator comm, std::string_view implementation, std::int64_t bytes) {
  auto& on = communicator_state::of(comm);
  const auto& row = row_of("make_ready", implementation, on);
  if (bytes < 0)
    throw error(error_kind::argument, "make_ready", wherry::detail::text("'bytes' is ", bytes, ", expected 0 or more"),
                on.comm.rank());
  if (row.prepare != nullptr) row.prepare(row, on, bytes);
}

void give_back(any_communicator comm, std::string_view implementation) {
  auto& on = communicator_state::of(comm);
  const auto& row = row_of("give_back", implementation, on);
  if (row.give_back != nullptr) row.give_back(row, on);
}

}  // namespace wherry::collective
