// Queues, and segments whose parts each rank makes by itself.
#include <cstdint>
#include <cstring>
#include <memory>

#include "segments.hpp"

namespace wherry_c {
namespace {

using wherry::channels::segment_space;

static_assert(sizeof(wherry_segment_ticket) == sizeof(wherry::channels::segment_ticket));

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_segment_queue_create(wherry_segment_queue* result) {
  constexpr auto where = "wherry_segment_queue_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<wherry::segment_queue>();
  });
}
wherry_status wherry_segment_queue_free(wherry_segment_queue* queue) {
  constexpr auto where = "wherry_segment_queue_free";
  return guarded(where, [&] { free_handle<wherry::segment_queue>(queue, where, "queue"); });
}
wherry_status wherry_segment_queue_size(wherry_segment_queue queue, int64_t* size) {
  constexpr auto where = "wherry_segment_queue_size";
  return guarded(where, [&] {
    const auto& one = object_of<wherry::segment_queue>(queue, where, "queue");
    require_result(size, where, "size");
    *size = static_cast<std::int64_t>(one.size());
  });
}
wherry_status wherry_segment_queue_wait(wherry_segment_queue queue, double seconds, int* done) {
  constexpr auto where = "wherry_segment_queue_wait";
  return guarded(where, [&] {
    auto& one = object_of<wherry::segment_queue>(queue, where, "queue");
    within(seconds, done, where, [&] { return one.wait(seconds); });
  });
}
wherry_status wherry_segment_queue_purge(wherry_segment_queue queue) {
  constexpr auto where = "wherry_segment_queue_purge";
  return guarded(where, [&] { object_of<wherry::segment_queue>(queue, where, "queue").purge(); });
}

wherry_status wherry_segment_space_create(wherry_communicator comm, const char* name, wherry_segment_space* result) {
  constexpr auto where = "wherry_segment_space_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::detail::collectively(ours, where, [&] { require_result(result, where, "result"); });
    return std::make_shared<segment_space>(ours, wherry::channels::space_options{.name = name_or_empty(name)});
  });
}
wherry_status wherry_segment_space_free(wherry_segment_space* space) {
  constexpr auto where = "wherry_segment_space_free";
  return guarded(where, [&] { free_handle<segment_space>(space, where, "space"); });
}
wherry_status wherry_segment_space_is_one_node(wherry_segment_space space, int* one_node) {
  constexpr auto where = "wherry_segment_space_is_one_node";
  return guarded(where, [&] {
    const auto& one = object_of<segment_space>(space, where, "space");
    require_result(one_node, where, "one_node");
    *one_node = one.is_one_node() ? 1 : 0;
  });
}
wherry_status wherry_segment_create_in_space(wherry_segment_space space, const wherry_segment_options* options,
                                             wherry_segment* result) {
  constexpr auto where = "wherry_segment_create_in_space";
  return creating(result, where, [&] {
    const auto& one = object_of<segment_space>(space, where, "space");
    require_result(result, where, "result");
    return std::make_shared<byte_segment>(one, segment_options_of(options, where));
  });
}
wherry_status wherry_segment_offer(wherry_segment segment, void* memory, int64_t bytes, wherry_segment_ticket* ticket) {
  constexpr auto where = "wherry_segment_offer";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(ticket, where, "ticket");
    const auto made =
        memory == nullptr ? one.offer(size_of(bytes, where, "bytes")) : one.offer(received(memory, bytes, where));
    std::memcpy(ticket, &made, sizeof *ticket);
  });
}
wherry_status wherry_segment_withdraw(wherry_segment segment) {
  return with_segment(segment, "wherry_segment_withdraw", [](byte_segment& one) { one.withdraw(); });
}
wherry_status wherry_segment_meet(wherry_segment segment, int rank, const wherry_segment_ticket* theirs) {
  constexpr auto where = "wherry_segment_meet";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(theirs, where, "theirs");
    wherry::channels::segment_ticket ticket{};
    std::memcpy(&ticket, theirs, sizeof ticket);
    one.meet(rank, ticket);
  });
}
wherry_status wherry_segment_forget(wherry_segment segment, int rank) {
  return with_segment(segment, "wherry_segment_forget", [&](byte_segment& one) { one.forget(rank); });
}
wherry_status wherry_segment_has_part(wherry_segment segment, int* has) {
  constexpr auto where = "wherry_segment_has_part";
  return with_segment(segment, where, [&](byte_segment& one) {
    require_result(has, where, "has");
    *has = one.has_part() ? 1 : 0;
  });
}
}
