// How the ranks find out that they make different calls, or that one of them cannot take part.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "exchange_work.hpp"
#include "verdict.hpp"

namespace wherry::sparse {
namespace {

/// After this time a wait finds out whether the other ranks make another call.
constexpr std::chrono::milliseconds time_to_come(100);
/// The same for simulated ranks, in looks at what has come, because real time means nothing to them.
constexpr unsigned looks_to_come = 16'000;

}  // namespace

std::string exchange_work::terms() const {
  return wherry::detail::text("the function: ", where_, "\nthe element type: ", to_string(elements_.type),
                              "\nthe bytes of an element: ", elements_.bytes,
                              "\n'limit_bytes': ", elements_.limit_bytes, "\nthe algorithm: ", how_->name,
                              "\nWHERRY_MESSAGE_LIMIT: ", current_settings().message_limit, "\n");
}

void exchange_work::compare(std::uint64_t word, int from) {
  const bool agrees = word == word_ && word_ != refused;
  all_agree_ = all_agree_ && agrees;
  if (agrees || !knows_sources_) return;
  // Other ranks do not hear of it, so there is no common verdict.
  if (word == refused)
    refuse(error(error_kind::argument, where_,
                 wherry::detail::text("rank ", from, " cannot take part, and reports why on its own"),
                 state_->comm.rank(), {from}));
  else {
    refuse(error(error_kind::mismatch, where_,
                 wherry::detail::text("rank ", from, " gives another element type or other options"),
                 state_->comm.rank(), {from}));
    leaves_others_ = true;
  }
}

void exchange_work::open_agreements() {
  auto number = state_->mail().open_some(3);
  for (auto* const one : {&presence_, &barrier_, &verdict_}) one->number = number++;
}

// A rank that fails on its own leaves the agreement on presence: ranks that wait for it learn so.
void exchange_work::close_agreements() noexcept {
  if (presence_.number == 0) return;
  const bool ended = now_ == phase::ended && !leaves_others_;
  if (ended && !state_->has_ended && !presence_.agreement && !barrier_.agreement) {
    state_->mail().close_some(std::exchange(presence_.number, 0), 3);
    return;
  }
  const bool has_mail = !state_->has_ended && wherry::detail::mpi_is_running();
  const bool fails_alone = now_ == phase::heads || now_ == phase::bodies || leaves_others_;
  if (has_mail && fails_alone && !presence_.agreement) try {
      open(presence_);
    } catch (...) {  // the others then learn it from WHERRY_TIMEOUT
    }
  for (auto* const one : {&presence_, &barrier_, &verdict_}) {
    if (!has_mail) {
      static_cast<void>(one->agreement.release());
    } else if (one->agreement) {
      if (one != &presence_ || !fails_alone) one->agreement->end_unused();
      one->agreement.reset();
    } else {
      state_->mail().close(one->number);
    }
    one->number = 0;
  }
}

consensus& exchange_work::open(late_agreement& one) {
  one.agreement = std::make_unique<consensus>(
      state_->comm, wherry::detail::text("sparse exchange by ", how_->name, knows_sources_ ? ", of known sources" : ""),
      one.number, 64);
  return *one.agreement;
}

// A rank that waits long enters an agreement in which ranks with other algorithms meet it. It has no effect if all
// ranks have the same algorithm.
void exchange_work::look_for_others() {
  constexpr unsigned between_looks = 64;
  if (++polls_ % between_looks != 0) return;
  if (wherry::detail::ranks_share_a_process) {
    if (polls_ >= looks_to_come) be_present().test();
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (began_ == std::chrono::steady_clock::time_point{}) began_ = now;
  if (now - began_ < time_to_come) return;
  be_present().test();
}

consensus& exchange_work::be_present() {
  if (!presence_.agreement) open(presence_).enter({}, [](std::span<std::byte>, std::span<const std::byte>) {});
  return *presence_.agreement;
}

void exchange_work::begin_verdict() {
  open(verdict_).enter(verdict::of(state_->comm.rank(), refusal_ ? &*refusal_ : nullptr, word_, terms()),
                       verdict::combine);
}

}  // namespace wherry::sparse
