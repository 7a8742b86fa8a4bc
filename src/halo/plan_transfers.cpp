#include "plan_transfers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>

#include "wherry/plan/schedule_builder.hpp"

#include "core/sparse_exchange.hpp"

namespace wherry {
namespace {

/// The description of a transfer that one side sends to the other.
struct notice {
  std::int64_t sends, label, kind, bytes, element, dimensions;
  std::int64_t extents[plans::max_block_rank], order[plans::max_block_rank];
};

notice notice_of(const detail::transfer& t, bool sends) {
  notice n{sends ? 1 : 0, t.label, static_cast<int>(t.kind), t.bytes(), t.what.element, t.what.dimensions, {}, {}};
  std::copy(t.what.extents.begin(), t.what.extents.end(), n.extents);
  const auto order = stride_order(t.what);
  std::copy(order.begin(), order.end(), n.order);
  return n;
}

std::vector<notice> notices(const std::vector<notice>& all, bool sends) {
  std::vector<notice> result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [sends](const notice& n) { return n.sends == sends; });
  return result;
}

/// The range of the transfers with `peer` in a list that is sorted by peer.
struct peer_range {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};
std::map<int, peer_range> by_peer(std::span<const detail::transfer> list) {
  std::map<int, peer_range> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto& range = result.try_emplace(list[i].peer, peer_range{i, i}).first->second;
    range.last = i + 1;
  }
  return result;
}

/// Compares the transfers between this rank and another one, in one direction, and computes their wire forms.
class pairing {
 public:
  pairing(std::string_view pattern, const detail::transfer_set::label_text& names, int rank)
      : pattern_(pattern), names_(names), rank_(rank) {}

  void match(int from, int to, const std::vector<notice>& sends, const std::vector<notice>& receives,
             wire_form* forms) const {
    const int peer = from == rank_ ? to : from;
    for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
      // Both lists are sorted by label, so the transfer with the lower label has no partner.
      if (i == receives.size() || (i < sends.size() && sends[i].label < receives[i].label))
        fail(peer, detail::text("rank ", from, " sends ", sends[i].bytes, " bytes to rank ", to, name(sends, i),
                                ", which expects nothing there"));
      if (i == sends.size() || receives[i].label < sends[i].label)
        fail(peer, detail::text("rank ", to, " expects ", receives[i].bytes, " bytes from rank ", from,
                                name(receives, i), ", which sends nothing there"));
      compare(peer, from, to, sends, receives, i);
      forms[i] = form_of(sends[i], receives[i]);
    }
  }

 private:
  void compare(int peer, int from, int to, const std::vector<notice>& sends, const std::vector<notice>& receives,
               std::size_t i) const {
    const auto &out = sends[i], &in = receives[i];
    if (out.bytes != in.bytes)
      fail(peer, detail::text("rank ", from, " sends ", out.bytes, " bytes to rank ", to, name(sends, i),
                              ", which expects ", in.bytes, " bytes"));
    const auto section = static_cast<std::int64_t>(detail::transfer::form::section);
    if (out.kind == section && in.kind == section && out.element != in.element)
      fail(peer, detail::text("rank ", from, " sends elements of ", out.element, " bytes to rank ", to, name(sends, i),
                              ", which expects elements of ", in.element, " bytes"));
  }

  /// Two sections of the same shape travel in the order of the sender's strides; other data travels in the order of the
  /// dimensions.
  static wire_form form_of(const notice& out, const notice& in) {
    constexpr auto section = static_cast<std::int64_t>(detail::transfer::form::section);
    constexpr auto region = static_cast<std::int64_t>(detail::transfer::form::region);
    wire_form form;
    std::iota(form.order.begin(), form.order.end(), 0);
    if (out.kind == region || in.kind == region) form.element = std::max<index_t>(1, out.bytes);  // one element
    if (out.kind != section || in.kind != section) return form;
    form.element = out.element;
    if (out.dimensions == in.dimensions && std::equal(out.extents, out.extents + out.dimensions, in.extents))
      std::copy_n(out.order, plans::max_block_rank, form.order.begin());
    return form;
  }

  std::string name(const std::vector<notice>& list, std::size_t i) const {
    if (names_) return " (" + names_(static_cast<int>(list[i].label)) + ")";
    return list.size() > 1 ? detail::text(" (number ", i, " of them)") : std::string();
  }

  [[noreturn]] void fail(int peer, std::string_view what) const {
    throw error(error_kind::mismatch, pattern_, what, rank_, {peer});
  }

  std::string_view pattern_;
  const detail::transfer_set::label_text& names_;
  int rank_;
};

std::map<int, std::vector<notice>> announce(const communicator& comm, const std::map<int, std::vector<notice>>& mine,
                                            std::string_view pattern) {
  bytes_by_peer outgoing;
  for (const auto& [peer, list] : mine)
    if (peer != comm.rank()) outgoing[peer] = to_bytes(list);
  const auto incoming = exchange_sparsely(comm, std::move(outgoing), pattern);
  std::map<int, std::vector<notice>> theirs;
  for (const auto& [peer, bytes] : incoming) theirs[peer] = from_bytes<notice>(bytes);
  return theirs;
}

plans::block block_of(const detail::transfer& t, int field, const wire_form& form) {
  if (t.kind == detail::transfer::form::region) return plans::called_block(field, t.region, t.bytes());
  auto b = section_block(t.what, field, form.order);
  b.element = form.element;
  return b;
}

}  // namespace

std::array<int, plans::max_block_rank> stride_order(const array_section& part) {
  std::array<int, plans::max_block_rank> order{};
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.begin() + part.dimensions, [&](int a, int b) {
    return std::abs(part.strides[static_cast<std::size_t>(a)]) < std::abs(part.strides[static_cast<std::size_t>(b)]);
  });
  return order;
}

plans::block section_block(const array_section& part, int field, const std::array<int, plans::max_block_rank>& order,
                           std::int64_t offset) {
  std::array<std::int64_t, plans::max_block_rank> extents{}, strides{};
  const auto dimensions = static_cast<std::size_t>(part.dimensions);
  for (std::size_t place = 0; place < dimensions; ++place) {
    const auto d = static_cast<std::size_t>(order[place]);
    extents[place] = part.extents[d];
    strides[place] = part.strides[d];
  }
  return plans::strided_block(field, part.element, offset, std::span(extents).first(dimensions),
                              std::span(strides).first(dimensions));
}

plans::field_shape section_shape(const array_section& part) {
  plans::field_shape shape{"", std::max<index_t>(1, part.element), 0, part.element, part.space, part.type, nullptr};
  if (part.bytes() == 0) return shape;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.dimensions); ++d) {
    const index_t reach = (part.extents[d] - 1) * part.strides[d];
    (reach < 0 ? shape.lowest : shape.highest) += reach;
  }
  return shape;
}

resolved_transfers resolve_transfers(const communicator& comm, std::span<const detail::transfer> sends,
                                     std::span<const detail::transfer> receives, std::string_view pattern,
                                     const detail::transfer_set::label_text& names) {
  std::map<int, std::vector<notice>> mine;
  for (const auto& t : sends) mine[t.peer].push_back(notice_of(t, true));
  for (const auto& t : receives) mine[t.peer].push_back(notice_of(t, false));
  auto theirs = announce(comm, mine, pattern);
  if (const auto self = mine.find(comm.rank()); self != mine.end()) theirs[comm.rank()] = self->second;

  resolved_transfers result;
  result.sends.resize(sends.size());
  result.receives.resize(receives.size());
  detail::collectively(comm, pattern, [&] {
    const pairing pairs(pattern, names, comm.rank());
    for (const auto& [peer, list] : theirs) mine[peer];  // adds peers that name this rank but are not named by it
    auto out = by_peer(sends), in = by_peer(receives);
    for (const auto& [peer, list] : mine) {
      const auto& others = theirs[peer];
      const auto from_me = notices(list, true), to_me = notices(others, true);
      // `match` reports a list that is too short for its forms before it would write behind the list.
      pairs.match(comm.rank(), peer, from_me, notices(others, false), result.sends.data() + out[peer].first);
      pairs.match(peer, comm.rank(), to_me, notices(list, false), result.receives.data() + in[peer].first);
    }
  });
  return result;
}

plans::schedule plan_transfers(std::span<const detail::transfer> sends, std::span<const detail::transfer> receives,
                               const resolved_transfers& resolved, std::string_view pattern, int rank) {
  plans::schedule_builder plan(pattern, rank);
  for (std::size_t i = 0; i < sends.size(); ++i)
    plan.send(sends[i].peer, block_of(sends[i], plan.add_field(section_shape(sends[i].what)), resolved.sends[i]));
  for (std::size_t i = 0; i < receives.size(); ++i)
    plan.receive(receives[i].peer,
                 block_of(receives[i], plan.add_field(section_shape(receives[i].what)), resolved.receives[i]));
  return plan.finish();
}

}  // namespace wherry
