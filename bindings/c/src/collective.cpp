#include "wherry/c/collective.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "calls.hpp"
#include "convert.hpp"
#include "objects.hpp"
#include "texts.hpp"

namespace wherry_c {

/// A call in flight, a call that is begun again and again, or neither after it was given up.
struct request_object {
  std::variant<std::monostate, wherry::collective::running_call, wherry::collective::persistent> call;
  bool failed = false;

  template <class Step, class Otherwise> auto visit(Step&& step, Otherwise&& otherwise) {
    if (auto* const running = std::get_if<wherry::collective::running_call>(&call)) return step(*running);
    if (auto* const kept = std::get_if<wherry::collective::persistent>(&call)) return step(*kept);
    return otherwise();
  }

  explicit request_object(wherry::collective::running_call running) : call(std::move(running)) {}
  explicit request_object(wherry::collective::persistent kept) : call(std::move(kept)) {}
  request_object(const request_object&) = delete;
  request_object& operator=(const request_object&) = delete;
  ~request_object() {
    if (failed) return;
    try {
      visit([](auto& one) { one.wait(); }, [] {});
    } catch (...) {  // nobody could be told; the call is given up
    }
  }
};
template <> inline constexpr kind kind_of<request_object> = kind::request;

wherry::collective::kind collective_of(wherry_collective kind, std::string_view where) {
  static_assert(WHERRY_COLLECTIVES == wherry::collective::kinds &&
                static_cast<int>(wherry::collective::kind::neighbor_alltoallw) == WHERRY_NEIGHBOR_ALLTOALLW &&
                static_cast<int>(wherry::collective::kind::allreduce) == WHERRY_ALLREDUCE);
  if (kind < 0 || kind >= WHERRY_COLLECTIVES) refuse(where, "'kind' is ", kind, ", which is no collective");
  return static_cast<wherry::collective::kind>(kind);
}

namespace {

namespace collective = wherry::collective;

/// A handle of MPI's that was left 0.
template <class Handle> Handle handle_of(Handle given, Handle none) { return given == Handle{} ? none : given; }

template <class Large> collective::figure_list<Large> figures_of(const void* given, bool large) {
  if (large) return collective::figure_list<Large>::of_large(static_cast<const Large*>(given));
  return static_cast<const int*>(given);
}

/// True if blocks of different sizes are sent, or received, so that they have lists.
bool sends_lists(collective::kind what) {
  using collective::kind;
  return what == kind::scatterv || what == kind::alltoallv || what == kind::alltoallw ||
         what == kind::neighbor_alltoallv || what == kind::neighbor_alltoallw;
}
bool receives_lists(collective::kind what) {
  using collective::kind;
  return what == kind::gatherv || what == kind::allgatherv || what == kind::reduce_scatter ||
         what == kind::neighbor_allgatherv || (sends_lists(what) && what != kind::scatterv);
}

collective::call converted(const wherry_call& it, std::string_view where) {
  collective::call made;
  made.kind = collective_of(it.kind, where);
  const bool large_sent = it.large_lists != 0 && sends_lists(made.kind),
             large_received = it.large_lists != 0 && receives_lists(made.kind);
  made.comm = handle_of(it.comm, MPI_COMM_NULL);
  made.send = it.send;
  made.receive = it.receive;
  made.send_count = it.send_count;
  made.receive_count = it.receive_count;
  made.send_counts = figures_of<MPI_Count>(it.send_counts, large_sent);
  made.receive_counts = figures_of<MPI_Count>(it.receive_counts, large_received);
  made.send_displacements = figures_of<MPI_Aint>(it.send_displacements, large_sent);
  made.receive_displacements = figures_of<MPI_Aint>(it.receive_displacements, large_received);
  made.send_type = handle_of(it.send_type, MPI_DATATYPE_NULL);
  made.receive_type = handle_of(it.receive_type, MPI_DATATYPE_NULL);
  made.send_types = it.send_types;
  made.receive_types = it.receive_types;
  made.send_addresses = it.send_addresses;
  made.receive_addresses = it.receive_addresses;
  made.op = handle_of(it.op, MPI_OP_NULL);
  made.root = it.root;
  return made;
}

/// Runs `step`; its errors become those of the call, of which the other ranks are told.
template <class Step> auto telling_others(const wherry_call* given, const char* where, Step&& step) {
  try {
    return step();
  } catch (const wherry::error& mine) {
    if (given == nullptr) throw;
    collective::detail::refuse(handle_of(given->comm, MPI_COMM_NULL), where, mine.text(), mine.kind());
  }
}

collective::start_options start_options_of(const wherry_start_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  return {.protected_buffer = options.protected_buffer != 0, .implementation = name_given(options.implementation)};
}

request_object& request_of(wherry_request request, std::string_view where) {
  return object_of<request_object>(request, where, "request");
}

[[noreturn]] void throw_abandoned(std::string_view where) {
  throw wherry::error(wherry::error_kind::state, where, "the request was abandoned and can only be freed");
}

/// Runs a call for a request that was not given up, and remembers if it fails.
template <class Step> wherry_status going_on(wherry_request request, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    auto& one = request_of(request, where);
    try {
      one.visit(step, [&] { throw_abandoned(where); });
    } catch (const wherry::error& failure) {
      if (failure.kind() != wherry::error_kind::state) one.failed = true;
      throw;
    } catch (...) {
      one.failed = true;
      throw;
    }
  });
}

collective::persistent& persistent_of(request_object& one, std::string_view where) {
  if (one.call.index() == 0) throw_abandoned(where);
  auto* const kept = std::get_if<collective::persistent>(&one.call);
  if (kept == nullptr)
    throw wherry::error(wherry::error_kind::state, where,
                        "the request was made by wherry_call_start, which has begun it for the only time");
  return *kept;
}

wherry_status start_again(wherry_request request, std::string_view where, bool and_wait) noexcept {
  return guarded(where, [&] {
    auto& one = request_of(request, where);
    auto& kept = persistent_of(one, where);
    kept.start();
    one.failed = false;
    if (!and_wait) return;
    try {
      kept.wait();
    } catch (...) {
      one.failed = true;
      throw;
    }
  });
}

template <class Ask>
wherry_status text_of(wherry_request request, const char** text, std::string_view where, Ask&& ask) noexcept {
  return guarded(where, [&] {
    auto& one = request_of(request, where);
    require_result(text, where, "text");
    *text = kept_text<of_collectives>(one.visit(ask, [] { return std::string(); }));
  });
}

}  // namespace

collective::call call_of(const wherry_call* given, std::string_view where) {
  if (given == nullptr) refuse(where, "'call' is NULL");
  if (given->struct_size == sizeof *given) return converted(*given, where);  // as in most programs
  return converted(options_of(given, where), where);
}

}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

const char* wherry_collective_name(wherry_collective kind) {
  return kind < 0 || kind >= WHERRY_COLLECTIVES ? "" : collective::name_of(static_cast<collective::kind>(kind)).data();
}

wherry_status wherry_call_run(const wherry_call* call, const char* implementation, const char** ran) {
  constexpr auto where = "wherry_call_run";
  return guarded(where, [&] {
    if (ran != nullptr) *ran = "";
    const auto what = telling_others(call, where, [&] { return call_of(call, where); });
    const auto by = implementation == nullptr ? collective::run(what) : collective::run(what, implementation);
    if (ran != nullptr) *ran = by.data();
  });
}

wherry_status wherry_call_explain(const wherry_call* call, const char** text) {
  constexpr auto where = "wherry_call_explain";
  return guarded(where, [&] {
    const auto what = telling_others(call, where, [&] {
      require_result(text, where, "text");
      return call_of(call, where);
    });
    *text = kept_text<of_collectives>(collective::explain(what));
  });
}
wherry_status wherry_call_obstacle(const wherry_call* call, const char* implementation, const char** why) {
  constexpr auto where = "wherry_call_obstacle";
  return guarded(where, [&] {
    const auto what = telling_others(call, where, [&] {
      require_result(why, where, "why");
      return call_of(call, where);
    });
    *why = "";
    const auto found = collective::obstacle(what, name_given(implementation));
    if (!found.empty()) *why = found.data();
  });
}

wherry_status wherry_call_start(const wherry_call* call, const wherry_start_options* options, wherry_request* result) {
  constexpr auto where = "wherry_call_start";
  return creating(result, where, [&] {
    collective::start_options how;
    const auto what = telling_others(call, where, [&] {
      require_result(result, where, "result");
      how = start_options_of(options, where);
      return call_of(call, where);
    });
    return std::make_shared<request_object>(collective::start(what, how));
  });
}
wherry_status wherry_call_persistent(const wherry_call* call, const wherry_start_options* options,
                                     wherry_request* result) {
  constexpr auto where = "wherry_call_persistent";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    const auto how = start_options_of(options, where);
    return std::make_shared<request_object>(collective::persistent(call_of(call, where), how));
  });
}

wherry_status wherry_request_start(wherry_request request) {
  return start_again(request, "wherry_request_start", false);
}
wherry_status wherry_request_run(wherry_request request) { return start_again(request, "wherry_request_run", true); }
wherry_status wherry_request_test(wherry_request request, int* done) {
  constexpr auto where = "wherry_request_test";
  if (done == nullptr)
    return guarded(where, [&] {
      request_of(request, where);
      require_result(done, where, "done");
    });
  *done = 0;
  return going_on(request, where, [done](auto& one) { *done = one.test() ? 1 : 0; });
}
wherry_status wherry_request_wait(wherry_request request) {
  return going_on(request, "wherry_request_wait", [](auto& one) { one.wait(); });
}
wherry_status wherry_request_abandon(wherry_request request) {
  constexpr auto where = "wherry_request_abandon";
  return guarded(where, [&] { request_of(request, where).call.emplace<std::monostate>(); });
}
wherry_status wherry_request_free(wherry_request* request) {
  constexpr auto where = "wherry_request_free";
  return guarded(where, [&] { free_handle<request_object>(request, where, "request"); });
}

wherry_status wherry_request_transport(wherry_request request, const char** text) {
  return text_of(request, text, "wherry_request_transport", [](const auto& one) { return one.transport(); });
}
wherry_status wherry_request_explain(wherry_request request, const char** text) {
  return text_of(request, text, "wherry_request_explain", [](const auto& one) { return one.explain(); });
}
wherry_status wherry_request_statistics(wherry_request request, wherry_statistics* result) {
  constexpr auto where = "wherry_request_statistics";
  return guarded(where, [&] {
    auto& one = request_of(request, where);
    require_result(result, where, "result");
    *result = statistics_of(
        one.visit([](const auto& call) { return call.statistics(); }, [] { return wherry::exchange_statistics{}; }));
  });
}
}
