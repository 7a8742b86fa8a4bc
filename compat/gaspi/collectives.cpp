// gaspi_barrier, gaspi_allreduce, gaspi_allreduce_user.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "wherry/plan/functions.hpp"

#include "PGASPI.h"
#include "calls.hpp"
#include "members.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_barrier);
WHERRY_WEAK_NAME(gaspi_allreduce);
WHERRY_WEAK_NAME(gaspi_allreduce_user);

namespace wherry::gaspi {
namespace {

const plans::typed_reduction* known(gaspi_operation_t operation, gaspi_datatype_t type) {
  using enum plans::known_operation;
  constexpr std::array operations{minimum, maximum, add};  // as GASPI counts them
  static const std::array types{plans::element_of<int>(),   plans::element_of<unsigned>(),
                                plans::element_of<float>(), plans::element_of<double>(),
                                plans::element_of<long>(),  plans::element_of<unsigned long>()};
  const auto place = static_cast<std::size_t>(operation), number = static_cast<std::size_t>(type);
  return place < operations.size() && number < types.size() ? reduction(operations[place]).on(types[number]) : nullptr;
}

/// A user's function, which writes its result to a third buffer.
class users_operation {
 public:
  users_operation(gaspi_reduce_operation_t call, gaspi_reduce_state_t state, std::size_t element, gaspi_number_t num,
                  gaspi_timeout_t timeout_ms)
      : call_(call), state_(state), element_(element), timeout_ms_(timeout_ms), result_(element * num) {}

  void operator()(void* into, const void* from, std::size_t count) {
    result_.resize(std::max(result_.size(), count * element_));
    const auto told = call_(into, const_cast<void*>(from), result_.data(), state_, static_cast<gaspi_number_t>(count),
                            element_, timeout_ms_);
    if (told != GASPI_SUCCESS)
      throw error(error_kind::state, "gaspi_allreduce_user", detail::text("the user's function returned ", int{told}));
    std::memcpy(into, result_.data(), count * element_);
  }

 private:
  gaspi_reduce_operation_t call_;
  gaspi_reduce_state_t state_;
  std::size_t element_;
  gaspi_timeout_t timeout_ms_;  // of the call that continues it
  std::vector<std::byte> result_;
};

/// Runs a collective. A group with another collective in flight takes no new one.
template <class Step>
gaspi_return_t collective(const char* call, gaspi_group_t number, group::kind which, gaspi_timeout_t timeout_ms,
                          Step&& step) {
  return in_world(call, [&](world& w) {
    auto* const g = committed(w, number);
    if (g == nullptr)
      return refuse(call, GASPI_ERR_INV_GROUP,
                    detail::text("group ", int{number}, " does not exist or is not committed"));
    if (g->active != group::kind::none && g->active != which)
      return refuse(call, GASPI_ERR_ACTIVE_COLL, "another collective of this group must be continued first");
    g->active = which;
    bool done = false;
    try {
      done = step(*g, seconds_of(timeout_ms));
    } catch (...) {
      g->active = group::kind::none;
      throw;
    }
    if (done) g->active = group::kind::none;
    return in_time(done);
  });
}

struct buffers {
  const void* send;
  void* receive;
  std::size_t bytes;
};

bool reduce(group& g, const buffers& b, const plans::typed_reduction& how, double seconds) {
  return g.ranks.allreduce_bytes({static_cast<const std::byte*>(b.send), b.bytes},
                                 {static_cast<std::byte*>(b.receive), b.bytes}, how, seconds);
}

gaspi_return_t check(const world& w, const char* call, const void* send, const void* receive, gaspi_number_t num) {
  if (send == nullptr || receive == nullptr)
    return refuse(call, GASPI_ERR_NULLPTR, "'buffer_send' or 'buffer_receive' is null");
  if (num == 0 || num > w.config.allreduce_elem_max)
    return refuse(call, GASPI_ERR_INV_NUM,
                  detail::text("'num' is ", num, ", expected 1 to ", w.config.allreduce_elem_max));
  return GASPI_SUCCESS;
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_barrier(const gaspi_group_t number, const gaspi_timeout_t timeout_ms) {
  return collective("gaspi_barrier", number, group::kind::barrier, timeout_ms,
                    [](group& g, double seconds) { return g.ranks.barrier(seconds); });
}

gaspi_return_t pgaspi_allreduce(const gaspi_pointer_t buffer_send, const gaspi_pointer_t buffer_receive,
                                const gaspi_number_t num, const gaspi_operation_t operation,
                                const gaspi_datatype_t datatyp, const gaspi_group_t number,
                                const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_allreduce";
  return in_world(call, [&](world& w) {
    if (const auto wrong = check(w, call, buffer_send, buffer_receive, num); wrong != GASPI_SUCCESS) return wrong;
    const auto how = known(operation, datatyp);
    if (!how)
      return refuse(call, GASPI_ERROR,
                    text("there is no operation for 'operation' ", int{operation}, " and 'datatyp' ", int{datatyp}));
    return collective(call, number, group::kind::allreduce, timeout_ms, [&](group& g, double seconds) {
      return reduce(g, {buffer_send, buffer_receive, num * how->element}, *how, seconds);
    });
  });
}

gaspi_return_t pgaspi_allreduce_user(const gaspi_pointer_t buffer_send, const gaspi_pointer_t buffer_receive,
                                     const gaspi_number_t num, const gaspi_size_t element_size,
                                     const gaspi_reduce_operation_t reduce_operation,
                                     const gaspi_reduce_state_t reduce_state, const gaspi_group_t number,
                                     const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_allreduce_user";
  return in_world(call, [&](world& w) {
    if (const auto wrong = check(w, call, buffer_send, buffer_receive, num); wrong != GASPI_SUCCESS) return wrong;
    if (reduce_operation == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'reduce_operation' is null");
    const auto most = w.config.allreduce_buf_size;
    if (element_size == 0 || element_size > most / num)
      return refuse(
          call, GASPI_ERR_INV_SIZE,
          text("'num' is ", num, " elements of ", element_size, " bytes, expected at most ", most, " bytes in all"));
    wherry::plans::typed_reduction how;
    how.name = "gaspi_allreduce_user";
    how.element = element_size;
    how.apply = users_operation(reduce_operation, reduce_state, element_size, num, timeout_ms);
    return collective(call, number, group::kind::allreduce_user, timeout_ms, [&](group& g, double seconds) {
      return reduce(g, {buffer_send, buffer_receive, num * element_size}, how, seconds);
    });
  });
}
