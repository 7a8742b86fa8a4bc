/// @file
/// One way to move a structure, in the form that the contest uses, and its arguments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "deep/carry.hpp"
#include "deep/deep_stack.hpp"

namespace bench::deep {

/// The work of all contenders.
template <class Structure> struct job {
  const Structure* original;  ///< the source on rank 0, and the expected structure on the others
  operation what;
  MPI_Comm comm;
  std::string folder;  ///< for files
};

struct contender {
  std::string name, group;      ///< group: "ours", "serialiser", "hand-written", "limit"
  std::function<void()> run;    ///< what is timed
  std::function<void()> clear;  ///< frees the arrived structure and removes the file; not timed
  std::function<bool()> right;  ///< after `run`, on each rank: true if the arrived structure equals the original
};
using contenders = std::vector<contender>;

inline void append(contenders& all, contenders more) {
  for (auto& one : more) all.push_back(std::move(one));
}

/// A missing peer, and the reason.
struct left_out {
  std::string name, why;
};

/// Names a file of one method.
inline std::string file_for(const std::string& folder, const std::string& method) {
  std::string name;
  for (const char c : method) name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
  return folder + "/" + name;
}

}  // namespace bench::deep
