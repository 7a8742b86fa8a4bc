// Compares Wherry, the peers and the limits for one structure and one operation, interleaved in one run.
#include <utility>

#include "deep/options.hpp"
#include "deep/original.hpp"
#include "harness/single_steps.hpp"
#include "harness/steady.hpp"

namespace bench::deep {
namespace {

class contest {
 public:
  contest(const options& given, std::string structure, operation what, std::size_t bytes)
      : given_(given), structure_(std::move(structure)), what_(what), bytes_(bytes) {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  /// Checks one result of each contender, and keeps the contenders that are right.
  void add(contenders more) {
    for (auto& one : more) {
      if (one.name.find(given_.methods) == std::string::npos) continue;
      if (look_at(one, "")) all_.push_back(std::move(one));
    }
  }

  void measure(placement_probe& probe) {
    std::vector<method> methods;
    // The arrived structure is freed at once, so that every method finds the heap of an empty program.
    for (const auto& one : all_) methods.push_back({one.name, one.group, one.run, {}, one.clear});
    const auto measured = measure_steadily(probe, MPI_COMM_WORLD, methods, {.seconds = given_.seconds});
    measured.write(labelled("probe").add("bytes", bytes_), labelled("timing"), given_.out);
    for (const auto& one : all_) look_at(one, ", after the timing");
  }

  /// Counts instructions and shared cache lines of each contender instead of times.
  void count() {
    for (const auto& one : all_) {
      bool has_run = false;
      const auto clear = [&] {
        if (std::exchange(has_run, false)) one.clear();
      };
      const auto run = [&] {
        has_run = true;
        one.run();
      };
      json label = labelled("count");
      label.add("method", one.name).add("bytes", bytes_);
      count_call(MPI_COMM_WORLD, label, run, clear, given_.out);
      clear();
    }
  }

  bool good() const { return good_; }

 private:
  json labelled(std::string_view kind) const {
    json r = record(kind);
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

}  // namespace

bool run_case(const options& given, const std::string& structure, const std::string& operation) {
  placement_probe probe(MPI_COMM_WORLD);
  bool good = false;
  const auto what = operation_named(operation);
  with_contenders(structure, what, given.folder, [&](contenders methods, std::size_t bytes) {
    contest all(given, structure, what, bytes);
    all.add(std::move(methods));
    if (given.count)
      all.count();
    else
      all.measure(probe);
    good = all.good();
  });
  return good;
}

}  // namespace bench::deep
