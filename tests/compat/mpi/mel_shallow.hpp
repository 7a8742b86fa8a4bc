// Tables of MEL's shallow calls, each beside plain MPI.
#pragma once

#include <mpi.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "MEL.hpp"
#include "harness/harness.hpp"

// A call of MEL as an object, whatever its overloads are.
#define MEL_CALL(name) [](auto&&... mel_args) { return MEL::name(std::forward<decltype(mel_args)>(mel_args)...); }

namespace mel_tests {

using numbers = std::vector<long long>;

// `mel` and `mpi` are run one after the other, on all ranks, and must answer the same.
struct row {
  const char* call;
  std::function<numbers()> mel, mpi;
};

inline void compare(const char* call, const numbers& mel, const numbers& mpi) {
  using wherry_test::show;
  if (wherry_test::fault(mel != mpi)) FAIL(std::string(call) + " gives " + show(mel) + ", MPI " + show(mpi));
}

inline void compare(std::initializer_list<row> table) {
  for (const row& r : table) compare(r.call, r.mel(), r.mpi());
}

// What an MPI call returns through its last argument.
template <class Out, class... Parameters, class... Args> Out mpi(int (*call)(Parameters...), const Args&... args) {
  Out out{};
  if (call(args..., &out) != MPI_SUCCESS) FAIL("a call of MPI fails");
  return out;
}

// Numbers of a rank's own, no two of which are the same on any ranks.
inline std::vector<int> own_numbers(int rank, int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(1000 * (rank + 1) + i);
  return all;
}

inline numbers as_numbers(const std::vector<int>& all) { return {all.begin(), all.end()}; }

}  // namespace mel_tests
