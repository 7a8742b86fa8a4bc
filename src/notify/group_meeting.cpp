#include "group_meeting.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/core/node_arena.hpp"

#include "core/patience.hpp"
#include "group_tree.hpp"

namespace wherry {
namespace {

constexpr int branches_between_nodes = 8;
constexpr double time_for_threads = 0.25;  // seconds; another thread of this rank may be about to commit that group

}  // namespace

std::uint64_t group_meeting::fingerprint(const std::vector<int>& ranks) {
  shape_hash all;
  for (const int rank : ranks) all.add(rank);
  return all.value();
}

group_meeting::group_meeting(const communicator& comm, const std::string& called, const std::vector<int>& ranks,
                             const group_options& options, const std::byte* board, group_mail& mail, std::uint64_t own,
                             group_contact& contact)
    : comm_(comm),
      called_(called),
      ranks_(ranks),
      board_(board),
      mail_(mail),
      contact_(contact),
      failures_before_(mail.failures_of(ranks)) {
  for (const int rank : ranks)
    if (rank == comm.rank() || (comm.arena() != nullptr && comm.node_index(rank) >= 0)) near_.push_back(rank);
  card_ = {fingerprint(ranks),
           own,
           comm.arena() != nullptr ? *comm.arena()->offset_of(board) : 0,
           options.sizes.piece,
           static_cast<std::uint32_t>(ranks.size()),
           is_head() ? static_cast<std::uint32_t>(near_.size()) : 0,
           static_cast<std::uint32_t>(options.sizes.among_all),
           mail.failures()};
  expected_.insert(near_.begin(), near_.end());
  const auto here = static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), comm.rank()) - ranks.begin());
  expected_.insert(ranks[(here + 1) % ranks.size()]);
  expected_.insert(ranks[(here + ranks.size() - 1) % ranks.size()]);
  expected_.erase(comm.rank());
  accounted_ = near_.size();
  auto told = expected_;
  if (is_head() && !is_first()) told.insert(ranks.front());
  for (const int rank : told) mail_.send_card(rank, card_);
}

bool group_meeting::wants(const group_mail::kept_card& card) const {
  if (heard_.contains(card.from)) return false;
  return expected_.contains(card.from) || (is_first() && card.card.node_size != 0);
}

void group_meeting::hear(const group_mail::kept_card& card) {
  heard_[card.from] = card.card;
  if (!std::binary_search(near_.begin(), near_.end(), card.from)) accounted_ += card.card.node_size;
  contact_.know(card.from, card.card.own);
}

void group_meeting::unhear(int rank) {
  const auto heard = heard_.find(rank);
  if (heard == heard_.end()) return;
  if (!std::binary_search(near_.begin(), near_.end(), rank)) accounted_ -= heard->second.node_size;
  heard_.erase(heard);
}

void group_meeting::collect() {
  for (const int rank : contact_.take_forgotten()) unhear(rank);
  std::optional<group_mail::kept_card> bad;
  mail_.take_cards(card_.own, card_.failures, [&](const group_mail::kept_card& card) {
    if (!wants(card)) return false;
    hear(card);
    if (card.card.piece != card_.piece || card.card.members != card_.members || card.card.among_all != card_.among_all)
      bad = card;
    return true;
  });
  if (!bad) return;
  fail(group_failure::between(comm_.rank(), bad->from),
       detail::text("the ranks disagree on the group's options: 'sizes.piece' and 'sizes.among_all' are ", card_.piece,
                    " and ", card_.among_all, " on rank ", comm_.rank(), ", ", bad->card.piece, " and ",
                    bad->card.among_all, " on rank ", bad->from));
}

void group_meeting::look_for_strangers() {
  const auto stranger = mail_.take_stranger(ranks_, time_for_threads);
  if (!stranger) return;
  heard_[stranger->from] = stranger->card;  // so that `fail` tells the stranger too
  fail(group_failure::between(comm_.rank(), stranger->from),
       detail::text("the ranks disagree on the group: it has ", ranks_.size(), " ranks (", first_of(ranks_),
                    ") on rank ", comm_.rank(), ", and rank ", stranger->from, " commits another one, of ",
                    stranger->card.members, " ranks"));
}

bool group_meeting::step() {
  mail_.look();
  if (const auto why = contact_.failure()) fail(why, "");
  collect();
  const auto has_come = [this](int rank) { return heard_.contains(rank); };
  const bool all_here = std::all_of(expected_.begin(), expected_.end(), has_come);
  if (all_here && !is_spread()) return true;
  if (all_here && is_first() && accounted_ == ranks_.size()) {
    if (!heads_are_sent_) send_heads();
    return true;
  }
  if (all_here && !is_first() && (!is_head() || contact_.heads() != nullptr)) return true;
  look_for_strangers();
  return false;
}

void group_meeting::send_heads() {
  std::vector<head> all{{comm_.rank(), card_.own}};
  for (const auto& [rank, card] : heard_)
    if (card.node_size != 0 && !std::binary_search(near_.begin(), near_.end(), rank)) all.push_back({rank, card.own});
  const auto* const first = reinterpret_cast<const std::byte*>(all.data());
  const std::span<const std::byte> list(first, all.size() * sizeof(head));
  for (std::size_t i = 1; i < all.size(); ++i) mail_.send_heads(static_cast<int>(all[i].rank), all[i].own, list);
  contact_.take_heads(list);
  heads_are_sent_ = true;
}

std::vector<group_meeting::head> group_meeting::heads() const {
  const auto& said = *contact_.heads();
  std::vector<head> all(said.size() / sizeof(head));
  std::memcpy(all.data(), said.data(), all.size() * sizeof(head));
  return all;
}

group_links::near_one group_meeting::near_one(int rank) const {
  if (rank == comm_.rank()) return {rank, group_board(const_cast<std::byte*>(board_), card_.piece)};
  auto* const there = comm_.arena()->address(comm_.node_index(rank), static_cast<std::size_t>(heard_.at(rank).board));
  return {rank, group_board(there, card_.piece)};
}

group_links group_meeting::links() const {
  group_links links;
  links.rank = comm_.rank();
  links.mine = near_one(comm_.rank()).board;
  if (!is_spread() && near_.size() <= card_.among_all) {
    for (const int rank : near_) links.all.push_back(near_one(rank));
    return links;
  }
  const auto here = static_cast<int>(std::lower_bound(near_.begin(), near_.end(), comm_.rank()) - near_.begin());
  const auto branches = std::max(2, static_cast<int>(card_.among_all));
  const auto on_node = place_in_group(here, static_cast<int>(near_.size()), branches);
  const auto nth = [this](int index) { return near_one(near_[static_cast<std::size_t>(index)]); };
  for (const int child : on_node.children) links.near_children.push_back(nth(child));
  if (on_node.parent >= 0) links.near_parent = nth(on_node.parent);
  if (!is_spread() || !is_head()) return links;
  const auto all = heads();
  const auto mine = std::find_if(all.begin(), all.end(), [this](const head& h) { return h.rank == comm_.rank(); });
  const auto between =
      place_in_group(static_cast<int>(mine - all.begin()), static_cast<int>(all.size()), branches_between_nodes);
  const auto far = [&](int index) {
    const auto& h = all[static_cast<std::size_t>(index)];
    const int rank = static_cast<int>(h.rank);
    contact_.know(rank, h.own);
    return group_links::far_one{rank, h.own, &contact_.from(rank)};
  };
  for (const int child : between.children) links.far_children.push_back(far(child));
  if (between.parent >= 0) links.far_parent = far(between.parent);
  return links;
}

void group_meeting::append_missing(std::vector<int>& ranks) const {
  for (const int rank : expected_)
    if (!heard_.contains(rank)) ranks.push_back(rank);
  if (ranks.empty() && is_head() && !is_first()) ranks.push_back(ranks_.front());
}

void group_meeting::give_up(group_failure why) {
  if (std::exchange(has_given_up_, true)) return;
  auto told = expected_;
  for (const auto& [rank, card] : heard_) told.insert(rank);
  if (is_head()) told.insert(ranks_.front());
  told.erase(comm_.rank());
  for (const int rank : told) {
    const auto heard = heard_.find(rank);
    mail_.send_failure(rank, card_.own, why, heard != heard_.end() ? heard->second.own : 0);
  }
}

void group_meeting::fail(group_failure why, const std::string& said) {
  std::vector<group_mail::late_rank> late;
  for (std::size_t i = 0; i < ranks_.size(); ++i)
    if (ranks_[i] != comm_.rank() && !heard_.contains(ranks_[i])) late.push_back({ranks_[i], failures_before_[i]});
  mail_.settle(card_.own);  // cards that arrive later are for the next attempt
  mail_.note_failure(card_.list, why, late);
  give_up(why);
  const int first = why.first(), second = why.second();
  if (why.is_departure())
    throw error(error_kind::state, called_,
                detail::text("rank ", first, " gave up the group while the other ranks commit it"), comm_.rank(),
                {first});
  throw error(error_kind::mismatch, called_,
              !said.empty() ? said
                            : detail::text("ranks ", first, " and ", second, " disagree on a group that rank ",
                                           comm_.rank(), " commits: their lists of ranks, or their options, differ"),
              comm_.rank(), {first, second});
}

}  // namespace wherry
