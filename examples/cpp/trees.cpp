// A list of series on rank 0 becomes a list on every rank; then each rank saves its own, and reads it back.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

struct entry {
  std::string name;
  std::vector<double> values;
  entry* next = nullptr;
  template <class Message> void describe(Message& m) { m(name, values), m.owned(next); }
};

// Puts an entry with the values 1 to `count` in front of a list.
entry* add(entry* list, const char* name, int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1.0);
  return new entry{name, values, list};
}

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  const wherry::communicator comm(MPI_COMM_WORLD);
  entry* list = comm.rank() == 0 ? add(add(add(nullptr, "energy", 3), "mass", 4), "time", 100) : nullptr;

  wherry::deep::bcast(comm, list, 0);
  double sum = 0;
  for (auto* e = list; e != nullptr; e = e->next) sum += std::reduce(e->values.begin(), e->values.end());
  const double least = wherry::collective::allreduce(comm, sum, wherry::minimum{});
  if (comm.rank() == 0) std::printf("every rank has '%s' and the sum %g\n", list->name.c_str(), least);

  wherry::deep::save_all(comm, "trees.deep", *list);  // one file, an object a rank
  auto saved = wherry::deep::load_all<entry>(comm, "trees.deep");
  const int lists = wherry::collective::allreduce(comm, static_cast<int>(saved.size()));
  if (comm.rank() == 0) std::printf("%d of %d lists are in the file\n", lists, comm.size()), std::remove("trees.deep");
  for (auto& [rank, own] : saved) wherry::deep::destroy(own.next);
  wherry::deep::destroy(list);
}
