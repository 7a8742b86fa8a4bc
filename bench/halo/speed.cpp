// Compares every transport of Wherry with the hand-written peers and the limits, interleaved in one run.
#include <functional>
#include <memory>

#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "halo/peers.hpp"
#include "harness/rewriting.hpp"
#include "harness/steady.hpp"
#include "harness/waiting.hpp"

namespace bench::halo {
namespace {

/// The contenders at one size and split, and the objects that they refer to.
class contest {
 public:
  contest(const options& given, const problem& p, const std::string& split)
      : given_(given), split_(split), p_(p), grid_(grid_of(p)), heap_(p), dense_(grid_, p, true) {
    fill(heap_.with_fields);
    fill(dense_.with_fields);
    add_peers();
    add_exchanges("users' arrays", "ours, users' arrays", halos_of_users(heap_.with_fields), heap_.with_fields);
    add_ours();
    add_limits();
    look_at_core();
  }

  bool good() const { return good_; }

  void measure(placement_probe& probe) {
    with_and_without_rewriting(
        given_, methods_, [&](const std::vector<method>& methods, bool touched) { measure(probe, methods, touched); });
  }

 private:
  void measure(placement_probe& probe, const std::vector<method>& methods, bool touched) {
    const auto measured = measure_steadily(probe, p_.comm, methods, {.seconds = given_.seconds});
    const auto& g = p_.grid;
    const auto about = [&](std::string_view kind) { return labelled(kind).add("touch", touched); };
    measured.write(
        about("probe").add("grid", std::to_string(g[0]) + "×" + std::to_string(g[1]) + "×" + std::to_string(g[2])),
        about("timing"), given_.out);
  }

  json labelled(std::string_view kind) const {
    json r = record(kind);
    r.add("split", split_)
        .add("n", p_.n)
        .add("ranks", p_.size)
        .add("fields", p_.what.fields)
        .add("width", p_.what.width)
        .add("dimensions", p_.what.dimensions)
        .add("element", p_.what.single ? "float" : "double");
    return r;
  }

  /// Adds a method after checking one of its results.
  void add(const std::string& name, const std::string& group, const problem& on, std::function<void()> run) {
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
    methods_.push_back({name, group, std::move(run), {}, {}, [on] { touch_outgoing(on); }});
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
    const bool near = share_a_node(p_.comm);
    for (const auto& row : hand_written()) {
      if (row.on_a_node && !near) continue;
      peers_.push_back(row.make(heap_.with_fields));
      add(row.name, "hand-written", heap_.with_fields, [one = peers_.back().get()] { one->exchange(); });
    }
  }

  void add_ours() {
    add_exchanges("", "ours", dense_.halos, dense_.with_fields);
    padded_ = std::make_unique<our_fields>(grid_, p_, false);
    if (padded_->with_fields.row == p_.row) {
      padded_.reset();  // no row of this size needs padding
      return;
    }
    fill(padded_->with_fields);
    add_exchange("auto, padded rows", "ours", "auto", padded_->halos, padded_->with_fields);
  }

  void add_exchanges(const std::string& suffix, const std::string& group, const std::vector<wherry::halo_field>& halos,
                     const problem& on) {
    for (const auto& name : transports(given_.transports))
      add_exchange(suffix.empty() ? name : name + ", " + suffix, group, name, halos, on);
    if (given_.by_dimension)
      add_exchange("by dimension" + (suffix.empty() ? suffix : ", " + suffix), group, "auto", halos, on,
                   wherry::halo_order::by_dimension);
  }

  void add_exchange(const std::string& label, const std::string& group, const std::string& transport,
                    const std::vector<wherry::halo_field>& halos, const problem& on,
                    wherry::halo_order order = wherry::halo_order::automatic) {
    try {
      exchanges_.push_back(bind_exchange(grid_, halos, transport, order));
    } catch (const wherry::error& reason) {
      labelled("left out").add("method", label).add("why", reason.what()).write(given_.out);
      return;
    }
    add(label, group, on, [one = exchanges_.back().get()] { (*one)(); });
  }

  void add_limits() {
    if (exceed_cores(p_.size)) return;  // the ranks share cores
    // The limits copy within each rank, so the right halo is that of a grid of one rank.
    problem alone = heap_.with_fields;
    alone.grid = {1, 1, 1};
    alone.at = {0, 0, 0};
    fill(alone);
    const auto add_limit = [&](const std::string& name, std::unique_ptr<peer> limit, const problem& on) {
      peers_.push_back(std::move(limit));
      add(name, "limit", on, [one = peers_.back().get()] { one->exchange(); });
    };
    add_limit("a box a direction", make_local_boxes(alone), alone);
    add_limit("long rows", make_local_phases(alone), alone);
    if (share_a_node(p_.comm)) add_limit("pack, flag, unpack", make_flag_and_copies(heap_.with_fields), alone);
    fill(heap_.with_fields);
    if (auto limit = make_one_copy(grid_, dense_.with_fields))
      add_limit("one copy, unasked", std::move(limit), dense_.with_fields);
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
  const auto& what = given.shape_of_fields;
  bool good = true;
  for (const auto& split : given.splits)
    for (const int n : given.sizes) {
      contest all(given, make_problem(MPI_COMM_WORLD, what, n, grid_for(split, ranks, what.dimensions)), split);
      all.measure(probe);
      good = good && all.good();
    }
  return good;
}

}  // namespace bench::halo
