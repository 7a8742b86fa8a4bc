// Few ranks with many threads: compares packing and copying by a team with the caller alone, and with hand-written
// OpenMP.
#include <functional>
#include <memory>

#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "halo/peers.hpp"
#include "harness/steady.hpp"

#if defined(_OPENMP)
#include "wherry/core/openmp_team.hpp"
#endif

namespace bench::halo {
namespace {

struct named_team {
  std::string name;
  wherry::thread_team team;
};

/// Between two exchanges, each thread rewrites the outgoing cells of some fields, and so is awake.
void touch_by(const wherry::thread_team& team, const problem& p) {
  team.run([&](int number) {
    problem mine = p;
    mine.field.clear();
    for (auto f = static_cast<std::size_t>(number); f < p.field.size(); f += static_cast<std::size_t>(team.size()))
      mine.field.push_back(p.field[f]);
    touch_outgoing(mine);
  });
}

std::vector<named_team> teams(int threads) {
  std::vector<named_team> all{{"the caller", {}}, {"threads of its own", wherry::thread_team::of_its_own(threads)}};
#if defined(_OPENMP)
  all.push_back({"OpenMP's threads", wherry::openmp_team(threads)});
#endif
  return all;
}

/// The contenders at one size.
class hybrid_contest {
 public:
  hybrid_contest(const options& given, const problem& p)
      : given_(given), p_(p), grid_(grid_of(p)), heap_(p), ours_(grid_, p, true) {
    fill(heap_.with_fields);
    fill(ours_.with_fields);
    add_peer("three phases", {}, make_three_phases(heap_.with_fields));
#if defined(_OPENMP)
    omp_set_num_threads(given.threads);
    add_peer("three phases, OpenMP", wherry::openmp_team(given.threads), make_team_phases(heap_.with_fields));
#endif
    for (const auto& [name, team] : teams(given.threads)) {
      add_exchange(name + ", users' arrays", "ours, users' arrays", team, halos_of_users(heap_.with_fields),
                   heap_.with_fields);
      add_exchange(name, "ours", team, ours_.halos, ours_.with_fields);
    }
  }

  bool good() const { return good_; }

  void measure(placement_probe& probe) {
    const auto measured = measure_steadily(probe, p_.comm, methods_, {.seconds = given_.seconds});
    measured.write(labelled("probe"), labelled("timing"), given_.out);
  }

 private:
  json labelled(std::string_view kind) const {
    return record(kind).add("n", p_.n).add("ranks", p_.size).add("threads", given_.threads);
  }

  void add(const std::string& name, const std::string& group, const wherry::thread_team& team, const problem& on,
           std::function<void()> run) {
    spoil_halo(on);
    MPI_Barrier(p_.comm);
    run();
    const long wrong = count_wrong(on) + count_wrong_core(on);
    if (wrong != 0) {
      good_ = false;
      labelled("wrong").add("method", name).add("cells", wrong).write(given_.out);
      fill(on);
      return;
    }
    methods_.push_back({name, group, std::move(run), {}, {}, [on, team] { touch_by(team, on); }});
  }

  void add_peer(const std::string& name, const wherry::thread_team& team, std::unique_ptr<peer> one) {
    peers_.push_back(std::move(one));
    add(name, "hand-written", team, heap_.with_fields, [one = peers_.back().get()] { one->exchange(); });
  }

  void add_exchange(const std::string& name, const std::string& group, const wherry::thread_team& team,
                    const std::vector<wherry::halo_field>& halos, const problem& on) {
    exchanges_.push_back(
        std::make_unique<wherry::halo_exchange>(grid_, wherry::halo_options{.carry = {.team = team}}, halos));
    add(name, group, team, on, [one = exchanges_.back().get()] { (*one)(); });
  }

  const options& given_;
  problem p_;
  wherry::process_grid grid_;
  heap_fields heap_;
  our_fields ours_;
  std::vector<std::unique_ptr<peer>> peers_;
  std::vector<std::unique_ptr<wherry::halo_exchange>> exchanges_;
  std::vector<method> methods_;
  bool good_ = true;
};

}  // namespace

bool run_hybrid(const options& given) {
  placement_probe probe(MPI_COMM_WORLD);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool good = true;
  for (const int n : given.sizes) {
    hybrid_contest all(given, make_problem(MPI_COMM_WORLD, given.shape_of_fields, n, grid_for("z", ranks)));
    all.measure(probe);
    good = good && all.good();
  }
  return good;
}

}  // namespace bench::halo
