#include "wherry/c/exchange.h"

#include <span>
#include <string>
#include <string_view>

#include "convert.hpp"
#include "objects.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

exchange_object& exchange_of(wherry_exchange exchange, std::string_view where) {
  return object_of<exchange_object>(exchange, where, "exchange");
}

/// The addresses of the fields for a start with other arrays.
/// @throws error(argument) for another number of arrays than the exchange was made with, or for x-arrays
std::span<void* const> addresses_of(exchange_object& one, int count, void* const* arrays, std::string_view where) {
  if (one.mover != nullptr)
    refuse(where, "'exchange' moves between x-arrays: wherry_mover_start_with starts it with others");
  list_of(arrays, count, where, "arrays");
  if (count != one.arrays) refuse(where, "there are ", count, " arrays, but the exchange was made with ", one.arrays);
  return one.addresses(arrays);
}

/// Runs a call for an exchange.
template <class Step>
wherry_status with_exchange(wherry_exchange exchange, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] { step(exchange_of(exchange, where)); });
}

/// Runs a call that drives an exchange.
template <class Step> wherry_status driving(wherry_exchange exchange, std::string_view where, Step&& step) noexcept {
  return with_exchange(exchange, where, [&](exchange_object& one) {
    refuse_in_program_function(where);
    step(one);
  });
}

template <class Ask>
wherry_status text_of(wherry_exchange exchange, const char** text, std::string_view where, Ask&& ask) noexcept {
  return with_exchange(exchange, where, [&](exchange_object& one) {
    require_result(text, where, "text");
    one.text = ask(*one.pattern);
    *text = one.text.c_str();
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_exchange_free(wherry_exchange* exchange) {
  constexpr auto where = "wherry_exchange_free";
  return guarded(where, [&] { free_handle<exchange_object>(exchange, where, "exchange"); });
}

wherry_status wherry_exchange_start(wherry_exchange exchange) {
  return driving(exchange, "wherry_exchange_start", [](exchange_object& one) { one.pattern->start(); });
}
wherry_status wherry_exchange_start_with(wherry_exchange exchange, int count, void* const* arrays) {
  constexpr auto where = "wherry_exchange_start_with";
  return driving(exchange, where,
                 [&](exchange_object& one) { one.pattern->bound().start(addresses_of(one, count, arrays, where)); });
}
wherry_status wherry_exchange_test(wherry_exchange exchange, int* done) {
  constexpr auto where = "wherry_exchange_test";
  return driving(exchange, where, [&](exchange_object& one) {
    require_result(done, where, "done");
    *done = 0;
    *done = one.pattern->test() ? 1 : 0;
  });
}
wherry_status wherry_exchange_wait(wherry_exchange exchange) {
  return driving(exchange, "wherry_exchange_wait", [](exchange_object& one) { one.pattern->wait(); });
}
wherry_status wherry_exchange_run(wherry_exchange exchange) {
  return driving(exchange, "wherry_exchange_run", [](exchange_object& one) { (*one.pattern)(); });
}
wherry_status wherry_exchange_wait_some(wherry_exchange exchange, const int** ranks, int* count) {
  constexpr auto where = "wherry_exchange_wait_some";
  return driving(exchange, where, [&](exchange_object& one) {
    require_result(ranks, where, "ranks");
    require_result(count, where, "count");
    *count = 0;
    const auto some = one.pattern->wait_some();
    *ranks = some.data();
    *count = static_cast<int>(some.size());
  });
}
wherry_status wherry_exchange_abandon(wherry_exchange exchange) {
  return driving(exchange, "wherry_exchange_abandon", [](exchange_object& one) { one.pattern->abandon(); });
}

wherry_status wherry_exchange_start_in_parts(wherry_exchange exchange) {
  return driving(exchange, "wherry_exchange_start_in_parts",
                 [](exchange_object& one) { one.pattern->start_in_parts(); });
}
wherry_status wherry_exchange_start_in_parts_with(wherry_exchange exchange, int count, void* const* arrays) {
  constexpr auto where = "wherry_exchange_start_in_parts_with";
  return driving(exchange, where, [&](exchange_object& one) {
    one.pattern->bound().start_in_parts(addresses_of(one, count, arrays, where));
  });
}
wherry_status wherry_exchange_ready(wherry_exchange exchange, int part) {
  return with_exchange(exchange, "wherry_exchange_ready", [&](exchange_object& one) { one.pattern->ready(part); });
}

wherry_status wherry_exchange_statistics(wherry_exchange exchange, wherry_statistics* result) {
  constexpr auto where = "wherry_exchange_statistics";
  return with_exchange(exchange, where, [&](exchange_object& one) {
    require_result(result, where, "result");
    *result = statistics_of(one.pattern->statistics());
  });
}

wherry_status wherry_exchange_explain(wherry_exchange exchange, const char** text) {
  return text_of(exchange, text, "wherry_exchange_explain", [](const auto& pattern) { return pattern.explain(); });
}
wherry_status wherry_exchange_to_json(wherry_exchange exchange, const char** text) {
  return text_of(exchange, text, "wherry_exchange_to_json",
                 [](const auto& pattern) { return pattern.schedule().to_json(); });
}
wherry_status wherry_exchange_transport(wherry_exchange exchange, const char** text) {
  return text_of(exchange, text, "wherry_exchange_transport", [](const auto& pattern) { return pattern.transport(); });
}
}
