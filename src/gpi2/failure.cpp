#include "failure.hpp"

#include <string>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry::gpi2 {
namespace {

std::string words_of(gaspi_return_t status) {
  gaspi_string_t words = nullptr;  // never freed: the standard does not say who owns it
  if (gaspi_print_error(status, &words) != GASPI_SUCCESS || words == nullptr)
    return detail::text("error ", int{status});
  return detail::text("error ", int{status}, ", ", std::string_view(words));
}

bool is_corrupt(int rank_in_gaspi) {
  gaspi_rank_t ranks = 0;
  if (rank_in_gaspi < 0 || gaspi_proc_num(&ranks) != GASPI_SUCCESS) return false;
  std::vector<gaspi_state_t> states(ranks, GASPI_STATE_HEALTHY);
  if (gaspi_state_vec_get(states.data()) != GASPI_SUCCESS) return false;
  return states[static_cast<std::size_t>(rank_in_gaspi)] == GASPI_STATE_CORRUPT;
}

}  // namespace

void throw_failure(const caller& who, std::string_view call, gaspi_return_t status, int peer, int peer_in_gaspi) {
  std::vector<int> peers;
  if (peer >= 0) peers.push_back(peer);
  const auto whom = peer >= 0 ? detail::text(" for rank ", peer) : std::string();
  if (is_corrupt(peer_in_gaspi))
    throw error(error_kind::lost, who.where,
                detail::text(call, whom, " failed, and GASPI says that the rank is corrupt (", words_of(status), ')'),
                who.rank, std::move(peers));
  throw error(error_kind::state, who.where, detail::text(call, whom, " failed: ", words_of(status)), who.rank,
              std::move(peers));
}

}  // namespace wherry::gpi2
