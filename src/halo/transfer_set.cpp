#include "wherry/halo/transfer_set.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/called.hpp"
#include "core/terms.hpp"
#include "plan_transfers.hpp"

namespace wherry::detail {
namespace {

void sort_by_peer(std::vector<transfer>& list) {
  std::stable_sort(list.begin(), list.end(), [](const transfer& a, const transfer& b) {
    return std::tie(a.peer, a.label) < std::tie(b.peer, b.label);
  });
}

/// The transfers that have a peer. A sorted list begins with those that have none.
std::span<const transfer> with_peers(const std::vector<transfer>& sorted) {
  const auto first =
      std::find_if(sorted.begin(), sorted.end(), [](const transfer& t) { return t.peer != transfer::nobody; });
  return {first, sorted.end()};
}

bool same_but_for_address(const transfer& a, const transfer& b) {
  return a.kind == b.kind && a.kind != transfer::form::region && a.what.element == b.what.element &&
         a.what.dimensions == b.what.dimensions && a.what.extents == b.what.extents &&
         a.what.strides == b.what.strides && a.what.space == b.what.space && a.what.type == b.what.type &&
         b.what.problem.empty() && (b.bytes() == 0 || b.what.data != nullptr);
}

plans::functions code_of(std::span<const transfer> sends, std::span<const transfer> receives) {
  plans::functions code;
  for (const auto& list : {sends, receives})
    for (const auto& t : list) code.accessors.push_back(t.code);
  return code;
}

}  // namespace

transfer_set::transfer_set(const communicator& comm, std::string pattern, const carry_options& options,
                           label_text names)
    : comm_(comm), pattern_(std::move(pattern)), options_(options), names_(std::move(names)) {}

void transfer_set::remember(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  changed_ = true;
}

void transfer_set::clear() {
  sends_.clear();
  receives_.clear();
  problem_.clear();
  changed_ = true;
}

void transfer_set::add(std::vector<transfer>& list, transfer what) {
  list.push_back(std::move(what));
  changed_ = true;
}

void transfer_set::put(std::vector<transfer>& list, transfer what) {
  const auto same = std::find_if(list.begin(), list.end(),
                                 [&](const transfer& t) { return t.peer == what.peer && t.label == what.label; });
  if (same == list.end()) return add(list, std::move(what));
  if (same_but_for_address(*same, what))
    moved_ = true;
  else
    changed_ = true;
  *same = std::move(what);
}

// `which` stays valid after `commit` has sorted the list, because sorting keeps the order of a peer's transfers.
void transfer_set::move(std::vector<transfer>& list, std::string_view way, int peer, int which, void* memory) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, full_name(pattern_, options_.name), what, comm_.rank());
  };
  int before = which;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const transfer& t) { return t.peer == peer && before-- == 0; });
  if (found == list.end()) fail(text("nothing was registered ", way, " rank ", peer, " as number ", which));
  if (found->kind == transfer::form::region)
    fail(text("number ", which, " ", way, " rank ", peer, " is gathered by functions, and so has no address to move"));
  if (memory == nullptr && found->bytes() > 0)
    fail(text("number ", which, " ", way, " rank ", peer, " cannot be moved to a null pointer"));
  found->what.data = memory;
  moved_ = true;
}

void transfer_set::check(std::string_view problem) const {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, pattern_, what, comm_.rank()); };
  if (!problem.empty()) fail(problem);
  for (const auto* list : {&sends_, &receives_}) {
    const auto where = list == &sends_ ? "to" : "from";
    for (const auto& t : *list) {
      if (t.peer == transfer::nobody) continue;
      const auto what = text("the data registered ", where, " rank ", t.peer);
      if (t.peer < 0 || t.peer >= comm_.size()) fail(text(what, ": expected a rank from 0 to ", comm_.size() - 1));
      if (!t.what.problem.empty()) fail(text(what, ": ", t.what.problem));
      if (t.what.read_only && list == &receives_) fail(text(what, " is const and cannot be received into"));
      if (t.bytes() < 0) fail(text(what, " has ", t.bytes(), " bytes, expected 0 or more"));
      if (t.bytes() > 0 && t.what.data == nullptr) fail(text(what, " has ", t.bytes(), " bytes at a null pointer"));
    }
  }
}

// A transfer without bytes may have a null address, but an exchange needs an address for each field.
std::span<void* const> transfer_set::addresses() {
  static std::byte nowhere;
  addresses_.clear();
  for (const auto& list : {with_peers(sends_), with_peers(receives_)})
    for (const auto& t : list) addresses_.push_back(t.what.data != nullptr ? t.what.data : &nowhere);
  return addresses_;
}

void transfer_set::commit() {
  told_as(full_name(pattern_, options_.name), pattern_, [this] {
    const std::string problem = std::exchange(problem_, {});  // reported once, since its transfer was not registered
    const terms agreed([&](auto& say) { say(options_.packet_bytes, "'packet_bytes'"); });
    collectively_on(agreed, comm_, pattern_, [&] { check(problem); });
    sort_by_peer(sends_);
    sort_by_peer(receives_);
    const auto sends = with_peers(sends_), receives = with_peers(receives_);
    const auto resolved = resolve_transfers(comm_, sends, receives, pattern_, names_);
    plans::schedule plan = plan_transfers(sends, receives, resolved, pattern_, comm_.rank());
    exchange_.reset();
    exchange_.emplace(comm_, std::move(plan), code_of(sends, receives), options_);
    exchange_->set_fields(addresses());
    changed_ = moved_ = false;
  });
}

void transfer_set::start() {
  auto& ready = bound();
  if (!moved_) return ready.start();
  ready.start(addresses());  // throws while an exchange is in flight, and then keeps the previous addresses
  moved_ = false;
}

void transfer_set::abandon() noexcept {
  if (exchange_) exchange_->abandon();
  exchange_.reset();
  changed_ = true;
}

const exchange& transfer_set::bound() const {
  if (!exchange_ || changed_)
    throw error(error_kind::state, full_name(pattern_, options_.name),
                "'commit' must be called after the last registration", comm_.rank());
  return *exchange_;
}
exchange& transfer_set::bound() { return const_cast<exchange&>(std::as_const(*this).bound()); }

}  // namespace wherry::detail
