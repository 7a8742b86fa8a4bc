#include "count.hpp"

#include "harness/collective_race.hpp"
#include "harness/single_steps.hpp"

namespace bench::collective {
namespace {

using wherry::collective::kind;

json labelled(kind what, int bytes, const std::string& method) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  json label = record("count");
  label.add("collective", name_of(what)).add("bytes", bytes).add("method", method).add("ranks", ranks);
  return label;
}

void count_one(kind what, int bytes, const std::string& name, std::FILE* out) {
  repeated_call on(what, MPI_COMM_WORLD, static_cast<std::size_t>(bytes));
  if (name != "auto" && !wherry::collective::obstacle(on.call(), name).empty()) return;
  const auto call = [&] {
    if (name == "auto")
      wherry::collective::run(on.call());
    else
      wherry::collective::run(on.call(), name);
  };
  count_call(MPI_COMM_WORLD, labelled(what, bytes, name), call, {}, out);
}

}  // namespace

bool count(const std::vector<kind>& kinds, const std::vector<int>& sizes,
           const std::vector<std::string>& implementations, std::FILE* out) {
  if (!can_count_steps()) {
    record("left out").add("method", "count").add("why", "only x86-64 under Linux can").write(out);
    return true;
  }
  for (const auto what : kinds)
    for (const int bytes : sizes) {
      count_one(what, bytes, "auto", out);
      for (const auto& name : implementations) count_one(what, bytes, name, out);
      if (what == kind::allreduce && bytes == sizeof(double)) {
        const wherry::communicator comm(MPI_COMM_WORLD);
        count_call(
            MPI_COMM_WORLD, labelled(what, bytes, "typed"),
            [&] { static_cast<void>(wherry::collective::allreduce(comm, 1.0)); }, {}, out);
      }
      if (what == kind::barrier) break;
    }
  return counting_is_right(out);
}

}  // namespace bench::collective
