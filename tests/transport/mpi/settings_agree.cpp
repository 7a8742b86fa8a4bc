// Ranks with different settings: those that must agree are compared when an exchange is bound, and named with two
// values; those that may differ do.
#include <string>

#include "wherry/wherry.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

void exchange_once(MPI_Comm comm, const std::string& transport) {
  wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::field<double, 1> u(grid.comm(), {500}, 1);
  for (int i = 0; i < 500; ++i) u(i) = grid.comm().rank();
  wherry::halo_exchange exchange(grid, {.transport = transport}, u);
  exchange(u);
  CHECK_EQUAL(u(-1), (grid.comm().rank() + grid.comm().size() - 1) % grid.comm().size());
}

}  // namespace

WHERRY_TEST(settings_that_must_agree_are_compared, ranks(2, 3, 4)) {
  struct row {
    const char *name, *variable, *usual, *other;
  };
  const int odd = test.size - 1;
  for (const auto& [name, variable, usual, other] :
       {row{"message_limit", "WHERRY_MESSAGE_LIMIT", "1G", "64"},
        row{"transport", "WHERRY_TRANSPORT", "auto", "reference"}, row{"check", "WHERRY_CHECK", "0", "1"}})
    for (const auto& transport : usable_transports(test.comm)) {
      test.note(std::string(name) + " over " + transport);
      {
        const setting one_rank(name, test.rank == odd ? other : usual, usual);
        try {
          exchange_once(test.comm, transport);
          FAIL(std::string(name) + " over " + transport + ": no error");
        } catch (const wherry::error& failure) {
          const std::string said = failure.what();
          if (failure.kind() != wherry::error_kind::mismatch || said.find(variable) == std::string::npos ||
              said.find("rank " + std::to_string(odd)) == std::string::npos ||
              said.find("on rank 0") == std::string::npos)
            FAIL(std::string(name) + " over " + transport + ": says " + said);
        }
      }
      exchange_once(test.comm, transport);
    }
}

WHERRY_TEST(settings_that_may_differ_do, ranks(2, 3, 4)) {
  struct row {
    const char *name, *usual, *other;
  };
  for (const auto& [name, usual, other] :
       {row{"timeout", "0", "50"}, row{"spin", "20", "0"}, row{"one_copy_row", "0", "64"},
        row{"arena_size", "0", "64M"}, row{"node_size", "0", "1"}, row{"stats", "0", "0"}}) {
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &fresh);
    const setting one_rank(name, test.rank == test.size - 1 ? other : usual, usual);
    for (const auto& transport : usable_transports(fresh)) exchange_once(fresh, transport);
    MPI_Comm_free(&fresh);
  }
}
