#include "compare_messages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "core/agreement.hpp"
#include "core/collective.hpp"
#include "core/sparse_exchange.hpp"
#include "core/terms.hpp"
#include "plan/shape_figures.hpp"

namespace wherry {
namespace {

/// Elements of one type that follow each other in a message.
struct run_of_elements {
  plans::element_type type;
  std::int64_t bytes;
};

/// The operation on arrival, in words. A long text is cut; its hash covers all of it.
struct operation_notice {
  std::uint32_t hash = 0;  // 0: not given
  std::array<char, 60> words{};

  std::string_view text() const { return {words.data(), strnlen(words.data(), words.size())}; }
};

/// One rank's description of one message, for the other side.
struct notice {
  struct fixed_part {
    std::int64_t stage, bytes, elements, runs;
    operation_notice operation;
  } fixed;
  std::vector<run_of_elements> runs;
};

using notices_by_peer = std::map<int, std::vector<notice>>;

/// The operations of a message in words. If its blocks have different operations, each one that differs from the one
/// before is listed.
std::string operations_of(const plans::message& m, const plans::schedule& plan, const plans::functions& code) {
  const auto words = [](const plans::typed_reduction* op) { return op == nullptr ? "storing" : plans::identity(*op); };
  const bool by_block =
      m.operation != detail::store && !code.reductions[static_cast<std::size_t>(m.operation)].by_block.empty();
  if (!by_block) return words(code.on_arrival(m.operation, detail::store));
  std::string all;
  const plans::typed_reduction* before = nullptr;
  for (const auto& row : plan.rows_of(m)) {
    const auto* op = code.on_arrival(m.operation, plan.shapes[row.shape].operation);
    if (all.empty() || op != before) all += detail::text(all.empty() ? "" : ", ", words(op));
    before = op;
  }
  return all;
}

operation_notice describe_operation(const plans::message& m, const plans::schedule& plan,
                                    const plans::functions& code) {
  const auto words = operations_of(m, plan, code);
  operation_notice n{detail::name_hash(words), {}};
  words.copy(n.words.data(), n.words.size());
  return n;
}

/// Counts the elements of a message's blocks, and the bytes of each type.
class element_count {
 public:
  element_count(const plans::message& m, bool arrives, const plans::schedule& plan, const plans::functions& code)
      : what_(m), arrives_(arrives), plan_(plan), code_(code) {}

  void add_all(notice& to) {
    for (const auto& row : plan_.rows_of(what_)) add(row, to);
    to.fixed.runs = std::ssize(to.runs);
  }

 private:
  void add(const plans::block_row& row, notice& to) {
    // Nearly all blocks are strided, of small numbers, and of the same field as the one before.
    const small_shape small(plan_.shapes, row.shape);
    if (const auto runs = small ? small.runs() : -1; runs >= 0 && small.element() > 0) {
      const auto bytes = runs * small.run();
      if (row.field != field_ || to.runs.empty()) begin(row.field, type_of(plan_.what(row)), to);
      to.fixed.elements += small.run() == small.element() ? runs : bytes / small.element();
      to.runs.back().bytes += bytes;
      return;
    }
    const auto b = plan_.what(row);
    to.fixed.elements += b.kind == plans::block::form::called ? 1 : b.bytes() / b.element;
    begin(nobody, type_of(b), to);
    to.runs.back().bytes += b.wire_bytes();
  }

  void begin(std::int32_t field, plans::element_type type, notice& to) {
    field_ = field;
    if (to.runs.empty() || to.runs.back().type != type) to.runs.push_back({type, 0});
  }
  plans::element_type type_of(const plans::block& b) const {
    return arrives_ ? plans::arriving_type(b, what_.operation, plan_, code_) : plans::leaving_type(b, plan_);
  }

  static constexpr std::int32_t nobody = -1;

  const plans::message& what_;
  bool arrives_;
  const plans::schedule& plan_;
  const plans::functions& code_;
  std::int32_t field_ = nobody;  // the field of the last small shape
};

notice describe(std::size_t stage, const plans::message& m, bool arrives, const plans::schedule& plan,
                const plans::functions& code) {
  notice n{{static_cast<std::int64_t>(stage), plan.bytes_of(m), 0, 0, {}}, {}};
  if (arrives || m.operation != detail::store) n.fixed.operation = describe_operation(m, plan, code);
  element_count(m, arrives, plan, code).add_all(n);
  return n;
}

notices_by_peer collect(const plans::schedule& plan, const plans::functions& code, bool arrives) {
  notices_by_peer result;
  for (std::size_t s = 0; s < plan.stages.size(); ++s)
    for (const auto& m : arrives ? plan.stages[s].receives : plan.stages[s].sends)
      result[m.peer].push_back(describe(s, m, arrives, plan, code));
  return result;
}

template <class T> void append(std::vector<std::byte>& bytes, std::span<const T> values) {
  const auto raw = std::as_bytes(values);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

std::vector<std::byte> to_wire(const std::vector<notice>& list) {
  std::vector<std::byte> bytes;
  for (const auto& n : list) {
    append(bytes, std::span(&n.fixed, 1));
    append(bytes, std::span(n.runs));
  }
  return bytes;
}

template <class T> void take(const std::byte*& from, std::span<T> values) {
  std::memcpy(values.data(), from, values.size_bytes());
  from += values.size_bytes();
}

std::vector<notice> from_wire(const std::vector<std::byte>& bytes) {
  std::vector<notice> list;
  for (const auto* at = bytes.data(); at != bytes.data() + bytes.size();) {
    auto& n = list.emplace_back();
    take(at, std::span(&n.fixed, 1));
    n.runs.resize(static_cast<std::size_t>(n.fixed.runs));
    take(at, std::span(n.runs));
  }
  return list;
}

notices_by_peer exchange_notices(const communicator& comm, const notices_by_peer& mine, std::string_view pattern) {
  bytes_by_peer outgoing;
  for (const auto& [peer, list] : mine) outgoing[peer] = to_wire(list);
  const auto incoming = exchange_sparsely(comm, std::move(outgoing), pattern);
  notices_by_peer received;
  for (const auto& [peer, bytes] : incoming) received[peer] = from_wire(bytes);
  return received;
}

/// The first place at which two messages of equal size have elements that do not fit each other.
struct misfit {
  std::int64_t at;  // bytes of elements before it
  plans::element_type sent, expected;
};
std::optional<misfit> find_misfit(const std::vector<run_of_elements>& sent,
                                  const std::vector<run_of_elements>& expected) {
  std::int64_t at = 0, sent_until = 0, expected_until = 0;
  for (auto s = sent.begin(), e = expected.begin(); s != sent.end() && e != expected.end();) {
    if (s->bytes > 0 && e->bytes > 0 && !plans::fits(s->type, e->type)) return misfit{at, s->type, e->type};
    at = std::min(sent_until + s->bytes, expected_until + e->bytes);
    if (at == sent_until + s->bytes) sent_until = at, ++s;
    if (at == expected_until + e->bytes) expected_until = at, ++e;
  }
  return std::nullopt;
}

void compare(const communicator& comm, const plans::schedule& plan, const notices_by_peer& expected,
             const notices_by_peer& announced) {
  const auto fail = [&](int peer, std::string_view what) {
    throw error(error_kind::mismatch, plan.pattern, what, comm.rank(), {peer});
  };
  for (const auto& [peer, list] : announced) {
    const auto found = expected.find(peer);
    if (found == expected.end())
      fail(peer, detail::text("rank ", peer, " sends ", list.front().fixed.bytes, " bytes to rank ", comm.rank(),
                              ", which expects nothing from it"));
    if (found->second.size() != list.size())
      fail(peer, detail::text("rank ", peer, " sends ", list.size(), " messages to rank ", comm.rank(),
                              ", which expects ", found->second.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto &theirs = list[i].fixed, &mine = found->second[i].fixed;
      const auto differ = [&](const auto& sent, const auto& wanted, std::string_view unit) {
        fail(peer, detail::text("in stage ", mine.stage, " rank ", peer, " sends ", sent, unit, " to rank ",
                                comm.rank(), ", which expects ", wanted, unit));
      };
      if (theirs.stage != mine.stage || theirs.bytes != mine.bytes) differ(theirs.bytes, mine.bytes, " bytes");
      if (theirs.elements != mine.elements) differ(theirs.elements, mine.elements, " elements");
      if (const auto bad = find_misfit(list[i].runs, found->second[i].runs))
        differ(to_string(bad->sent), to_string(bad->expected), bad->at == 0 ? "" : detail::text(" at byte ", bad->at));
      if (theirs.operation.hash != 0 && theirs.operation.hash != mine.operation.hash)
        fail(peer, detail::text("in stage ", mine.stage, " rank ", peer, " sends to rank ", comm.rank(), " for ",
                                theirs.operation.text(), ", which does ", mine.operation.text()));
    }
  }
  for (const auto& [peer, list] : expected)
    if (!announced.contains(peer))
      fail(peer, detail::text("rank ", comm.rank(), " expects ", list.front().fixed.bytes, " bytes from rank ", peer,
                              ", which sends nothing to it"));
}

}  // namespace

std::vector<double> compare_messages(const communicator& comm, const plans::schedule& plan,
                                     const plans::functions& code, const std::optional<error>& mine,
                                     const terms& agreed, const std::vector<double>& figures) {
  const auto announced = exchange_notices(comm, mine ? notices_by_peer{} : collect(plan, code, false), plan.pattern);
  const auto found = detail::error_of(comm, plan.pattern, [&] {
    if (mine) throw *mine;
    compare(comm, plan, collect(plan, code, true), announced);
  });
  const auto disagreement = [&] {
    tell_difference(comm, plan.pattern, agreed.list());
    return "the ranks disagree on a setting";
  };
  return agree_and_add_up(comm, plan.pattern, found ? &*found : nullptr, agreed.word(), disagreement, figures);
}

}  // namespace wherry
