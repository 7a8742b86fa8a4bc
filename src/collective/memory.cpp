#include "wherry/collective/memory.hpp"

#include "wherry/core/error.hpp"

#include "communicator_state.hpp"
#include "implementations.hpp"

namespace wherry::collective {
namespace {

const implementation& row_of(std::string_view where, std::string_view name) {
  const int place = implementation_named(name);
  if (place < 0) throw error(error_kind::argument, where, text("there is no implementation named '", name, "'"));
  return implementations()[static_cast<std::size_t>(place)];
}

}  // namespace

void make_ready(MPI_Comm comm, std::string_view implementation, std::int64_t bytes) {
  const auto& row = row_of("make_ready", implementation);
  if (bytes < 0) throw error(error_kind::argument, "make_ready", text("'bytes' is ", bytes));
  auto& on = communicator_state::of(comm);
  if (row.prepare != nullptr) row.prepare(row, on, bytes);
}

void give_back(MPI_Comm comm, std::string_view implementation) {
  const auto& row = row_of("give_back", implementation);
  auto& on = communicator_state::of(comm);
  if (row.give_back != nullptr) row.give_back(row, on);
}

}  // namespace wherry::collective
