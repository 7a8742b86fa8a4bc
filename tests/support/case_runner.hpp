// Runs many random cases within a time budget, on communicators that are cut into nodes of 1, 2 and all ranks.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/core/settings.hpp"

#include "halo/mpi/oracle.hpp"
#include "harness/harness.hpp"

namespace wherry_test {

// Changes one setting for a while. What reads it only when bound keeps the value.
class setting {
 public:
  setting(std::string name, std::string_view value, std::string before)
      : name_(std::move(name)), before_(std::move(before)) {
    wherry::configure(name_, value);
  }
  ~setting() { wherry::configure(name_, before_); }
  setting(const setting&) = delete;
  setting& operator=(const setting&) = delete;

 private:
  std::string name_, before_;
};

// A duplicate of a communicator where so many ranks are a node; 0: as they are.
class nodes_of {
 public:
  nodes_of(MPI_Comm comm, int ranks_a_node);
  ~nodes_of() { MPI_Comm_free(&mine_); }
  nodes_of(const nodes_of&) = delete;
  nodes_of& operator=(const nodes_of&) = delete;

  operator MPI_Comm() const { return mine_; }

 private:
  MPI_Comm mine_ = MPI_COMM_NULL;
};

// Duplicates of a communicator whose ranks are cut into nodes of so many ranks; 0: as they are.
class node_communicators {
 public:
  explicit node_communicators(MPI_Comm comm);
  ~node_communicators();
  node_communicators(const node_communicators&) = delete;
  node_communicators& operator=(const node_communicators&) = delete;

  MPI_Comm all() const { return list_[0]; }
  const std::vector<MPI_Comm>& list() const { return list_; }
  MPI_Comm pick(random_numbers& random) const { return random.one_of(list_); }

 private:
  std::vector<MPI_Comm> list_;
};

// Names of the transports that reach all ranks of `comm`, and "auto".
std::vector<std::string> usable_transports(MPI_Comm comm);
// And those that carry nothing but what is in device memory.
std::vector<std::string> device_transports(MPI_Comm comm);

// One random case's part of a test: its numbers are the same on all ranks.
struct random_case {
  int number;
  random_numbers random;
  std::string title;  // says how to repeat it
};

// Calls `body` for up to `wanted` cases (at 1 and 2 ranks; fewer with more), about 1.5 seconds in all, or what the
// environment's WHERRY_TEST_SECONDS says; for a tenth of them, and for eight, however long they take. With
// WHERRY_TEST_CASE=n only case n is run.
void for_each_case(const context& test, int wanted, const std::function<void(random_case&)>& body);

// Calls `body` with std::integral_constant<int, N>, N drawn from 1 to 3.
template <class Body> void in_1_to_3_dimensions(random_numbers& random, Body&& body) {
  switch (random.between(1, 3)) {
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    default:
      return body(std::integral_constant<int, 3>{});
  }
}

// Binds, exchanges a few times in different ways, and checks every byte.
void exchange_and_check(const halo_case& what, MPI_Comm comm, random_case& now);

}  // namespace wherry_test
