// One plan for depths 1 to 3 and four fields, beside hand-written exchanges and beside an index exchange for each
// field.
#include "halo/layers.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "wherry/wherry.hpp"

#include "halo/options.hpp"
#include "halo/problem.hpp"
#include "harness/rewriting.hpp"
#include "harness/steady.hpp"

namespace bench::halo {
namespace {

constexpr int depths = 3;

/// A cube of n^3 cells for each rank, cut out of a box, with the ids of the cells around it, layer by layer.
struct layered_cube {
  std::vector<long long> rows;
  std::vector<std::vector<long long>> around{depths};

  layered_cube(int n, const std::array<int, 3>& grid, int rank) {
    const std::array<int, 3> at{rank % grid[0], rank / grid[0] % grid[1], rank / (grid[0] * grid[1])};
    const auto visit = [&](int x, int y, int z) {
      const std::array<int, 3> cell{x, y, z};
      long long owner = 0, place = 0;
      int layer = 0;
      for (std::size_t d = 3; d-- > 0;) {
        const int global = at[d] * n + cell[d];
        if (global < 0 || global >= grid[d] * n) return;
        owner = owner * grid[d] + global / n;
        place = place * n + global % n;
        layer = std::max({layer, -cell[d], cell[d] - n + 1});
      }
      auto& list = layer == 0 ? rows : around[static_cast<std::size_t>(layer - 1)];
      list.push_back(owner * n * n * n + place);
    };
    for (int z = -depths; z < n + depths; ++z)
      for (int y = -depths; y < n + depths; ++y)
        for (int x = -depths; x < n + depths; ++x) visit(x, y, z);
  }
};

/// The contenders at one size, split and depth.
class layer_contest {
 public:
  layer_contest(const options& given, int n, const std::string& split, int ranks, int depth)
      : given_(given),
        split_(split),
        n_(n),
        ranks_(ranks),
        depth_(depth),
        comm_(MPI_COMM_WORLD),
        cube_(n, grid_for(split, ranks), comm_.rank()),
        layers_(comm_, wherry::resolve_layers(comm_, cube_.rows, cube_.around)) {
    ids_ = cube_.rows;
    for (int d = 0; d < depth; ++d) {
      const auto& more = cube_.around[static_cast<std::size_t>(d)];
      ids_.insert(ids_.end(), more.begin(), more.end());
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &by_hand_);
    auto& f = fields_;
    f.pressure.resize(ids_.size());
    f.energy.resize(ids_.size());
    f.moisture.resize(ids_.size());
    f.velocity.resize(ids_.size());
    const auto lists = lists_to_depth();
    peers_.push_back(make_plan_each(by_hand_, lists, f));
    add("by hand, a plan for each field", "hand-written", [this] { peers_[0]->exchange(); });
    peers_.push_back(make_packed_together(by_hand_, lists, f));
    add("by hand, packed together", "hand-written", [this] { peers_[1]->exchange(); });
    add("ghost_layers, four fields", "ours",
        [this, &f] { layers_.exchange(depth_, f.pressure, f.energy, f.moisture, f.velocity); });
    for (int d = 1; d <= depth; ++d) {
      const auto& one = layers_.lists(d);
      all_.sends.insert(all_.sends.end(), one.sends.begin(), one.sends.end());
      all_.receives.insert(all_.receives.end(), one.receives.begin(), one.receives.end());
    }
    each_.emplace_back(comm_, all_, f.pressure);
    each_.emplace_back(comm_, all_, f.energy);
    each_.emplace_back(comm_, all_, f.moisture);
    each_.emplace_back(comm_, all_, f.velocity);
    add("index_exchange, one for each field", "ours", [this] {
      for (auto& one : each_) one.start();
      for (auto& one : each_) one.wait();
    });
    together_.emplace(comm_, all_, f.pressure, f.energy, f.moisture, f.velocity);
    add("index_exchange, four fields", "ours", [this] { (*together_)(); });
  }
  ~layer_contest() { MPI_Comm_free(&by_hand_); }
  layer_contest(const layer_contest&) = delete;
  layer_contest& operator=(const layer_contest&) = delete;

  bool good() const { return good_; }

  void measure(placement_probe& probe) {
    with_and_without_rewriting(given_, methods_, [&](const std::vector<method>& methods, bool touched) {
      const auto measured = measure_steadily(probe, MPI_COMM_WORLD, methods, {.seconds = given_.seconds});
      const auto about = [&](std::string_view kind) { return labelled(kind).add("touch", touched); };
      measured.write(about("probe"), about("timing"), given_.out);
    });
  }

 private:
  json labelled(std::string_view kind) const {
    return record(kind).add("split", split_).add("n", n_).add("ranks", ranks_).add("depth", depth_);
  }

  std::vector<neighbor_indices> lists_to_depth() const {
    std::map<int, neighbor_indices> found;
    for (int d = 1; d <= depth_; ++d) {
      const auto append = [&](const std::vector<wherry::peer_indices>& lists,
                              std::vector<int> neighbor_indices::* side) {
        for (const auto& list : lists) {
          auto& one = found[list.peer];
          one.peer = list.peer;
          for (const auto at : list.at) (one.*side).push_back(static_cast<int>(at));
        }
      };
      append(layers_.lists(d).sends, &neighbor_indices::sent);
      append(layers_.lists(d).receives, &neighbor_indices::received);
    }
    std::vector<neighbor_indices> lists;
    for (auto& [peer, one] : found) lists.push_back(std::move(one));
    for (const auto& one : lists) sent_.insert(sent_.end(), one.sent.begin(), one.sent.end());
    return lists;
  }

  void fill(std::size_t i, double value) {
    fields_.pressure[i] = value;
    fields_.energy[i] = 2 * value;
    fields_.moisture[i] = static_cast<float>(value);
    fields_.velocity[i] = {value, 3 * value, 4 * value};
  }

  /// Adds a method after checking one of its results.
  void add(const std::string& name, const std::string& group, std::function<void()> run) {
    for (std::size_t i = 0; i < ids_.size(); ++i) fill(i, i < cube_.rows.size() ? static_cast<double>(ids_[i]) : -1);
    run();
    long wrong = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto id = static_cast<double>(ids_[i]);
      wrong += fields_.pressure[i] != id || fields_.energy[i] != 2 * id ||
               fields_.moisture[i] != static_cast<float>(id) || fields_.velocity[i][2] != 4 * id;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (wrong != 0) {
      good_ = false;
      labelled("wrong").add("method", name).add("cells", wrong).write(given_.out);
      return;
    }
    methods_.push_back({name, group, std::move(run), {}, {}, [this] {
                          for (const int row : sent_) fields_.pressure[static_cast<std::size_t>(row)] += 1;
                        }});
  }

  const options& given_;
  std::string split_;
  int n_, ranks_, depth_;
  wherry::communicator comm_;
  MPI_Comm by_hand_ = MPI_COMM_NULL;
  layered_cube cube_;
  wherry::ghost_layers layers_;
  wherry::index_lists all_;
  std::vector<long long> ids_;
  layered_fields fields_;
  mutable std::vector<int> sent_;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<wherry::index_exchange> each_;
  std::optional<wherry::index_exchange> together_;
  std::vector<method> methods_;
  bool good_ = true;
};

}  // namespace

bool run_layers(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool good = true;
  for (const auto& split : given.splits)
    for (const int n : given.sizes)
      for (int depth = 1; depth <= depths; ++depth) {
        layer_contest all(given, n, split, ranks, depth);
        all.measure(probe);
        good = good && all.good();
      }
  return good;
}

}  // namespace bench::halo
