// Compares ghost-cell fills in one interleaved run: Wherry, the hand-written executors, and the machine's copy rate.
#include <functional>
#include <memory>

#include "blocks/hand_written.hpp"
#include "blocks/options.hpp"
#include "blocks/ours.hpp"
#include "harness/rewriting.hpp"
#include "harness/steady.hpp"

namespace bench::blocks {
namespace {

class contest {
 public:
  contest(const options& given, const cubes& work)
      : given_(given),
        work_(work),
        comm_(work.comm),
        u_(comm_, floor_plan_of(work), {.ghost_width = work.width, .components = work.components}) {
    const auto local = cells_of(u_);
    for (const auto& transport : given.transports) add_ours(transport, transport, local);
    // The variants among which auto chooses by the length of rows.
    if (given.variants) {
      wherry::configure("one_copy_row", "1");
      add_ours("all in place", "auto", local);
      wherry::configure("one_copy_row", "1000000000");
      add_ours("all staged", "auto", local);
      wherry::configure("one_copy_row", "0");
    }
    add_peer("shared window", "hand-written", make_shared_window(work));
    add_peer("packed messages", "hand-written", make_packed_messages(work));
    add_peer("memcpy", "limit", make_copy_rate(work));
  }

  bool good() const { return good_; }

  void measure(placement_probe& probe) {
    with_and_without_rewriting(given_, methods_, [&](const std::vector<method>& methods, bool touched) {
      const auto measured = measure_steadily(probe, work_.comm, methods, {.seconds = given_.seconds});
      const auto about = [&](std::string_view kind) { return labelled(kind).add("touch", touched); };
      measured.write(about("probe").add("payload", work_.payload()).add("transport", movers_.front().transport()),
                     about("timing"), given_.out);
    });
  }

 private:
  json labelled(std::string_view kind) const {
    json r = record(kind);
    r.add("n", work_.n).add("b", work_.b).add("components", work_.components).add("width", work_.width);
    return r.add("ranks", work_.size);
  }

  /// Adds a method after checking one of its results.
  void add(const std::string& name, const std::string& group, const std::vector<box_cells>& local,
           std::function<void()> run) {
    fill(work_, local);
    MPI_Barrier(work_.comm);
    run();
    if (const long wrong = count_wrong(work_, local); wrong != 0) {
      good_ = false;
      labelled("wrong").add("method", name).add("cells", wrong).write(given_.out);
      return;
    }
    // As in a solver, the owner of the cells has just written them.
    std::function<void()> touch;
    if (given_.touched && !local.empty()) touch = [this, local] { rewrite(work_, local); };
    methods_.push_back({name, group, std::move(run), std::move(touch)});
  }
  void add_ours(const std::string& name, const std::string& transport, const std::vector<box_cells>& local) {
    movers_.push_back(make_fill(u_, work_.n, work_.width, transport));
    add(name, "ours", local, [this, i = movers_.size() - 1] { movers_[i](); });
  }
  void add_peer(const std::string& name, const std::string& group, std::unique_ptr<peer> one) {
    peers_.push_back(std::move(one));
    add(name, group, peers_.back()->local(), [p = peers_.back().get()] { p->exchange(); });
  }

  const options& given_;
  cubes work_;
  wherry::communicator comm_;
  wherry::x_array<double, 3> u_;
  std::vector<wherry::mover> movers_;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<method> methods_;
  bool good_ = true;
};

}  // namespace

bool run_fill(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  bool good = true;
  for (const int n : given.domains)
    for (const int b : given.boxes)
      for (const int components : given.components)
        for (const int width : given.widths) {
          contest all(given, cubes(MPI_COMM_WORLD, n, b, components, width));
          all.measure(probe);
          good = good && all.good();
        }
  return good;
}

}  // namespace bench::blocks
