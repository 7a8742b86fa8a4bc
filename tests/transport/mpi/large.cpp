// Beyond 2^31: elements of a field, and bytes of one message by every transport. Gigabytes: only with
// `./run test --large`. What is ordinarily tested instead is a small WHERRY_MESSAGE_LIMIT.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "wherry/core/mpi.hpp"
#include "wherry/wherry.hpp"

#include "core/sparse_exchange.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

void only_when_asked_for(const context& test) {
  if (std::getenv("WHERRY_TEST_LARGE") == nullptr) test.skip("needs 16 GB: ./run test --large");
}

constexpr wherry::index_t beyond = (wherry::index_t{1} << 31) + 77;

unsigned char value_at(wherry::index_t i, int rank) {
  return static_cast<unsigned char>(static_cast<std::uint64_t>(i) * 2654435761u >> 13) ^
         static_cast<unsigned char>(rank);
}

}  // namespace

WHERRY_TEST(a_field_of_more_than_2_31_elements, ranks(2)) {
  only_when_asked_for(test);
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<unsigned char, 1> u(grid.comm(), {beyond}, 3);
  for (const wherry::index_t i :
       {wherry::index_t{0}, wherry::index_t{1}, wherry::index_t{2}, beyond - 3, beyond - 2, beyond - 1})
    u(i) = value_at(i, test.rank);
  wherry::halo_exchange exchange(grid, u);
  exchange();
  for (int i = 0; i < 3; ++i) {
    CHECK_EQUAL(u(-1 - i), value_at(beyond - 1 - i, 1 - test.rank));
    CHECK_EQUAL(u(beyond + i), value_at(i, 1 - test.rank));
  }
}

WHERRY_TEST(lists_of_more_than_2_31_bytes, ranks(2)) {
  only_when_asked_for(test);
  const wherry::communicator comm(test.comm);
  wherry::bytes_by_peer lists;
  if (test.rank == 0) {
    auto& list = lists[1];
    list.resize(static_cast<std::size_t>(beyond));
    for (wherry::index_t i = 0; i < beyond; i += 1021)
      list[static_cast<std::size_t>(i)] = static_cast<std::byte>(value_at(i, 3));
  }
  const auto received = wherry::exchange_sparsely(comm, std::move(lists), "sparse exchange");
  if (test.rank == 0) {
    CHECK(received.empty());
    return;
  }
  REQUIRE(received.contains(0));
  const auto& list = received.at(0);
  CHECK_EQUAL(static_cast<wherry::index_t>(list.size()), beyond);
  int wrong = 0;
  for (wherry::index_t i = 0; i < beyond; i += 1021)
    wrong += list[static_cast<std::size_t>(i)] == static_cast<std::byte>(value_at(i, 3)) ? 0 : 1;
  CHECK_EQUAL(wrong, 0);
}

WHERRY_TEST(messages_of_more_than_2_31_bytes, ranks(2)) {
  only_when_asked_for(test);
  std::vector<unsigned char> data(static_cast<std::size_t>(beyond));
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    for (wherry::index_t i = 0; i < beyond; i += 1021)
      data[static_cast<std::size_t>(i)] = test.rank == 0 ? value_at(i, 5) : 0;
    wherry::carry_options how;
    how.transport = name;
    wherry::alltoall_exchange exchange(wherry::communicator(test.comm), how);
    if (test.rank == 0)
      exchange.send(1, data.data(), beyond);
    else
      exchange.receive(0, data.data(), beyond);
    exchange.commit();
    exchange();
    int wrong = 0;
    for (wherry::index_t i = 0; i < beyond; i += 1021)
      wrong += data[static_cast<std::size_t>(i)] == value_at(i, 5) ? 0 : 1;
    if (fault(wrong > 0)) FAIL(name + ": " + std::to_string(wrong) + " bytes are wrong");
  }
}
