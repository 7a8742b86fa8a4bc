// WHERRY_TRACE: a timeline in Chrome's trace format, with all ranks in one file. If it is off, nothing is measured and
// no clock is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wherry {

/// A subject of the trace, e.g. one bound exchange. It is registered once, so that an event is small.
struct trace_subject {
  std::string pattern, transport;
  std::string more{};  ///< further members of an event's "args", as JSON: `"peers":[1,2],"bytes_sent":80`
};

/// True when WHERRY_TRACE names a file.
bool trace_is_on();

/// Registers a subject and returns its number. Thread safe.
int trace_register(const trace_subject& subject);

/// The time in nanoseconds, on a clock that is the same for all ranks of a machine.
std::int64_t trace_clock();

/// Adds one event from `began` until now. Thread safe; allocates only when the list of events grows.
/// @param what a literal, e.g. "wait"
/// @param bytes the bytes that this event has moved; -1: those of its subject
void trace_event(int subject, const char* what, std::int64_t began, std::uint64_t number, std::int64_t bytes = -1);

/// Writes the events so far to the file. It also happens when the list is long, and when the process ends. It needs no
/// MPI: ranks append one after the other under a file lock, and the file is complete JSON after each.
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
