// The comparison: every transport of ours beside the hand-written peers and the limits, interleaved in one run.
#include <functional>
#include <thread>

#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "halo/peers.hpp"
#include "harness/steady.hpp"

namespace bench::halo {
namespace {

/// What is compared at one size and split, and what keeps it alive.
class contest {
 public:
  contest(const options& given, const problem& p, const std::string& split)
      : given_(given), split_(split), p_(p), grid_(grid_of(p)), heap_(p), dense_(grid_, p, true) {
    fill(heap_.with_fields);
    fill(dense_.with_fields);
    add_peers();
    add_ours();
    add_limits();
    look_at_core();
  }

  bool good() const { return good_; }

  void measure(placement_probe& probe) {
    const auto measured = measure_steadily(probe, p_.comm, methods_, {.seconds = given_.seconds});
    const auto& g = p_.grid;
    measured.write(
        labelled("probe").add("grid", std::to_string(g[0]) + "×" + std::to_string(g[1]) + "×" + std::to_string(g[2])),
        labelled("timing"), given_.out);
  }

 private:
  json labelled(std::string_view kind) const {
    json r = record(kind);
    r.add("split", split_).add("n", p_.n).add("ranks", p_.size).add("touch", given_.touch);
    return r;
  }

  /// Adds a method after looking at one result of it.
  void add(const std::string& name, const std::string& group, const problem& on, std::function<void()> run,
           std::function<void()> prepare = {}) {
    spoil_halo(on);
    MPI_Barrier(p_.comm);
    run();
    const long wrong = count_wrong(on);
    if (wrong != 0) {
      good_ = false;
      labelled("wrong").add("method", name).add("cells", wrong).write(given_.out);
      fill(on);
      return;
    }
    if (given_.touch && !prepare) prepare = [on] { touch_outgoing(on); };
    methods_.push_back({name, group, std::move(run), std::move(prepare)});
  }

  /// An exchange must leave the core alone.
  void look_at_core() {
    for (const problem* one : {&heap_.with_fields, &dense_.with_fields}) {
      const long wrong = count_wrong_core(*one);
      if (wrong == 0) continue;
      good_ = false;
      labelled("wrong").add("method", "the core after all methods").add("cells", wrong).write(given_.out);
    }
  }

  void add_peers() {
    for (const auto& row : hand_written()) {
      peers_.push_back(row.make(heap_.with_fields));
      add(row.name, "hand-written", heap_.with_fields, [one = peers_.back().get()] { one->exchange(); });
    }
  }

  void add_ours() {
    for (const auto& name : transports(given_.transports)) add_exchange(name, name, dense_);
    padded_ = std::make_unique<our_fields>(grid_, p_, false);
    if (padded_->with_fields.row == p_.row) {
      padded_.reset();  // no row of this size wants padding
      return;
    }
    fill(padded_->with_fields);
    add_exchange("auto, padded rows", "auto", *padded_);
  }

  void add_exchange(const std::string& label, const std::string& transport, our_fields& on) {
    try {
      exchanges_.push_back(bind_exchange(grid_, on, transport));
    } catch (const wherry::error& reason) {
      labelled("left out").add("method", label).add("why", reason.what()).write(given_.out);
      return;
    }
    add(label, "ours", on.with_fields, [one = exchanges_.back().get()] { (*one)(); });
  }

  void add_limits() {
    if (p_.size > static_cast<int>(std::thread::hardware_concurrency())) return;  // the ranks share cores
    // Within each rank, so the halo that is right is that of a grid of one rank.
    problem alone = heap_.with_fields;
    alone.grid = {1, 1, 1};
    alone.at = {0, 0, 0};
    fill(alone);
    peers_.push_back(make_local_boxes(alone));
    add("26 boxes", "limit", alone, [one = peers_.back().get()] { one->exchange(); });
    peers_.push_back(make_local_phases(alone));
    add("long rows", "limit", alone, [one = peers_.back().get()] { one->exchange(); });
    fill(heap_.with_fields);
    if (auto limit = make_one_copy(grid_, dense_.with_fields)) {
      peers_.push_back(std::move(limit));
      add(
          "one copy, just written", "limit, just written", dense_.with_fields,
          [one = peers_.back().get()] { one->exchange(); }, [this] { touch_outgoing(dense_.with_fields); });
    }
  }

  const options& given_;
  std::string split_;
  problem p_;
  wherry::process_grid grid_;
  heap_fields heap_;
  our_fields dense_;
  std::unique_ptr<our_fields> padded_;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<std::unique_ptr<wherry::halo_exchange>> exchanges_;
  std::vector<method> methods_;
  bool good_ = true;
};

}  // namespace

bool run_speed(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool good = true;
  for (const auto& split : given.splits)
    for (const int n : given.sizes) {
      contest all(given, make_problem(MPI_COMM_WORLD, n, grid_for(split, ranks)), split);
      all.measure(probe);
      good = good && all.good();
    }
  return good;
}

}  // namespace bench::halo
