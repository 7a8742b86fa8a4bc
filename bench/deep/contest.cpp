// One structure, one operation: ours, the peers and the limits, interleaved in one run.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "deep/options.hpp"
#include "deep/ours.hpp"
#include "deep/peers.hpp"
#include "harness/listed.hpp"
#include "harness/steady.hpp"

namespace bench::deep {
namespace {

class contest {
 public:
  contest(const options& given, std::string structure, operation what, std::size_t bytes)
      : given_(given), structure_(std::move(structure)), what_(what), bytes_(bytes) {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  /// Looks at one result of each, and takes those that are right.
  void add(contenders more) {
    for (auto& one : more) {
      if (one.name.find(given_.methods) == std::string::npos) continue;
      if (look_at(one, "")) all_.push_back(std::move(one));
    }
  }

  void measure(placement_probe& probe) {
    std::vector<method> methods;
    // What arrived is freed at once, so that every method finds the heap as an empty program has it.
    for (const auto& one : all_) methods.push_back({one.name, one.group, one.run, {}, one.clear});
    const auto measured = measure_steadily(probe, MPI_COMM_WORLD, methods, {.seconds = given_.seconds});
    record about = labelled("probe");
    about.add("bytes", bytes_);
    measured.describe(about);
    about.write(given_.out);
    for (const auto& t : measured.timings)
      labelled("timing")
          .add("method", t.name)
          .add("group", t.group)
          .add("us", t.median)
          .add("lower_us", t.lower_quartile)
          .add("upper_us", t.upper_quartile)
          .add("spread", t.spread())
          .add("rounds", t.rounds)
          .write(given_.out);
    for (const auto& one : all_) look_at(one, ", after the timing");
  }

  bool good() const { return good_; }

 private:
  record labelled(std::string_view kind) const {
    record r(kind);
    r.add("structure", structure_).add("operation", name_of(what_)).add("ranks", ranks_);
    return r;
  }

  bool look_at(const contender& one, const std::string& when) {
    one.run();
    const int mine = one.right() ? 1 : 0;
    int right = 0;
    MPI_Allreduce(&mine, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    one.clear();
    if (right == 1) return true;
    good_ = false;
    labelled("wrong").add("method", one.name + when).write(given_.out);
    return false;
  }

  const options& given_;
  std::string structure_;
  operation what_;
  std::size_t bytes_;
  int ranks_ = 0;
  contenders all_;
  bool good_ = true;
};

/// Makes a structure on every rank and takes it apart again.
template <class Structure> class original {
 public:
  template <class... Shape> explicit original(const Shape&... shape) { make(structure_, shape...); }
  ~original() { clear(structure_); }
  original(const original&) = delete;
  original& operator=(const original&) = delete;
  const Structure& get() const { return structure_; }

 private:
  Structure structure_;
};

bool run_scene(const options& given, const std::string& structure, operation what, int nodes) {
  placement_probe probe(MPI_COMM_WORLD);
  const original<scene> source(nodes);
  const job<scene> work{&source.get(), what, MPI_COMM_WORLD, given.folder};
  contest all(given, structure, what, bytes_of(source.get()));
  all.add(ours(work));
  all.add(hand_written(work));
  all.add(boost_serialization(work));
  all.add(boost_mpi(work));
  all.add(cereal(work));
  all.add(flat_copy(work));
  all.add(limits(what, work.comm, given.folder, bytes_of(source.get())));
  all.measure(probe);
  return all.good();
}

bool run_graph(const options& given, const std::string& structure, operation what, const std::string& shape,
               int nodes) {
  placement_probe probe(MPI_COMM_WORLD);
  const original<graph> source(shape, nodes);
  const original<shared_graph> shared_source(shape, nodes);
  const job<graph> work{&source.get(), what, MPI_COMM_WORLD, given.folder};
  contest all(given, structure, what, bytes_of(source.get()));
  all.add(ours(work));
  all.add(boost_serialization(work));
  all.add(boost_mpi(work));
  all.add(cereal(job<shared_graph>{&shared_source.get(), what, MPI_COMM_WORLD, given.folder}));
  all.add(flat_copy(work));
  all.add(limits(what, work.comm, given.folder, bytes_of(source.get())));
  all.measure(probe);
  return all.good();
}

}  // namespace

bool run_case(const options& given, const std::string& structure, const std::string& operation) {
  const auto colon = structure.find(':');
  if (colon == std::string::npos) throw std::invalid_argument("structures are like ring:1000, not '" + structure + "'");
  const std::string shape = structure.substr(0, colon);
  const int nodes = listed<int>(structure.substr(colon + 1)).at(0);
  if (nodes < 1) throw std::invalid_argument("'" + structure + "' has no nodes");
  const auto what = operation_named(operation);
  if (shape == "scene") return run_scene(given, structure, what, nodes);
  return run_graph(given, structure, what, shape, nodes);
}

}  // namespace bench::deep
