// The collectives of one communicator in the trace of WHERRY_TRACE.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/channel/statistics.hpp"
#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// One call in the trace.
struct traced_call {
  int subject = -1;  ///< -1: the call is not in the trace
  std::uint64_t number = 0;
  std::int64_t bytes = 0;

  /// Adds a span from `began` until now. Any thread may call this.
  void add(const char* what, std::int64_t began) const;
  /// Adds an event at this moment.
  void add(const char* what) const;
};

/// Used by the thread that makes the communicator's collectives, one after the other.
class call_trace {
 public:
  /// The next call of this kind by this implementation.
  /// @param by a literal
  traced_call next(kind what, std::string_view by, const exchange_statistics& moved);

 private:
  struct row {
    kind what;
    std::string_view by;
    int subject;
    std::uint64_t calls;
  };
  std::vector<row> rows_;
};

}  // namespace wherry::collective
