// How a byte stream waits for a condition.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "core/patience.hpp"
#include "stream_log.hpp"

namespace wherry {

/// @param append_missing appends the ranks that are waited for, for the error of a timeout
/// @param record the stream's record; it says which ranks are waited for, and learns how long it took
/// @param rank the rank that is waited for if there is no record; -1: unknown
template <class Ready, class AppendMissing>
void wait_until(const communicator& comm, std::string_view where, Ready&& ready, AppendMissing&& append_missing,
                stream_record* record = nullptr, int rank = -1) {
  if (ready()) return;
  const stream_wait measured(where, comm, record, rank);
  patience wait(comm, where, "stream");
  do wait.pause(append_missing);
  while (!ready());
}

template <class Ready>
void wait_until(const communicator& comm, std::string_view where, Ready&& ready, int missing_rank) {
  const auto append_missing = [missing_rank](std::vector<int>& missing) {
    if (missing_rank >= 0) missing.push_back(missing_rank);
  };
  wait_until(comm, where, std::forward<Ready>(ready), append_missing, nullptr, missing_rank);
}

}  // namespace wherry
