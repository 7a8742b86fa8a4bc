// Compares the exchange of HPCG's vectors by index lists with hand-written exchanges, and measures the cost of a start
// with arrays.
#include "halo/lists.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "wherry/wherry.hpp"

#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "harness/rewriting.hpp"
#include "harness/steady.hpp"

namespace bench::halo {
namespace {

struct neighbor_lists {
  std::vector<int> sent, their_rows;
};

/// The rows of a cube of n^3 that face the neighbour at `step`, ascending.
std::vector<int> facing(int n, const std::array<int, 3>& step) {
  std::array<int, 3> from{}, to{};
  for (std::size_t d = 0; d < 3; ++d) {
    from[d] = step[d] > 0 ? n - 1 : 0;
    to[d] = step[d] < 0 ? 1 : n;
  }
  std::vector<int> rows;
  for (int z = from[2]; z < to[2]; ++z)
    for (int y = from[1]; y < to[1]; ++y)
      for (int x = from[0]; x < to[0]; ++x) rows.push_back(x + n * (y + n * z));
  return rows;
}

/// The contenders at one size and split.
class list_contest {
 public:
  list_contest(const options& given, int n, const std::string& split, int ranks)
      : given_(given),
        split_(split),
        p_(make_list_problem(MPI_COMM_WORLD, n, grid_for(split, ranks))),
        comm_(p_.comm),
        x_(vector_of_rows()),
        shared_(static_cast<std::size_t>(p_.rows + p_.externals()), comm_),
        lists_(make_lists(comm_, {.neighbors = p_.neighbors,
                                  .send_lengths = p_.send_lengths,
                                  .sent = p_.sent,
                                  .receive_lengths = p_.receive_lengths,
                                  .first_external = p_.rows})) {
    add_peer("lists by hand", make_hand_lists(p_, x_.data()));
    add_peer("lists by hand, as HPCG", make_lists_of_hpcg(p_, x_.data()));
    const auto names = transports(given.transports);
    for (const auto& name : names) add_ours(name + ", std::vector", name, x_);
    for (const auto& name : names)
      if (name == "auto" || name == "shared") add_ours(name + ", node_vector", name, shared_);
  }

  bool good() const { return good_; }

  void measure(placement_probe& probe) {
    with_and_without_rewriting(
        given_, methods_, [&](const std::vector<method>& methods, bool touched) { measure(probe, methods, touched); });
  }

 private:
  void measure(placement_probe& probe, const std::vector<method>& methods, bool touched) {
    const auto measured = measure_steadily(probe, p_.comm, methods, {.seconds = given_.seconds});
    const auto about = [&](std::string_view kind) { return labelled(kind).add("touch", touched); };
    measured.write(about("probe"), about("timing"), given_.out);
  }

  json labelled(std::string_view kind) const {
    int bytes = static_cast<int>(p_.bytes_sent());  // the bytes of the rank that sends most
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT, MPI_MAX, p_.comm);
    return record(kind).add("split", split_).add("n", p_.n).add("ranks", p_.size).add("bytes", bytes);
  }

  std::vector<double> vector_of_rows() const {
    return std::vector<double>(static_cast<std::size_t>(p_.rows + p_.externals()));
  }

  /// Adds a method after checking one of its results.
  void add(const std::string& name, const std::string& group, double* x, std::function<void()> run) {
    for (int i = 0; i < p_.rows; ++i) x[i] = 1.0 * p_.rank * p_.rows + i;
    std::fill_n(x + p_.rows, p_.externals(), -1.0);
    run();
    long wrong = 0;
    for (int i = 0; i < p_.externals(); ++i) wrong += x[p_.rows + i] != p_.external_ids[static_cast<std::size_t>(i)];
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, p_.comm);
    if (wrong != 0) {
      good_ = false;
      labelled("wrong").add("method", name).add("cells", wrong).write(given_.out);
      return;
    }
    methods_.push_back({name, group, std::move(run), {}, {}, [this, x] {
                          for (const int row : p_.sent) x[row] += 1;
                        }});
  }
  void add_peer(const std::string& name, std::unique_ptr<peer> one) {
    peers_.push_back(std::move(one));
    add(name, "hand-written", x_.data(), [one = peers_.back().get()] { one->exchange(); });
  }
  template <class Vector> void add_ours(const std::string& name, const std::string& transport, Vector& x) {
    try {
      exchanges_.push_back(std::make_unique<wherry::index_exchange>(
          comm_, lists_, wherry::index_options{.carry = {.transport = transport}}, x));
    } catch (const wherry::error& why) {
      labelled("left out").add("method", name).add("why", why.what()).write(given_.out);
      return;
    }
    add(name, "ours", x.data(), [one = exchanges_.back().get()] { (*one)(); });
  }

  const options& given_;
  std::string split_;
  list_problem p_;
  wherry::communicator comm_;
  std::vector<double> x_;
  wherry::node_vector<double> shared_;
  wherry::index_lists lists_;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<std::unique_ptr<wherry::index_exchange>> exchanges_;
  std::vector<method> methods_;
  bool good_ = true;
};

/// Compares `start(x)` with `start()`. No data is sent, so that nothing else takes time.
void measure_starts(const options& given, placement_probe& probe) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  std::vector<double> x(1000), y(1000), z(1000);
  wherry::index_exchange one(comm, {}, x), three(comm, {}, x, y, z);
  const auto many = [](auto&& run) {
    return [run] {
      for (int i = 0; i < 1000; ++i) run();
    };
  };
  const std::vector<method> methods{{"start()", "ours", many([&] { one(); })},
                                    {"start(x)", "ours", many([&] { one(x); })},
                                    {"three arrays: start()", "ours", many([&] { three(); })},
                                    {"start(x, y, z)", "ours", many([&] { three(x, y, z); })}};
  const auto measured = measure_steadily(probe, MPI_COMM_WORLD, methods, {.seconds = given.seconds});
  for (const std::size_t i : {1u, 3u}) {
    json about = record("start");
    about.add("method", methods[i].name)
        .add("extra_us", (measured.timings[i].median - measured.timings[i - 1].median) / 1000)
        .add("spread", std::max(measured.timings[i].spread(), measured.timings[i - 1].spread()));
    measured.describe(about);
    about.write(given.out);
  }
}

}  // namespace

list_problem make_list_problem(MPI_Comm comm, int n, const std::array<int, 3>& grid) {
  list_problem p;
  p.comm = comm;
  MPI_Comm_rank(comm, &p.rank);
  MPI_Comm_size(comm, &p.size);
  p.n = n;
  p.rows = n * n * n;
  p.grid = grid;
  const std::array<int, 3> at{p.rank % grid[0], p.rank / grid[0] % grid[1], p.rank / (grid[0] * grid[1])};
  std::map<int, neighbor_lists> by_rank;
  for (int e = 0; e < 27; ++e) {
    const std::array<int, 3> step{e % 3 - 1, e / 3 % 3 - 1, e / 9 - 1}, back{-step[0], -step[1], -step[2]};
    std::array<int, 3> there{};
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d) {
      there[d] = at[d] + step[d];
      inside = inside && there[d] >= 0 && there[d] < grid[d];
    }
    const int peer = there[0] + grid[0] * (there[1] + grid[1] * there[2]);
    if (inside && peer != p.rank) by_rank[peer] = {facing(n, step), facing(n, back)};
  }
  for (const auto& [peer, lists] : by_rank) {
    p.neighbors.push_back(peer);
    p.send_lengths.push_back(static_cast<int>(lists.sent.size()));
    p.receive_lengths.push_back(static_cast<int>(lists.their_rows.size()));
    p.sent.insert(p.sent.end(), lists.sent.begin(), lists.sent.end());
    for (const int row : lists.their_rows) p.external_ids.push_back(peer * p.rows + row);
  }
  return p;
}

bool run_lists(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool good = true;
  for (const auto& split : given.splits)
    for (const int n : given.sizes) {
      list_contest all(given, n, split, ranks);
      all.measure(probe);
      good = good && all.good();
    }
  measure_starts(given, probe);
  return good;
}

}  // namespace bench::halo
