// bench_deep_memory: counts the allocations of each method, and the memory that it needs besides the structure. It is a
// program of its own, because counting costs time.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "wherry/deep/pack.hpp"

#include "deep/options.hpp"
#include "deep/original.hpp"
#include "deep/program.hpp"
#include "harness/allocations.hpp"
#include "harness/json.hpp"

namespace bench::deep {
namespace {

/// One call on one rank.
struct needs {
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;  ///< the peak, besides the memory in use before or after
};

needs needs_of(const contender& one) {
  one.run();  // MPI and Wherry make their channels in the first call
  one.clear();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto counted = allocations();
  const auto before = heap().now;
  reset_peak();
  one.run();
  const auto after = heap();
  needs result{allocations().malloc - counted.malloc, after.peak - std::max(before, after.now)};
  MPI_Barrier(MPI_COMM_WORLD);
  one.clear();
  return result;
}

class reporter {
 public:
  reporter(const options& given, std::string structure, operation what, std::size_t bytes)
      : given_(given), structure_(std::move(structure)), what_(what), bytes_(bytes) {}

  void add(const contenders& all) {
    for (const auto& one : all) {
      if (one.group == "limit" || one.name.find(given_.methods) == std::string::npos) continue;
      const needs mine = needs_of(one);
      // Rank 0 writes; rank 1 reads, if there is one.
      needs reading = mine;
      int ranks = 1;
      MPI_Comm_size(MPI_COMM_WORLD, &ranks);
      MPI_Bcast(&reading, sizeof reading, MPI_BYTE, ranks > 1 ? 1 : 0, MPI_COMM_WORLD);
      record("memory")
          .add("structure", structure_)
          .add("operation", name_of(what_))
          .add("bytes", bytes_)
          .add("method", one.name)
          .add("group", one.group)
          .add("writing_allocations", mine.allocations)
          .add("writing_bytes", mine.bytes)
          .add("reading_allocations", reading.allocations)
          .add("reading_bytes", reading.bytes)
          .write(given_.out);
    }
  }

 private:
  const options& given_;
  std::string structure_;
  operation what_;
  std::size_t bytes_;
};

/// The figures that the writer itself reports.
template <class Structure> void describe_writer(const options& given, const std::string& name, const Structure& s) {
  wherry::counting_sink sink;
  const auto figures = wherry::deep::pack(sink, s);
  record("writer")
      .add("structure", name)
      .add("bytes", bytes_of(s))
      .add("packed_bytes", sink.bytes())
      .add("shared_objects", figures.shared_objects)
      .add("peak_pending", figures.peak_pending)
      .add("working_bytes", figures.working_bytes)
      .write(given.out);
}

bool measure(const options& given) {
  for (const auto& structure : given.structures) {
    with_original(structure, [&](const auto& source) { describe_writer(given, structure, source); });
    for (const auto& name : given.operations) {
      const auto what = operation_named(name);
      with_contenders(structure, what, given.folder,
                      [&](contenders all, std::size_t bytes) { reporter(given, structure, what, bytes).add(all); });
    }
  }
  return true;
}

}  // namespace
}  // namespace bench::deep

int main(int argc, char** argv) { return bench::deep::run_program<bench::deep::measure>(argc, argv); }
