// One deep object a rank in one file, read back on any number of ranks; and deep objects in open MPI files.
#include <sys/resource.h>

#include <cstdint>
#include <sstream>

#include "deep/mpi/checkpoint_tree.hpp"
#include "support/array_file_folder.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

std::uint64_t rank_of(const context& test) { return static_cast<std::uint64_t>(test.rank); }

/// The first `size` ranks.
class some_ranks {
 public:
  some_ranks(const context& test, int size) {
    MPI_Comm_split(test.comm, test.rank < size ? 0 : MPI_UNDEFINED, test.rank, &comm_);
  }
  some_ranks(const some_ranks&) = delete;
  some_ranks& operator=(const some_ranks&) = delete;
  ~some_ranks() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Loads on `size` ranks what `savers` have saved, and looks at all of it.
void load_and_check(const context& test, const std::string& path, int size, int savers, std::uint64_t step,
                    const deep::file_options& how) {
  const some_ranks some(test, size);
  if (some.comm() == MPI_COMM_NULL) return;
  auto mine = deep::load_all<forest>(some.comm(), path, how);
  int expected = savers * test.rank / size;
  for (auto& [rank, found] : mine) {
    CHECK_EQUAL(rank, expected++);
    CHECK(is_forest_of(found, static_cast<std::uint64_t>(rank), step));
    found.itself = nullptr;
    if (how.arena == nullptr) deep::destroy(found);
  }
  CHECK_EQUAL(expected, savers * (test.rank + 1) / size);
}

}  // namespace

WHERRY_TEST(any_number_of_ranks_reads_what_any_number_saved, ranks(1, 2, 3, 4, 8)) {
  const folder place(test);
  random_numbers random(test.seed);
  for (int round = 0; round < 8; ++round) {
    const int savers = round == 0 ? test.size : random.between(1, test.size);
    const int loaders = round == 0 ? test.size : random.between(1, test.size);
    const auto step = random.next();
    const bool buffered = random.chance(40);
    const int bytes = buffered ? 0 : random.one_of({0, 4096, 100'000});
    const deep::file_options how{
        .buffered = buffered, .buffer_bytes = static_cast<std::size_t>(bytes), .sync = random.chance(10)};
    const planted mine(rank_of(test), step);
    {
      const some_ranks some(test, savers);
      if (some.comm() != MPI_COMM_NULL) deep::save_all(some.comm(), place / "state", mine.it, how);
    }
    MPI_Barrier(test.comm);  // some did not save
    CHECK(!place.has("state.part"));
    deep::arena arena;
    load_and_check(test, place / "state", loaders, savers, step,
                   {.arena = random.chance(50) ? &arena : nullptr, .buffered = random.chance(40)});
    MPI_Barrier(test.comm);
  }
}

WHERRY_TEST(objects_of_all_sizes, ranks(1, 2, 3, 4)) {
  const folder place(test);
  random_numbers random(hash(test.seed, test.rank));
  // Nothing, a byte more than a frame, several frames.
  std::vector<double> mine(static_cast<std::size_t>(random.one_of({0, 1, 32'766, 32'768, 300'000})));
  for (auto& x : mine) x = static_cast<double>(random.next() % 1000);
  deep::save_all(test.comm, place / "state", mine);
  auto found = deep::load_all<std::vector<double>>(test.comm, place / "state");
  REQUIRE(found.size() == 1);
  CHECK(found.front().object == mine);
  CHECK_EQUAL(found.front().rank, test.rank);
  // Pointers are roots as well.
  knot* tree = grow(static_cast<std::uint64_t>(test.rank), 4);
  deep::save_all(test.comm, place / "trees", tree);
  auto trees = deep::load_all<knot*>(test.comm, place / "trees");
  REQUIRE(trees.size() == 1);
  CHECK(same(trees.front().object, tree));
  deep::destroy(trees.front().object);
  deep::destroy(tree);
}

WHERRY_TEST(a_failed_save_leaves_the_last_file, ranks(1, 2, 3).not_simulated("its files have no contents")) {
  const folder place(test);
  const planted good(rank_of(test), 1);
  deep::save_all(test.comm, place / "state", good.it);
  const auto before = place.read("state");
  MPI_Barrier(test.comm);
  // A limit on the size of files behaves like a full disk, and sends no signal: the last rank alone meets it, all ranks
  // hear of it.
  const std::vector<double> large(1'000'000, 1.0);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  if (test.rank == test.size - 1) {
    const rlimit small{100'000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  CHECK_THROWS_WITH(deep::save_all(test.comm, place / "state", large), "deep::save_all");
  if (test.rank == test.size - 1) setrlimit(RLIMIT_FSIZE, &limit);
  MPI_Barrier(test.comm);
  CHECK(place.read("state") == before);
  CHECK(!place.has("state.part"));
}

WHERRY_TEST(arguments_are_checked_on_all_ranks, ranks(1, 2, 3, 4)) {
  const folder place(test);
  const std::vector<double> mine(10);
  const auto save = [&](const std::string& path, const deep::file_options& how) {
    deep::save_all(test.comm, path, mine, how);
  };
  const auto load = [&](const std::string& path) { (void)deep::load_all<std::vector<double>>(test.comm, path); };
  CHECK_THROWS_WITH(save("", {}), "'path' is empty");
  CHECK_THROWS_WITH(save(place / "no/folder", {}), "No such file or directory");
  CHECK_THROWS_WITH(save(place / "", {}), "Is a directory");
  CHECK_THROWS_WITH(save(place / "x", {.buffer_bytes = 1}), "'buffer_bytes' is 1, expected 4096 to 1048576");
  CHECK_THROWS_WITH(load(place / "missing"), "/missing': cannot read it: No such file");
  CHECK_THROWS_WITH(load(place / ""), "it is not an ordinary file");
  if (test.size > 1) {
    CHECK_THROWS_WITH(save(place / std::to_string(test.rank), {}), "the ranks disagree on the path");
    CHECK_THROWS_WITH(save(place / "x", {.sync = test.rank == 0}), "the ranks disagree on the path, the type");
    CHECK_THROWS_WITH(load(place / std::to_string(test.rank)), "deep::load_all");
  }
  MPI_Barrier(test.comm);  // rank 0 clears up
  CHECK(!place.has("x") && !place.has("x.part") && !place.has("0") && !place.has("0.part"));
}

namespace {
struct my_own : std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace

// What a rank cannot pack is an error of all; the file that was there stays.
WHERRY_TEST(one_rank_cannot_pack, ranks(1, 2, 3)) {
  const folder place(test);
  const wherry::communicator comm(test.comm);
  place.write("state", std::vector<std::byte>(10));
  for (const bool buffered : {false, true}) {
    const auto save = [&] {
      deep::detail::save_objects(comm, place / "state", 1, {.buffered = buffered}, [&](wherry::byte_sink& sink) {
        if (test.rank == test.size - 1) throw my_own("nobody can describe this");
        sink.finish();
      });
    };
    // Each rank has its own error: who fails, what it has thrown itself.
    bool mine = false;
    try {
      save();
      FAIL("nothing was thrown");
    } catch (const my_own&) {
      mine = true;
    } catch (const wherry::error& other) {
      CHECK(other.kind() == wherry::error_kind::state);
      CHECK(std::string(other.what()).find("nobody can describe this") != std::string::npos);
    }
    CHECK_EQUAL(mine, test.rank == test.size - 1);
    MPI_Barrier(test.comm);  // rank 0 clears up
    CHECK_EQUAL(place.read("state").size(), 10);
    CHECK(!place.has("state.part"));
    MPI_Barrier(test.comm);  // before rank 0 makes the next one
    // A structure that changes while it is saved.
    int calls = 0;
    const auto changing = [&] {
      deep::detail::save_objects(comm, place / "state", 1, {}, [&](wherry::byte_sink& sink) {
        const std::vector<std::byte> some(test.rank == 0 ? 10 + static_cast<std::size_t>(++calls) : 10);
        sink.write(some.data(), some.size());
        sink.finish();
      });
    };
    CHECK_THROWS_WITH(changing(), "the object has changed while it was written");
  }
}

WHERRY_TEST(open_files_have_many_objects, ranks(1, 2, 3)) {
  const folder place(test);
  random_numbers random(test.seed);
  const auto path = place / std::to_string(test.rank);
  for (int round = 0; round < 6; ++round) {
    const std::vector<double> large(static_cast<std::size_t>(random.one_of({0, 10, 200'000})), 0.5);
    MPI_File file = MPI_FILE_NULL;
    REQUIRE(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file) ==
            MPI_SUCCESS);
    const deep::file_options how{.buffered = random.chance(50)};
    for (std::uint64_t k = 0; k < 3; ++k) {
      const planted mine(k, 5);
      deep::write(file, mine.it, how);
      deep::write(file, large, how);
    }
    MPI_File_close(&file);
    REQUIRE(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS);
    for (std::uint64_t k = 0; k < 3; ++k) {
      forest found;
      deep::read(file, found, how);
      CHECK(is_forest_of(found, k, 5));
      found.itself = nullptr;
      deep::destroy(found);
      CHECK(deep::read<std::vector<double>>(file) == large);
    }
    if (round == 5) CHECK_THROWS_WITH(deep::read<std::vector<double>>(file), "the MPI file: it ends after 0 bytes");
    MPI_File_close(&file);
    std::filesystem::remove(path);
  }
  CHECK_THROWS_WITH(deep::write(MPI_File(MPI_FILE_NULL), 1.0), "'file' is MPI_FILE_NULL");
  MPI_File forwards = MPI_FILE_NULL;
  REQUIRE(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL,
                        MPI_INFO_NULL, &forwards) == MPI_SUCCESS);
  CHECK_THROWS_WITH(deep::write(forwards, 1.0), "'file' was opened with MPI_MODE_SEQUENTIAL");
  MPI_File_close(&forwards);
}
