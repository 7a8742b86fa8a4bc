// gather, scatter and all_gather of structures.
#include "wherry/deep/collect.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "deep/mpi/family.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

// Some ranks have little, some much.
int people_of(int rank) { return rank % 3 == 0 && rank < 8 ? 2500 : rank % 50; }
family of_rank(const context& test, int rank) {
  return family(hash(test.seed, static_cast<std::uint64_t>(rank)), people_of(rank));
}

void free_all(std::vector<person*>& all) {
  for (auto*& p : all) deep::destroy(p);
}

}  // namespace

WHERRY_TEST(structures_gathered, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  const family mine = of_rank(test, test.rank);
  for (const MPI_Comm comm : comms.list())
    for (const int root : {0, test.size - 1}) {
      std::vector<person*> all;
      deep::gather(comm, mine.head, all, root);
      CHECK_EQUAL(all.size(), test.rank == root ? static_cast<std::size_t>(test.size) : 0u);
      for (std::size_t rank = 0; rank < all.size(); ++rank)
        CHECK(same(all[rank], of_rank(test, static_cast<int>(rank)).head));
      free_all(all);
    }
}

WHERRY_TEST(structures_scattered, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm comm : comms.list())
    for (const int root : {0, test.size - 1}) {
      std::vector<family> owners;
      std::vector<person*> all;
      if (test.rank == root)
        for (int rank = 0; rank < test.size; ++rank) {
          owners.push_back(of_rank(test, rank));
          all.push_back(owners.back().head);
        }
      family mine;
      deep::scatter(comm, all, mine.head, root);
      CHECK(same(mine.head, of_rank(test, test.rank).head));
    }
}

WHERRY_TEST(structures_gathered_everywhere, ranks(1, 2, 3, 4, 8).not_simulated("the square of the ranks")) {
  const node_communicators comms(test.comm);
  const family mine = of_rank(test, test.rank);
  for (const MPI_Comm comm : comms.list()) {
    std::vector<person*> all;
    deep::allgather(comm, mine.head, all);
    REQUIRE(all.size() == static_cast<std::size_t>(test.size));
    for (int rank = 0; rank < test.size; ++rank)
      CHECK(same(all[static_cast<std::size_t>(rank)], of_rank(test, rank).head));
    free_all(all);

    const std::vector<std::string> words(static_cast<std::size_t>(test.rank), "word");
    std::vector<std::vector<std::string>> lists{{"what was there before"}};
    deep::allgather(comm, words, lists);
    for (int rank = 0; rank < test.size; ++rank)
      CHECK_EQUAL(lists[static_cast<std::size_t>(rank)],
                  std::vector<std::string>(static_cast<std::size_t>(rank), "word"));
  }
}

WHERRY_TEST(too_few_to_scatter, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const std::vector<int> all(static_cast<std::size_t>(test.size) + 1, 3);
  int mine = 0;
  const std::string words =
      std::to_string(test.size + 1) + " structures were given, expected " + std::to_string(test.size);
  CHECK_THROWS_WITH(deep::scatter(comm, all, mine, 0), words.c_str());
  deep::scatter(comm, std::vector<int>(static_cast<std::size_t>(test.size), 4), mine, 0);
  CHECK_EQUAL(mine, 4);
}
