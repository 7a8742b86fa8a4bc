#include "wherry/c/notify.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/notify/health.hpp"
#include "wherry/notify/passive_messages.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/notify/rank_group.hpp"

#include "limits.hpp"
#include "objects.hpp"
#include "texts.hpp"

namespace wherry_c {

/// Published layouts, and which array each of their fields lies in.
struct layouts_object {
  wherry::published_layouts layouts;
  exchange_object of;  // without a pattern: only its fields

  std::span<void* const> table(int count, void* const* given, std::string_view where) {
    list_of(given, count, where, "arrays");
    if (count != of.arrays) refuse(where, "there are ", count, " arrays, but the exchange was made with ", of.arrays);
    return of.addresses(given);
  }
};
template <> inline constexpr kind kind_of<layouts_object> = kind::published_layouts;
template <> inline constexpr kind kind_of<wherry::passive_messages> = kind::passive_messages;
template <> inline constexpr kind kind_of<wherry::rank_group> = kind::rank_group;

namespace {

wherry::published_layouts& questioned(layouts_object& one) { return one.layouts; }
template <class T> T& questioned(T& one) { return one; }

/// Runs a call for an object of this type.
template <class T, class Handle, class Step>
wherry_status with(Handle handle, std::string_view argument, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] { step(object_of<T>(handle, where, argument)); });
}
/// Runs a call that returns false when its time is over.
template <class T, class Handle, class Step>
wherry_status with_in_time(Handle handle, std::string_view argument, double seconds, int* done, std::string_view where,
                           Step&& step) noexcept {
  return with<T>(handle, argument, where, [&](T& one) { within(seconds, done, where, [&] { return step(one); }); });
}

// Questions that every object answers.
template <class T, class Handle, class Ask>
wherry_status asked(Handle handle, std::string_view argument, const char** text, std::string_view where,
                    Ask&& ask) noexcept {
  return with<T>(handle, argument, where, [&](T& one) {
    require_result(text, where, "text");
    *text = kept_text<of_notifications>(ask(questioned(one)));
  });
}
template <class T, class Handle>
wherry_status explained(Handle handle, std::string_view argument, const char** text, std::string_view where) noexcept {
  return asked<T>(handle, argument, text, where, [](const auto& one) { return one.explain(); });
}
template <class T, class Handle>
wherry_status named(Handle handle, std::string_view argument, const char** text, std::string_view where) noexcept {
  return asked<T>(handle, argument, text, where, [](const auto& one) { return one.transport(); });
}
template <class T, class Handle>
wherry_status counted(Handle handle, std::string_view argument, wherry_statistics* result,
                      std::string_view where) noexcept {
  return with<T>(handle, argument, where, [&](T& one) {
    require_result(result, where, "result");
    *result = statistics_of(questioned(one).statistics());
  });
}

wherry::published_options published_options_of(const wherry_published_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  const auto windows = list_of(options.windows, options.window_count, where, "options.windows");
  wherry::published_options result;
  result.windows.assign(windows.begin(), windows.end());
  result.name = name_or_empty(options.name);
  return result;
}

wherry::passive_options passive_options_of(const wherry_passive_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::passive_options result;
  if (options.largest != 0) result.largest = size_of(options.largest, where, "options.largest");
  if (options.under_way != 0) result.under_way = options.under_way;
  result.name = name_or_empty(options.name);
  return result;
}

wherry::communicator& comm_for(wherry_communicator comm, std::string_view where) {
  return object_of<wherry::communicator>(comm, where, "comm");
}

using group = wherry::rank_group;
using passive = wherry::passive_messages;

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_published_layouts_create(wherry_communicator comm, wherry_exchange exchange,
                                              const wherry_published_options* options,
                                              wherry_published_layouts* result) {
  constexpr auto where = "wherry_published_layouts_create";
  return creating(result, where, [&] {
    const auto& ours = comm_for(comm, where);
    wherry::published_options wanted;
    const exchange_object* plan = nullptr;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      plan = &object_of<exchange_object>(exchange, where, "exchange");
      if (plan->mover != nullptr)
        refuse(where, "'exchange' moves between x-arrays, and published layouts have the addresses of arrays");
      wanted = published_options_of(options, where);
    });
    return std::make_shared<layouts_object>(
        layouts_object{wherry::published_layouts(ours, plan->pattern->schedule(), wanted),
                       exchange_object{.pattern = nullptr, .arrays = plan->arrays, .fields = plan->fields}});
  });
}
wherry_status wherry_published_layouts_free(wherry_published_layouts* layouts) {
  constexpr auto where = "wherry_published_layouts_free";
  return guarded(where, [&] { free_handle<layouts_object>(layouts, where, "layouts"); });
}
wherry_status wherry_published_layouts_publish(wherry_published_layouts layouts, int count, void* const* arrays,
                                               double seconds, int* done) {
  constexpr auto where = "wherry_published_layouts_publish";
  return with_in_time<layouts_object>(layouts, "layouts", seconds, done, where, [&](layouts_object& one) {
    return one.layouts.publish(one.table(count, arrays, where), seconds);
  });
}
wherry_status wherry_published_layouts_read(wherry_published_layouts layouts, int count, void* const* arrays,
                                            double seconds, int* done) {
  constexpr auto where = "wherry_published_layouts_read";
  return with_in_time<layouts_object>(layouts, "layouts", seconds, done, where, [&](layouts_object& one) {
    return one.layouts.read(one.table(count, arrays, where), seconds);
  });
}
wherry_status wherry_published_layouts_await_readers(wherry_published_layouts layouts, double seconds, int* done) {
  return with_in_time<layouts_object>(layouts, "layouts", seconds, done, "wherry_published_layouts_await_readers",
                                      [&](layouts_object& one) { return one.layouts.await_readers(seconds); });
}
wherry_status wherry_published_layouts_explain(wherry_published_layouts layouts, const char** text) {
  return explained<layouts_object>(layouts, "layouts", text, "wherry_published_layouts_explain");
}
wherry_status wherry_published_layouts_transport(wherry_published_layouts layouts, const char** text) {
  return named<layouts_object>(layouts, "layouts", text, "wherry_published_layouts_transport");
}
wherry_status wherry_published_layouts_statistics(wherry_published_layouts layouts, wherry_statistics* result) {
  return counted<layouts_object>(layouts, "layouts", result, "wherry_published_layouts_statistics");
}

wherry_status wherry_passive_messages_create(wherry_communicator comm, const wherry_passive_options* options,
                                             wherry_passive_messages* result) {
  constexpr auto where = "wherry_passive_messages_create";
  return creating(result, where, [&] {
    const auto& ours = comm_for(comm, where);
    wherry::passive_options wanted;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      wanted = passive_options_of(options, where);
    });
    return std::make_shared<passive>(ours, wanted);
  });
}
wherry_status wherry_passive_messages_free(wherry_passive_messages* messages) {
  constexpr auto where = "wherry_passive_messages_free";
  return guarded(where, [&] { free_handle<passive>(messages, where, "messages"); });
}
wherry_status wherry_passive_messages_send(wherry_passive_messages messages, int to, const void* data, int64_t bytes,
                                           double seconds, int* done) {
  constexpr auto where = "wherry_passive_messages_send";
  return with_in_time<passive>(messages, "messages", seconds, done, where, [&](passive& one) {
    const auto size = size_of(bytes, where, "bytes");
    if (data == nullptr && size > 0) refuse(where, "'data' is NULL, but there are ", bytes, " bytes");
    return one.send(to, {static_cast<const std::byte*>(data), size}, seconds);
  });
}
wherry_status wherry_passive_messages_receive(wherry_passive_messages messages, void* into, int64_t room,
                                              double seconds, int* from, int64_t* bytes) {
  constexpr auto where = "wherry_passive_messages_receive";
  return with<passive>(messages, "messages", where, [&](passive& one) {
    require_result(from, where, "from");
    *from = -1;
    const auto size = size_of(room, where, "room");
    if (into == nullptr && size > 0) refuse(where, "'into' is NULL, but 'room' is ", room);
    const auto come = one.receive({static_cast<std::byte*>(into), size}, seconds);
    if (!come) return;
    *from = come->from;
    if (bytes != nullptr) *bytes = static_cast<std::int64_t>(come->bytes);
  });
}
wherry_status wherry_passive_messages_explain(wherry_passive_messages messages, const char** text) {
  return explained<passive>(messages, "messages", text, "wherry_passive_messages_explain");
}
wherry_status wherry_passive_messages_transport(wherry_passive_messages messages, const char** text) {
  return named<passive>(messages, "messages", text, "wherry_passive_messages_transport");
}
wherry_status wherry_passive_messages_statistics(wherry_passive_messages messages, wherry_statistics* result) {
  return counted<passive>(messages, "messages", result, "wherry_passive_messages_statistics");
}

wherry_status wherry_rank_group_create(wherry_communicator comm, const char* name, wherry_rank_group* result) {
  constexpr auto where = "wherry_rank_group_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<group>(comm_for(comm, where), wherry::group_options{.name = name_or_empty(name)});
  });
}
wherry_status wherry_rank_group_free(wherry_rank_group* one) {
  constexpr auto where = "wherry_rank_group_free";
  return guarded(where, [&] { free_handle<group>(one, where, "group"); });
}
wherry_status wherry_rank_group_add(wherry_rank_group one, int rank) {
  return with<group>(one, "group", "wherry_rank_group_add", [&](group& members) { members.add(rank); });
}
wherry_status wherry_rank_group_ranks(wherry_rank_group one, const int** ranks, int* count, int* index) {
  constexpr auto where = "wherry_rank_group_ranks";
  return with<group>(one, "group", where, [&](group& members) {
    require_result(ranks, where, "ranks");
    require_result(count, where, "count");
    *ranks = members.ranks().data();
    *count = members.size();
    if (index != nullptr) *index = members.index();
  });
}
wherry_status wherry_rank_group_commit(wherry_rank_group one, double seconds, int* done) {
  return with_in_time<group>(one, "group", seconds, done, "wherry_rank_group_commit",
                             [&](group& members) { return members.commit(seconds); });
}
wherry_status wherry_rank_group_committed(wherry_rank_group one, int* committed) {
  constexpr auto where = "wherry_rank_group_committed";
  return with<group>(one, "group", where, [&](group& members) {
    require_result(committed, where, "committed");
    *committed = members.committed() ? 1 : 0;
  });
}
wherry_status wherry_rank_group_barrier(wherry_rank_group one, double seconds, int* done) {
  return with_in_time<group>(one, "group", seconds, done, "wherry_rank_group_barrier",
                             [&](group& members) { return members.barrier(seconds); });
}
wherry_status wherry_rank_group_allreduce(wherry_rank_group one, const void* in, void* out, int64_t count,
                                          wherry_type type, const wherry_reduction* how, double seconds, int* done) {
  constexpr auto where = "wherry_rank_group_allreduce";
  return with_in_time<group>(one, "group", seconds, done, where, [&](group& members) {
    require_result(how, where, "how");
    const auto number = size_of(count, where, "count");
    const auto each = element_of(type, 1, where, "'type'");
    const auto wanted = reduction_of(*how, where, "how");
    if (!wanted) refuse(where, "'how' has no operation and no function");
    const auto* const by = wanted->on(each.type);
    if (by == nullptr) refuse(where, "'how' has an operation that has no meaning for elements of 'type'");
    if (by->type != each.type) refuse(where, "'how' has a function for elements of another type than 'type'");
    const auto size = static_cast<std::size_t>(each.bytes);
    if (number > std::numeric_limits<std::size_t>::max() / size)
      refuse(where, "'count' is ", count, ", which is more than memory holds");
    if (number > 0) {
      require_result(static_cast<const char*>(in), where, "in");
      require_result(static_cast<char*>(out), where, "out");
    }
    return members.allreduce_bytes({static_cast<const std::byte*>(in), number * size},
                                   {static_cast<std::byte*>(out), number * size}, *by, seconds);
  });
}
wherry_status wherry_rank_group_explain(wherry_rank_group one, const char** text) {
  return explained<group>(one, "group", text, "wherry_rank_group_explain");
}
wherry_status wherry_rank_group_transport(wherry_rank_group one, const char** text) {
  return named<group>(one, "group", text, "wherry_rank_group_transport");
}
wherry_status wherry_rank_group_statistics(wherry_rank_group one, wherry_statistics* result) {
  return counted<group>(one, "group", result, "wherry_rank_group_statistics");
}

wherry_status wherry_health(wherry_communicator comm, int rank, int* alive) {
  constexpr auto where = "wherry_health";
  return guarded(where, [&] {
    const auto& ours = comm_for(comm, where);
    require_result(alive, where, "alive");
    *alive = wherry::health(ours, rank) == wherry::rank_health::healthy ? 1 : 0;
  });
}
wherry_status wherry_take_for_dead(wherry_communicator comm, int rank) {
  constexpr auto where = "wherry_take_for_dead";
  return guarded(where, [&] { wherry::take_for_dead(comm_for(comm, where), rank); });
}
wherry_status wherry_ping(wherry_communicator comm, int rank, double seconds, int* alive) {
  constexpr auto where = "wherry_ping";
  return guarded(where, [&] {
    const auto& ours = comm_for(comm, where);
    require_result(alive, where, "alive");
    *alive = 0;
    *alive = wherry::ping(ours, rank, seconds) ? 1 : 0;
  });
}
wherry_status wherry_end_rank(wherry_communicator comm, int rank, double seconds, int* ended) {
  constexpr auto where = "wherry_end_rank";
  return guarded(where, [&] {
    const auto& ours = comm_for(comm, where);
    require_result(ended, where, "ended");
    *ended = 0;
    *ended = wherry::end_rank(ours, rank, seconds) ? 1 : 0;
  });
}
}
