#include "call_trace.hpp"

#include <algorithm>
#include <string>

#include "core/trace.hpp"

namespace wherry::collective {

void traced_call::add(const char* what, std::int64_t began) const {
  if (subject >= 0) trace_event(subject, what, began, number, bytes);
}

void traced_call::add(const char* what) const {
  if (subject >= 0) add(what, trace_clock());
}

traced_call call_trace::next(kind what, std::string_view by, const exchange_statistics& moved) {
  auto place =
      std::find_if(rows_.begin(), rows_.end(), [&](const row& one) { return one.what == what && one.by == by; });
  if (place == rows_.end()) {
    const int subject = trace_register({std::string(name_of(what)), std::string(by)});
    place = rows_.insert(place, {what, by, subject, 0});
  }
  return {place->subject, ++place->calls, moved.bytes_sent + moved.bytes_received};
}

}  // namespace wherry::collective
