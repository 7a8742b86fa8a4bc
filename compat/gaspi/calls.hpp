// The frame of every procedure: no exception leaves it, and failures are reported on request.
#pragma once

#include <exception>
#include <new>
#include <string_view>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/error.hpp"

#include "GASPI_types.h"
#include "callers.hpp"
#include "world.hpp"

namespace wherry::gaspi {

/// Prints the reason on stderr, if the configuration's `logger` or WHERRY_CHECK asks for it, and returns the number.
gaspi_return_t refuse(std::string_view call, gaspi_return_t number, std::string_view why);
/// Prints the text of an exception, in any case: it is not an error of arguments. Only for a wait that ended with the
/// world the rule for arguments applies.
gaspi_return_t refuse(std::string_view call, const error& failure);
/// The name of the number: "GASPI_ERR_INV_RANK".
const char* name_of(gaspi_return_t number);
/// The meaning of the number: "no such rank".
const char* meaning_of(gaspi_return_t number);

/// Runs `body` and turns any exception into an error number.
template <class Body> gaspi_return_t guarded(std::string_view call, Body&& body) noexcept {
  try {
    return body();
  } catch (const error& failure) {
    return refuse(call, failure);
  } catch (const std::bad_alloc&) {
    return refuse(call, GASPI_ERR_MEMALLOC, "the memory cannot be allocated");
  } catch (const std::exception& failure) {
    return refuse(call, GASPI_ERROR, failure.what());
  } catch (...) {
    return refuse(call, GASPI_ERROR, "an exception was thrown that is not a std::exception");
  }
}

/// As `guarded`, and refuses a call outside gaspi_proc_init and gaspi_proc_term.
template <class Body> gaspi_return_t in_world(const char* call, Body&& body) noexcept {
  return guarded(call, [&] {
    const inside here(call);
    if (here.found() == nullptr)
      return refuse(call, GASPI_ERR_NOINIT, "the call is possible only between gaspi_proc_init and gaspi_proc_term");
    detail::require_mpi(call);
    return body(*here.found());
  });
}

/// A procedure that writes one answer to `place`, which must not be null.
template <class Answer, class Question>
gaspi_return_t answer(const char* call, Answer* place, Question&& question) noexcept {
  return in_world(call, [&](world& w) {
    if (place == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "the pointer for the result is null");
    *place = static_cast<Answer>(question(w));
    return GASPI_SUCCESS;
  });
}

inline gaspi_return_t in_time(bool done) { return done ? GASPI_SUCCESS : GASPI_TIMEOUT; }

}  // namespace wherry::gaspi
