#include "errors.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace wherry_c {
namespace {

/// An error, and the memory that its parts lie in.
struct kept_error {
  std::string text;
  std::vector<int> peers;
  wherry_error shown{WHERRY_SUCCESS, "", -1, 0, nullptr};
};
thread_local kept_error last;
/// The reason for which a layer over this interface refuses the next call with options; empty if it does not.
thread_local std::string refused;

wherry_status status_of(wherry::error_kind kind) { return static_cast<wherry_status>(static_cast<int>(kind) + 1); }
static_assert(static_cast<int>(wherry::error_kind::argument) + 1 == WHERRY_ERROR_ARGUMENT &&
              static_cast<int>(wherry::error_kind::lost) + 1 == WHERRY_ERROR_LOST);

wherry_status keep(wherry_status status, std::string text, int rank, std::vector<int> peers) {
  last.text = std::move(text);
  last.peers = std::move(peers);
  last.shown = {status, last.text.c_str(), rank, static_cast<int>(last.peers.size()), last.peers.data()};
  return status;
}

}  // namespace

wherry_status keep_error(std::string_view where) noexcept {
  refused.clear();  // of this call, which may have failed before it came to its options
  const auto prefix = [where](const char* what) { return std::string(where) + ": " + what; };
  try {
    try {
      throw;
    } catch (const wherry::error& failure) {
      return keep(status_of(failure.kind()), failure.what(), failure.rank(), failure.peers());
    } catch (const std::bad_alloc&) {
      return keep(WHERRY_ERROR_RESOURCE, prefix("there is too little memory"), -1, {});
    } catch (const std::exception& failure) {
      return keep(WHERRY_ERROR_RESOURCE, prefix(failure.what()), -1, {});
    } catch (...) {
      return keep(WHERRY_ERROR_RESOURCE, prefix("something was thrown that is no std::exception"), -1, {});
    }
  } catch (...) {  // the text itself found no memory
    last.shown = {WHERRY_ERROR_RESOURCE, "there is too little memory", -1, 0, nullptr};
    return WHERRY_ERROR_RESOURCE;
  }
}

void throw_refused(std::string_view where) {
  if (!refused.empty()) throw wherry::error(wherry::error_kind::argument, where, std::exchange(refused, {}));
}

}  // namespace wherry_c

extern "C" {

wherry_status wherry_refuse(const char* where, const char* text) {
  constexpr auto own_name = "wherry_refuse";
  return wherry_c::guarded(own_name, [&] {
    wherry_c::require_result(where, own_name, "where");
    wherry_c::require_result(text, own_name, "text");
    throw wherry::error(wherry::error_kind::argument, where, text);
  });
}
void wherry_refuse_next(const char* text) {
  wherry_c::guarded("wherry_refuse_next", [&] {
    if (wherry_c::refused.empty() && text != nullptr) wherry_c::refused = text;
  });
}

const wherry_error* wherry_last_error(void) { return &wherry_c::last.shown; }

const char* wherry_status_name(wherry_status status) {
  switch (status) {
    case WHERRY_SUCCESS:
      return "success";
    case WHERRY_ERROR_ARGUMENT:
      return "argument";
    case WHERRY_ERROR_MISMATCH:
      return "mismatch";
    case WHERRY_ERROR_STATE:
      return "state";
    case WHERRY_ERROR_RESOURCE:
      return "resource";
    case WHERRY_ERROR_TIMEOUT:
      return "timeout";
    case WHERRY_ERROR_MPI:
      return "mpi";
    case WHERRY_ERROR_LOST:
      return "lost";
  }
  return "unknown";
}

void wherry_require(wherry_status status) {
  if (status == WHERRY_SUCCESS) return;
  const char* const text = wherry_last_error()->text;
  std::fprintf(stderr, "%s\n", *text != '\0' ? text : wherry_status_name(status));  // it may be another thread's error
  std::fflush(stderr);
  int begun = 0, ended = 0;
  PMPI_Initialized(&begun);
  PMPI_Finalized(&ended);
  if (begun != 0 && ended == 0) PMPI_Abort(MPI_COMM_WORLD, 1);
  std::exit(1);
}

void wherry_version(int* major, int* minor, int* patch) {
  if (major != nullptr) *major = WHERRY_VERSION_MAJOR;
  if (minor != nullptr) *minor = WHERRY_VERSION_MINOR;
  if (patch != nullptr) *patch = WHERRY_VERSION_PATCH;
}
}
