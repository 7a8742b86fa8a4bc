// The showings, their places and their order are those of shared_movement.cpp and shared_reduction.cpp for calls with
// one part, because the ranks of one call may take either path.
#include "shared_brief.hpp"

#include <cstdint>
#include <cstring>

#include "wherry/core/error.hpp"

#include "communicator_state.hpp"
#include "core/patience.hpp"
#include "shared.hpp"
#include "yielding.hpp"

namespace wherry::collective::shared {
namespace {

/// The largest contribution that is shown in one part and as a copy, wherever the user has it.
constexpr std::int64_t most_briefly = least_in_place - 1;

/// Mostly one number is copied, for which a call of memcpy costs more than the copy.
void copy_small(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (to != from)
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

const std::byte* input_of(const call& what) { return static_cast<const std::byte*>(what.send); }
std::byte* output_of(const call& what) { return static_cast<std::byte*>(what.receive); }

/// One call: a turn at the board with the call's arguments.
class brief_call {
 public:
  brief_call(communicator_state& on, const call& users, const brief_way& way)
      : users_(users),
        way_(way),
        on_(on),
        turn_(*on.board, on.board->reserve(1), way.says | on.sequence.begin(way.mark)) {
    wait_for(turn_.my_turn());
  }

  int me() const { return turn_.me(); }
  int members() const { return turn_.members(); }
  std::int64_t bytes() const { return way_.bytes; }
  std::int64_t all_bytes() const { return bytes() * members(); }

  void show(const std::byte* data) {
    wait_for(turn_.may_show(0, bytes()));
    if (bytes() > 0)
      copy_small(turn_.room_for(0, bytes()), data, bytes());
    else
      turn_.room_for(0, 0);
    turn_.show(0);
  }
  /// Shows a block for each other member.
  void show_blocks(const std::byte* blocks) {
    wait_for(turn_.may_show(0, all_bytes()));
    auto* const to = turn_.room_for(0, all_bytes(), bytes());
    for (int m = 0; m < members(); ++m)
      if (m != me()) copy_small(to + m * bytes(), blocks + m * bytes(), bytes());
    turn_.show(0);
  }
  void wait_for_member(int member) { wait_for(turn_.shown_by(member, 0)); }
  void wait_for_all() {
    for (int i = 1; i < members(); ++i) wait_for_member(other(turn_, i));
  }
  const std::byte* shown_by(int member) const { return turn_.what(member, 0, bytes()); }
  const std::byte* block_of(int member) const { return turn_.piece(member, 0, all_bytes(), me(), bytes()); }

  /// Reduces the contributions of the members up to `last`: `of(member)`, and `own` for this member, which may be
  /// overwritten by the result.
  template <class Of> void fold_to(std::byte* out, int last, const std::byte* own, const Of& of) const {
    const auto each = [&](int m) { return m == me() ? own : of(m); };
    const auto combine = [this](std::byte* to, const std::byte* left, const std::byte* right) {
      way_.combine(to, left, right, static_cast<std::size_t>(way_.count));
    };
    if (out != own || me() + 1 >= last) return fold(combine, each, out, 0, last, bytes());
    alignas(64) std::byte result[most_briefly];
    fold(combine, each, result, 0, last, bytes());
    copy_small(out, result, bytes());
  }

  /// A member that shows something to a root; the root itself if it is alone.
  int a_sender() const { return other(turn_, members() - 1); }

  /// Ends the turn of a member to which no other member shows anything next: it will need its own next record.
  void end() {
    turn_.claim_ahead();
    turn_.end();
  }
  /// Ends the turn; that member may already have shown more.
  void end(int ahead) {
    turn_.look_ahead(ahead);
    turn_.end();
  }

 private:
  template <class Condition> void wait_for(const Condition& ready) {
    if (!ready()) wait_long_for(ready);
  }
  template <class Condition> void wait_long_for(const Condition& ready) {
    if (comes_after_yielding(*on_.board, ready)) return;
    patience patience(on_.comm, name_of(users_.kind), "collective", on_.sequence.number());
    do {
      patience.pause([&](std::vector<int>& ranks) {
        if constexpr (requires { ready.append_missing(ranks); }) ready.append_missing(ranks);
      });
      on_.sequence.look_from_wait(on_.sequence.number(), turn_.says(), way_.mark);
    } while (!ready());
  }

  const call& users_;
  const brief_way& way_;
  communicator_state& on_;
  board_turn turn_;
};

void barrier(brief_call& all, const call&) {
  all.show(nullptr);
  all.wait_for_all();
  all.end();
}

void bcast(brief_call& all, const call& users) {
  if (all.me() == users.root) {
    all.show(output_of(users));
    return all.end();
  }
  all.wait_for_member(users.root);
  copy_small(output_of(users), all.shown_by(users.root), all.bytes());
  all.end(users.root);
}

void gather(brief_call& all, const call& users) {
  if (all.me() != users.root) {
    all.show(input_of(users));
    return all.end();
  }
  auto* const to = output_of(users);
  if (users.send != MPI_IN_PLACE) copy_small(to + all.me() * all.bytes(), input_of(users), all.bytes());
  all.wait_for_all();
  for (int m = 0; m < all.members(); ++m)
    if (m != all.me()) copy_small(to + m * all.bytes(), all.shown_by(m), all.bytes());
  all.end(all.a_sender());
}

void scatter(brief_call& all, const call& users) {
  if (all.me() == users.root) {
    const auto* const blocks = input_of(users);
    all.show_blocks(blocks);
    if (users.receive != MPI_IN_PLACE) copy_small(output_of(users), blocks + all.me() * all.bytes(), all.bytes());
    return all.end();
  }
  all.wait_for_member(users.root);
  copy_small(output_of(users), all.block_of(users.root), all.bytes());
  all.end(users.root);
}

void allgather(brief_call& all, const call& users) {
  auto *const to = output_of(users), *const own = to + all.me() * all.bytes();
  if (users.send != MPI_IN_PLACE) copy_small(own, input_of(users), all.bytes());
  all.show(own);
  all.wait_for_all();
  for (int m = 0; m < all.members(); ++m)
    if (m != all.me()) copy_small(to + m * all.bytes(), all.shown_by(m), all.bytes());
  all.end();
}

void alltoall(brief_call& all, const call& users) {
  auto* const to = output_of(users);
  const auto* const from = users.send == MPI_IN_PLACE ? to : input_of(users);
  all.show_blocks(from);
  copy_small(to + all.me() * all.bytes(), from + all.me() * all.bytes(), all.bytes());
  all.wait_for_all();
  for (int m = 0; m < all.members(); ++m)
    if (m != all.me()) copy_small(to + m * all.bytes(), all.block_of(m), all.bytes());
  all.end();
}

const std::byte* contribution_of(const call& users) {
  return users.send == MPI_IN_PLACE ? output_of(users) : input_of(users);
}

void reduce(brief_call& all, const call& users) {
  if (all.me() != users.root) {
    all.show(input_of(users));
    return all.end();
  }
  all.wait_for_all();
  all.fold_to(output_of(users), all.members() - 1, contribution_of(users), [&](int m) { return all.shown_by(m); });
  all.end(all.a_sender());
}

void allreduce(brief_call& all, const call& users) {
  const auto* const own = contribution_of(users);
  all.show(own);
  all.wait_for_all();
  all.fold_to(output_of(users), all.members() - 1, own, [&](int m) { return all.shown_by(m); });
  all.end();
}

/// The last member shows nothing, because no member would read it.
void scan(brief_call& all, const call& users) {
  const auto* const own = contribution_of(users);
  const int last = users.kind == kind::scan ? all.me() : all.me() - 1;
  const bool is_read = all.me() + 1 < all.members();
  if (is_read) all.show(own);
  for (int m = 0; m < all.me(); ++m) all.wait_for_member(m);
  if (last >= 0) all.fold_to(output_of(users), last, own, [&](int m) { return all.shown_by(m); });
  if (is_read)
    all.end();
  else
    all.end(0);
}

void reduce_scatter(brief_call& all, const call& users) {
  const auto* const blocks = contribution_of(users);
  all.show_blocks(blocks);
  all.wait_for_all();
  const auto* const own = blocks + all.me() * all.bytes();
  all.fold_to(output_of(users), all.members() - 1, own, [&](int m) { return all.block_of(m); });
  all.end();
}

template <void (*Do)(brief_call&, const call&)>
void run_as(communicator_state& on, const call& users, const brief_way& way) {
  try {
    brief_call all(on, users, way);
    Do(all, users);
  } catch (...) {
    on.give_up(users.kind, on.sequence.number());
    throw;
  }
}

decltype(brief_way::run) way_of(pattern what) {
  switch (what) {
    case pattern::barrier:
      return run_as<barrier>;
    case pattern::bcast:
      return run_as<bcast>;
    case pattern::gather:
      return run_as<gather>;
    case pattern::scatter:
      return run_as<scatter>;
    case pattern::allgather:
      return run_as<allgather>;
    case pattern::alltoall:
      return run_as<alltoall>;
    case pattern::reduce:
      return run_as<reduce>;
    case pattern::allreduce:
      return run_as<allreduce>;
    case pattern::scan:
    case pattern::exscan:
      return run_as<scan>;
    case pattern::reduce_scatter:
      return run_as<reduce_scatter>;
    default:
      return nullptr;
  }
}

bool has_a_block_for_each(pattern what) {
  return what == pattern::scatter || what == pattern::alltoall || what == pattern::reduce_scatter;
}

bool lies_together(MPI_Datatype type) { return type == MPI_DATATYPE_NULL || facts_of(type).dense; }

}  // namespace

brief_way briefly(const call& what, const shape_of_call& shape, const communicator_state& on) {
  const auto does = pattern_of(what.kind);
  if (!has_equal_blocks(what.kind) || is_of_neighbors(what.kind)) return {};
  const auto looks_at = significant_sides_of(what, on.comm.rank());
  if (looks_at.sends && !lies_together(what.send_type)) return {};
  if (looks_at.receives && !lies_together(what.receive_type)) return {};
  if (shape.bytes <= 0 && does != pattern::barrier) return {};
  const std::int64_t shown = shape.bytes * (has_a_block_for_each(does) ? on.board->members() : 1);
  if (shown > most_briefly || shape.bytes * on.board->members() > most_undivided) return {};
  const call_terms terms(what, on.comm.size());
  brief_way way{way_of(does), shape.bytes, 0, nullptr, terms.of(shape.bytes), terms.mark()};
  if (what.op == MPI_OP_NULL) return way;
  way.combine = find_kernel(what.op, facts_of(what.send_type).number);
  way.count = what.receive_count;
  return way.combine != nullptr ? way : brief_way{};
}

}  // namespace wherry::collective::shared
