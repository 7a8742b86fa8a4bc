// What WHERRY_TRACE shows of one communicator's collectives.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/channel/statistics.hpp"
#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// One call in the trace.
struct traced_call {
  int subject = -1;  ///< none: it is not in the trace
  std::uint64_t number = 0;
  std::int64_t bytes = 0;

  /// From `began` until now. For any thread.
  void add(const char* what, std::int64_t began) const;
  /// At this moment.
  void add(const char* what) const;
};

/// For who makes the communicator's collectives, one after the other.
class call_trace {
 public:
  /// The next call of this kind by this implementation. @param by a literal
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
