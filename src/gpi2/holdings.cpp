#include "holdings.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "wherry/core/error.hpp"

#include "channel/companions.hpp"
#include "core/collective.hpp"
#include "core/communicator_attribute.hpp"

namespace wherry::gpi2 {
namespace {

constexpr const char* where = "transport 'gpi2'";

/// What GASPI does not answer is never over.
bool is_over(holding& h, int rank) {
  if (!h.is_unused.load(std::memory_order_acquire)) return false;
  const caller who{where, rank};
  try {
    return std::all_of(h.stages.begin(), h.stages.end(),
                       [&](auto& part) { return part.places.is_settled(who, part.starts); }) &&
           std::all_of(h.last_requests.begin(), h.last_requests.end(),
                       [](const auto& r) { return r.first->is_done(r.second) == GASPI_SUCCESS; });
  } catch (const error&) {
    return false;
  }
}

}  // namespace

std::shared_ptr<holdings> holdings::of(const communicator& comm) {
  using attribute = communicator_attribute<std::shared_ptr<holdings>>;
  if (const auto* kept = attribute::find(comm.handle())) return *kept;
  auto made = std::make_shared<holdings>();
  comm.at_end([made](const communicator& ending) { made->settle_at_end(ending); });
  return attribute::set(comm.handle(), std::make_unique<std::shared_ptr<holdings>>(made));
}

void holdings::free_settled(const communicator& comm) {
  auto* const running = runtime::now();
  std::vector<unsigned char> over;
  for (const auto& h : list_) over.push_back(running != nullptr && is_over(*h, comm.rank()) ? 1 : 0);
  over = patient::allreduce(comm, where, over, patient::least);
  for (std::size_t i = list_.size(); i-- > 0;) {
    if (over[i] == 0) continue;
    for (auto& part : list_[i]->stages) part.places.give_back(*running);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Those that an exchange still has then, on any rank, are never given back.
void holdings::settle_at_end(const communicator& ending) {
  if (runtime::now() == nullptr) return;  // on all ranks alike: MPI_Finalize has begun
  patient::barrier(ending, where);        // all that anybody waited for has been sent then
  companions::progress();                 // so what was abandoned here ends
  const auto is_awaited = [&](const auto& h) {
    return h->is_unused.load(std::memory_order_acquire) && !is_over(*h, ending.rank());
  };
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(1);  // of what is on its way
  while (std::any_of(list_.begin(), list_.end(), is_awaited) && std::chrono::steady_clock::now() < limit) sched_yield();
  free_settled(ending);
}

}  // namespace wherry::gpi2
