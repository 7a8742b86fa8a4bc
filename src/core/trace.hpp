// WHERRY_TRACE: what happened when, in Chrome's trace format, all ranks in one file. Nothing is measured, and no clock
// read, where it is off.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wherry {

/// Something that shows up in the trace, e.g. one bound exchange. Registered once, so that an event is small.
struct trace_subject {
  std::string pattern, transport;
  std::string more{};  ///< further members of an event's "args", as JSON: `"peers":[1,2],"bytes_sent":80`
};

/// True when WHERRY_TRACE names a file.
bool trace_is_on();

/// Thread safe. The number stands for the subject in the events.
int trace_register(const trace_subject& subject);

/// Nanoseconds; the same clock on all ranks of a machine.
std::int64_t trace_clock();

/// Adds one event from `began` until now. Thread safe; allocates only when the list of events grows.
/// @param what a literal, e.g. "wait"  @param bytes that this event has moved; -1: the subject's say it
void trace_event(int subject, const char* what, std::int64_t began, std::uint64_t number, std::int64_t bytes = -1);

/// Writes what there is to the file. Also done when the list is long and when the process ends. Needs no MPI: ranks
/// append one after the other under a file lock, and the file is complete JSON after each.
void trace_flush();

/// An event as long as its scope; does nothing for a negative subject.
class trace_span {
 public:
  trace_span(int subject, const char* what, std::uint64_t number)
      : subject_(subject), what_(what), number_(number), began_(subject < 0 ? 0 : trace_clock()) {}
  trace_span(const trace_span&) = delete;
  trace_span& operator=(const trace_span&) = delete;
  ~trace_span() {
    if (subject_ >= 0) trace_event(subject_, what_, began_, number_);
  }

 private:
  int subject_;
  const char* what_;
  std::uint64_t number_;
  std::int64_t began_;
};

}  // namespace wherry
