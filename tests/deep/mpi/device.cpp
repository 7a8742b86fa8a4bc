// What lies on a device goes with its structure, whichever way that travels.
#include <string>
#include <vector>

#include "wherry/deep/deep.hpp"

#include "deep/mpi/counted_device.hpp"
#include "support/array_file_folder.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

WHERRY_TEST(device_memory_by_every_form, ranks(1, 2, 3, 4, 8)) {
  counted_device::install();
  const wherry::communicator comm(test.comm);
  const folder place(test);
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  for (const int n : {0, 1, 100'001}) {
    field mine, neighbours, first;
    fill(mine, n + test.rank);
    fill(neighbours, n + left);
    fill(first, n);
    const auto arrives = [](field& arrived, const field& wanted) {
      CHECK(same(arrived, wanted));
      deep::destroy(arrived);
    };
    for (const bool buffered : {false, true}) {
      field arrived, broadcasted;
      if (test.rank % 2 != 0) deep::receive(comm, arrived, left, {.buffered = buffered});
      deep::send(comm, mine, right, {.buffered = buffered});
      if (test.rank % 2 == 0) deep::receive(comm, arrived, left, {.buffered = buffered});
      arrives(arrived, neighbours);
      deep::bcast(comm, test.rank == 0 ? mine : broadcasted, 0, {.buffered = buffered});
      if (test.rank != 0) arrives(broadcasted, first);
    }
    {
      field arrived, broadcasted;
      auto leaving = deep::start_send(comm, mine, right);
      auto arriving = deep::start_receive(comm, arrived, left);
      auto to_all = deep::start_bcast(comm, test.rank == 0 ? mine : broadcasted, 0);
      to_all.wait(), arriving.wait(), leaving.wait();
      arrives(arrived, neighbours);
      if (test.rank != 0) arrives(broadcasted, first);
    }
    std::vector<field> all;
    field back;
    deep::gather(comm, mine, all, 0);
    deep::scatter(comm, all, back, 0);
    arrives(back, mine);
    deep::destroy(all);
    const auto own = place / ("own" + std::to_string(test.rank));
    deep::write(own, mine, {.sync = false});
    deep::read(own, back);
    arrives(back, mine);
    deep::save_all(comm, place / "all", mine, {.sync = false});
    auto saved = deep::load_all<field>(comm, place / "all");
    REQUIRE(saved.size() == 1);
    arrives(saved.front().object, mine);
    for (field* each : {&mine, &neighbours, &first}) deep::destroy(*each);
    CHECK_EQUAL(counted_device::pieces().size(), 0);
  }
}
