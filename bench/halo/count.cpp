// Counts the instructions and shared cache lines of a start and wait whose peers have arrived already.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "halo/peers.hpp"
#include "harness/single_steps.hpp"

namespace bench::halo {
namespace {

/// The contenders that are counted at one size and split.
class counting {
 public:
  counting(const options& given, const problem& p, std::string split)
      : given_(given), split_(std::move(split)), p_(p), grid_(grid_of(p)), heap_(p), fields_(grid_, p, true) {}

  void run() {
    for (const auto& name : transports(given_.transports)) {
      count_exchange(name + ", users' arrays", name, halos_of_users(heap_.with_fields), heap_.with_fields);
      count_exchange(name, name, fields_.halos, fields_.with_fields);
    }
    for (const auto& row : hand_written()) {
      const auto peer = row.make(heap_.with_fields);
      count(row.name, heap_.with_fields, [&] { peer->exchange(); });
    }
  }

 private:
  void count_exchange(const std::string& label, const std::string& transport,
                      const std::vector<wherry::halo_field>& halos, const problem& on) {
    std::unique_ptr<wherry::halo_exchange> bound;
    try {
      bound = bind_exchange(grid_, halos, transport);
    } catch (const wherry::error&) {
      return;
    }
    count(label, on, [&] {
      bound->start();
      bound->wait();
    });
  }

  void count(const std::string& label, const problem& on, const std::function<void()>& exchange) {
    fill(on);
    json what = record("count");
    what.add("method", label)
        .add("n", p_.n)
        .add("split", split_)
        .add("fields", p_.what.fields)
        .add("width", p_.what.width)
        .add("ranks", p_.size);
    count_call(p_.comm, what, exchange, [&] { touch_outgoing(on); }, given_.out);
  }

  const options& given_;
  std::string split_;
  problem p_;
  wherry::process_grid grid_;
  heap_fields heap_;
  our_fields fields_;
};

}  // namespace

bool run_count(const options& given) {
  if (!can_count_steps()) {
    record("left out").add("method", "count").add("why", "only x86-64 under Linux can").write(given.out);
    return true;
  }
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const auto& split : given.splits)
    for (const int n : given.sizes)
      counting(given, make_problem(MPI_COMM_WORLD, given.shape_of_fields, n, grid_for(split, ranks)), split).run();
  return counting_is_right(given.out);
}

}  // namespace bench::halo
