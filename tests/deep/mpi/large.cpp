// Beyond 2 GiB, 2^31 objects and any stack's depth. Gigabytes of memory and of /tmp: only with `./run test --large`.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "wherry/core/mpi.hpp"
#include "wherry/deep/deep.hpp"

#include "support/array_file_folder.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

void only_when_asked_for(const context& test) {
  if (std::getenv("WHERRY_TEST_LARGE") == nullptr) test.skip("needs 16 GB: ./run test --large");
}

// A little more than 2 GiB.
std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> x((std::size_t{1} << 29) + 12345);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint32_t>(i * 2654435761u);
  return x;
}
bool right(const std::vector<std::uint32_t>& x) {
  if (x.size() != (std::size_t{1} << 29) + 12345) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != static_cast<std::uint32_t>(i * 2654435761u)) return false;
  return true;
}

struct chain_link {
  int number = 0;
  chain_link* next = nullptr;
  template <class Message> void describe(Message& m) { m.owned(next); }
};
struct ring_link {
  int number = 0;
  ring_link* next = nullptr;
  template <class Message> void describe(Message& m) { m.shared(next); }
};

template <class Link> std::vector<Link> chain_of(int n) {
  std::vector<Link> all(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    all[static_cast<std::size_t>(i)].number = i;
    if (i > 0) all[static_cast<std::size_t>(i - 1)].next = &all[static_cast<std::size_t>(i)];
  }
  return all;
}
// @return the first one's number after the last, when the numbers are in order until then
template <class Link> int length_of(const Link* first) {
  int n = 0;
  for (const Link* p = first; p != nullptr && p->number == n && (n == 0 || p != first); p = p->next) ++n;
  return n;
}

}  // namespace

WHERRY_TEST(more_than_2_gib_between_ranks, ranks(2)) {
  only_when_asked_for(test);
  for (const bool with_shared_memory : {true, false}) {
    const wherry::communicator ours(test.comm);
    const deep::pair_communicator comm = with_shared_memory ? deep::pair_communicator(ours) : MPI_COMM_WORLD;
    for (const bool buffered : {false, true}) {
      test.note(std::string(buffered ? "packed first" : "streamed") + (with_shared_memory ? "" : ", by messages"));
      if (test.rank == 0) {
        deep::send(comm, numbers(), 1, {.buffered = buffered});
      } else {
        std::vector<std::uint32_t> x;
        deep::receive(comm, x, 0, {.buffered = buffered});
        CHECK(right(x));
      }
    }
  }
}

WHERRY_TEST(more_than_2_gib_broadcast_and_in_flight, ranks(2)) {
  only_when_asked_for(test);
  std::vector<std::uint32_t> x;
  if (test.rank == 0) x = numbers();
  deep::bcast(test.comm, x, 0);
  CHECK(right(x));
  x = {};
  auto flight = test.rank == 0 ? deep::start_send(test.comm, numbers(), 1) : deep::start_receive(test.comm, x, 0);
  flight.wait();
  CHECK(test.rank == 0 || right(x));
}

WHERRY_TEST(more_objects_than_an_int_counts, ranks(2)) {
  only_when_asked_for(test);
  const std::int64_t many = (std::int64_t{1} << 31) + 3;
  char* all = nullptr;
  if (test.rank == 0) {
    all = new char[static_cast<std::size_t>(many)]();
    all[many - 1] = 'z';
    deep::send(test.comm, deep::array(all, many), 1);
  } else {
    std::int64_t n = 0;
    deep::receive(test.comm, deep::array(all, n), 0);
    CHECK_EQUAL(n, many);
    CHECK_EQUAL(all[n - 1], 'z');
  }
  delete[] all;
}

WHERRY_TEST(more_than_2_gib_in_files, ranks(2)) {
  only_when_asked_for(test);
  const folder place(test);
  if (test.rank == 0) {
    const auto name = place / "own";
    deep::write(name, numbers(), {.sync = false});
    CHECK(std::filesystem::file_size(name) > std::uintmax_t{1} << 31);
    CHECK(right(deep::read<std::vector<std::uint32_t>>(name)));
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, name.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    deep::write(file, numbers());
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    CHECK(right(deep::read<std::vector<std::uint32_t>>(file)));
    MPI_File_close(&file);
    std::ifstream in(name, std::ios::binary);
    CHECK(right(deep::read<std::vector<std::uint32_t>>(in)));
    std::filesystem::remove(name);
  }
  MPI_Barrier(test.comm);
  deep::save_all(test.comm, place / "all", numbers(), {.sync = false});
  const auto saved = deep::load_all<std::vector<std::uint32_t>>(test.comm, place / "all");
  REQUIRE(saved.size() == 1);
  CHECK(right(saved.front().object));
}

WHERRY_TEST(deeper_than_any_stack, ranks(2)) {
  only_when_asked_for(test);
  deep::arena memory;
  const int links = 100'000'000, in_ring = 10'000'000;
  if (test.rank == 0) {
    auto chain = chain_of<chain_link>(links);
    deep::send(test.comm, chain.front(), 1);
    auto ring = chain_of<ring_link>(in_ring);
    ring.back().next = &ring.front();
    deep::send(test.comm, ring.front(), 1);
  } else {
    chain_link first;
    const auto figures = deep::receive(test.comm, first, 0, {.arena = &memory}).figures;
    CHECK_EQUAL(length_of(&first), links);
    CHECK(figures.working_bytes < 65536);
    memory.release();
    ring_link any;
    deep::receive(test.comm, any, 0, {.arena = &memory});
    CHECK_EQUAL(length_of(&any), in_ring);
  }
}
