// Every form of a deep copy between ranks and files, of every container, and of types drawn by numbers: the structures
// themselves are made again on each rank to compare with.
#include <mpi.h>

#include <array>
#include <bitset>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wherry/deep/deep.hpp"

#include "deep/mpi/random_types.hpp"
#include "support/array_file_folder.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

const deep::registered<dog, animal> dog_is_known("dog");

using every_container =
    std::tuple<std::vector<std::string>, std::vector<bool>, std::deque<std::string>, std::list<int>,
               std::forward_list<std::string>, std::array<std::string, 3>, std::stack<std::string>, std::queue<int>,
               std::set<std::string>, std::multiset<int>, std::map<std::string, std::vector<int>>,
               std::multimap<int, std::string>, std::unordered_set<std::string>,
               std::unordered_map<int, std::list<std::string>>, std::optional<std::string>,
               std::variant<int, std::string, std::vector<double>>, std::pair<char, std::string>,
               std::unique_ptr<std::string>, std::vector<std::shared_ptr<std::string>>, std::unique_ptr<animal>,
               std::complex<float>, std::bitset<70>, aggregate<std::string, int>, std::vector<vertex<std::string>*>>;

class slow_map {
 public:
  const std::uint64_t* find(const void* p) const {
    const auto at = known_.find(p);
    return at == known_.end() ? nullptr : &at->second;
  }
  void insert(const void* p, std::uint64_t number) { known_.emplace(p, number); }

 private:
  std::unordered_map<const void*, std::uint64_t> known_;
};

template <class T> class every_form {
 public:
  explicit every_form(const context& test) : test_(test), comm_(test.comm), mine_(of_rank(test.rank)) {}
  every_form(const every_form&) = delete;
  every_form& operator=(const every_form&) = delete;
  ~every_form() { deep::destroy(mine_); }

  void run() {
    for (const bool buffered : {false, true}) {
      around(deep::options{.buffered = buffered}, false);
      around(deep::options{.buffered = buffered}, true);
      for (int root = 0; root < test_.size; ++root) {
        broadcast(root, {.buffered = buffered});
        collect(root);
      }
      files(deep::file_options{.buffered = buffered, .sync = false});
    }
    in_flight();
  }

 private:
  // Registered classes have the library's own map.
  using map = std::conditional_t<holds_animals<T>, deep::pointer_map, slow_map>;

  T of_rank(int rank) const { return filler(hash(test_.seed, static_cast<std::uint64_t>(rank))).template one<T>(); }
  void must_be_of(int rank, T& arrived, bool in_arena = false) {
    T wanted = of_rank(rank);
    CHECK(same_structure(arrived, wanted));
    deep::destroy(wanted);
    if (!in_arena) deep::destroy(arrived);
  }
  int left() const { return (test_.rank + test_.size - 1) % test_.size; }
  int right() const { return (test_.rank + 1) % test_.size; }

  // From each rank to the next: even ones send first.
  void around(deep::options how, bool into_arena) {
    test_.note(how.buffered ? "send, packed first" : "send");
    deep::arena memory;
    T arrived{};
    const auto receive = [&] {
      if (into_arena) how.arena = &memory;
      deep::receive(comm_, arrived, left(), how);
    };
    if (test_.rank % 2 != 0) receive();
    deep::send<map>(comm_, mine_, right(), how);
    if (test_.rank % 2 == 0) receive();
    must_be_of(left(), arrived, into_arena);
  }
  void broadcast(int root, const deep::options& how) {
    test_.note("broadcast of rank " + std::to_string(root));
    if (test_.rank == root) {
      deep::bcast<map>(comm_, mine_, root, how);
    } else {
      T arrived{};
      deep::bcast(comm_, arrived, root, how);
      must_be_of(root, arrived);
    }
  }
  void collect(int root) {
    test_.note("gather, all_gather, scatter of rank " + std::to_string(root));
    std::vector<T> all;
    deep::gather<map>(comm_, mine_, all, root);
    CHECK_EQUAL(all.size(), test_.rank == root ? static_cast<std::size_t>(test_.size) : 0u);
    T back{};
    deep::scatter<map>(comm_, all, back, root);
    must_be_of(test_.rank, back);
    check_all(all);
    std::vector<T> everywhere;
    deep::allgather<map>(comm_, mine_, everywhere);
    CHECK_EQUAL(everywhere.size(), static_cast<std::size_t>(test_.size));
    check_all(everywhere);
  }
  void check_all(std::vector<T>& all) {
    for (std::size_t rank = 0; rank < all.size(); ++rank) must_be_of(static_cast<int>(rank), all[rank]);
  }
  void files(const deep::file_options& how) {
    test_.note("files");
    const folder place(test_);
    const auto name = place / ("own" + std::to_string(test_.rank));
    deep::write(name, mine_, how);
    from_file([&](T& x) { deep::read(name, x, how); });
    {
      std::ofstream out(name, std::ios::binary);
      deep::write<map>(out, mine_, how);
    }
    from_file([&](T& x) {
      std::ifstream in(name, std::ios::binary);
      deep::read(in, x, how);
    });
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, (name + "mpi").c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    deep::write<map>(file, mine_, how);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    from_file([&](T& x) { deep::read(file, x, how); });
    MPI_File_close(&file);
    deep::save_all<map>(comm_, place / "all", mine_, how);
    auto saved = deep::load_all<T>(comm_, place / "all", how);
    REQUIRE(saved.size() == 1);
    must_be_of(saved.front().rank, saved.front().object);
    CHECK_EQUAL(saved.front().rank, test_.rank);
  }
  template <class Read> void from_file(Read read) {
    T arrived{};
    read(arrived);
    must_be_of(test_.rank, arrived);
  }
  void in_flight() {
    test_.note("in flight");
    T arrived{}, broadcasted{};
    auto leaving = deep::start_send<map>(comm_, mine_, right());
    auto arriving = deep::start_receive(comm_, arrived, left());
    auto to_all = test_.rank == 0 ? deep::start_bcast<map>(comm_, mine_, 0) : deep::start_bcast(comm_, broadcasted, 0);
    arriving.wait();
    leaving.wait();
    to_all.wait();
    must_be_of(left(), arrived);
    if (test_.rank != 0) must_be_of(0, broadcasted);
  }

  const context& test_;
  wherry::communicator comm_;
  T mine_;
};

}  // namespace

WHERRY_TEST(every_container_by_every_form, ranks(1, 2, 3, 4, 5, 6, 7, 8)) { every_form<every_container>(test).run(); }

WHERRY_TEST(random_types_by_every_form, ranks(1, 2, 3, 4, 5, 6, 7, 8)) {
  every_form<random_type<hash(1, 1004), 3>>(test).run();
  every_form<random_type<hash(1, 1005), 3>>(test).run();
}
