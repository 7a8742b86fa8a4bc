#include "wherry/notify/rank_group.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/core/mpi.hpp"

#include "core/arena_block.hpp"
#include "core/called.hpp"
#include "core/patience.hpp"
#include "core/rank_lives.hpp"
#include "group_meeting.hpp"
#include "group_rounds.hpp"

namespace wherry {
namespace {

constexpr const char* in_rank_group = "rank_group";

/// The call that is in flight.
struct group_call {
  enum class kind : std::uint8_t { none, commit, barrier, allreduce };
  kind what = kind::none;
  std::size_t bytes = 0, element = 1;
  plans::element_type type{};
  std::array<char, 32> name{};  // the operation's name, shortened

  group_call() = default;
  explicit group_call(kind which) : what(which) {}
  group_call(std::size_t all, const plans::typed_reduction& how)
      : what(kind::allreduce), bytes(all), element(how.element), type(how.type) {
    how.name.copy(name.data(), name.size() - 1);
  }
  bool operator==(const group_call&) const = default;

  std::uint64_t fingerprint() const {
    shape_hash all;
    all.add(static_cast<int>(what)).add(bytes);
    if (what == kind::allreduce) {
      all.add(element).add(std::string_view(name.data()));
      type.add_to(all);
    }
    return all.value() & ~group_failure::mark;
  }
};

std::string to_text(const group_call& call) {
  if (call.what == group_call::kind::commit) return "commit";
  if (call.what == group_call::kind::barrier) return "barrier";
  return detail::text("allreduce of ", call.bytes / call.element, " elements of ", call.element, " bytes, '",
                      std::string_view(call.name.data()), "' of ", to_string(call.type));
}

std::string_view word_of(group_call::kind what) {
  return what == group_call::kind::commit ? "commit" : what == group_call::kind::barrier ? "barrier" : "allreduce";
}

/// The memory of a member's board: in the arena, or on the heap if no other rank reads it.
class board_memory {
 public:
  board_memory(const communicator& comm, const std::string& called, std::size_t bytes) {
    if (comm.arena() != nullptr) {
      block_ = arena_block(comm, bytes);
      data_ = block_.data();
      return;
    }
    heap_.reset(static_cast<std::byte*>(std::aligned_alloc(group_board::line, in_lines(bytes))));
    if (!heap_) detail::throw_out_of_memory(called, "a group", bytes, comm.rank());
    data_ = heap_.get();
  }
  std::byte* data() const { return data_; }
  void retire(std::function<bool()> released) { block_.retire(std::move(released)); }

 private:
  struct free_memory {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  arena_block block_;
  std::unique_ptr<std::byte, free_memory> heap_;
  std::byte* data_ = nullptr;
};

}  // namespace

struct rank_group::state {
  static constexpr const char* handle = in_rank_group;

  state(const communicator& on, const group_options& how)
      : comm(on), options(how), called(full_name(in_rank_group, how.name)) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();

  [[noreturn]] void refuse(error_kind kind, const std::string& why) const {
    throw error(kind, called, why, comm.rank());
  }
  bool begun() const { return meeting.has_value(); }
  void require_all_alive() const;
  void begin_commit();
  bool step_commit();
  /// Continues this call, or begins it. True if it is complete.
  bool go_on(const group_call& call, const std::byte* in, std::byte* out, const plans::typed_reduction* how,
             double seconds);
  bool step(const std::byte* in, std::byte* out, const plans::typed_reduction* how);
  template <class Step> bool await(const group_call& call, double seconds, Step&& step);
  void look_around();
  void tell_those_left();
  void begin_piece(const std::byte* in);
  std::size_t piece_bytes() const;
  void count();
  [[noreturn]] void end_by(group_failure failure);

  communicator comm;
  group_options options;
  std::string called;
  std::vector<int> ranks;
  bool committed = false, broken = false;
  group_mail* mail = nullptr;
  std::uint64_t own = 0;
  std::optional<board_memory> memory;
  group_contact contact;
  std::optional<group_meeting> meeting;
  bool has_met = false;
  group_rounds rounds;
  group_call pending;
  std::uint64_t call = 0;  // fingerprint of `pending`
  std::size_t done = 0;    // bytes of it that are complete
  exchange_statistics counted;
};

rank_group::rank_group(const communicator& comm, const group_options& options)
    : state_(std::make_unique<state>(comm, options)) {
  if (options.sizes.piece == 0 || options.sizes.piece > std::size_t{1} << 30)
    state_->refuse(error_kind::argument,
                   detail::text("'sizes.piece' is ", options.sizes.piece, " bytes, expected 1 to 2^30"));
  if (options.sizes.among_all < 1 || options.sizes.among_all > 1024)
    state_->refuse(error_kind::argument,
                   detail::text("'sizes.among_all' is ", options.sizes.among_all, ", expected 1 to 1024"));
}
rank_group::rank_group(rank_group&&) noexcept = default;
rank_group& rank_group::operator=(rank_group&&) noexcept = default;
rank_group::~rank_group() = default;

rank_group& rank_group::add(int rank) {
  auto& s = *state_;
  if (s.begun())
    s.refuse(error_kind::state, detail::text("rank ", rank, " cannot be added, because the group is being committed"));
  if (rank < 0 || rank >= s.comm.size())
    s.refuse(error_kind::argument, detail::text("'rank' is ", rank, ", expected a rank from 0 to ", s.comm.size() - 1));
  const auto at = std::lower_bound(s.ranks.begin(), s.ranks.end(), rank);
  if (at != s.ranks.end() && *at == rank)
    s.refuse(error_kind::argument, detail::text("rank ", rank, " is in the group already"));
  s.ranks.insert(at, rank);
  return *this;
}

const std::vector<int>& rank_group::ranks() const { return state_->ranks; }
int rank_group::size() const { return static_cast<int>(state_->ranks.size()); }
const communicator& rank_group::comm() const { return state_->comm; }
bool rank_group::committed() const { return state_->committed; }

int rank_group::index() const {
  const auto& all = state_->ranks;
  const auto at = std::lower_bound(all.begin(), all.end(), state_->comm.rank());
  return at != all.end() && *at == state_->comm.rank() ? static_cast<int>(at - all.begin()) : -1;
}

std::string rank_group::explain() const {
  const auto near = state_->begun() ? state_->meeting->near().size() : 0;
  return detail::text(full_name("group", state_->options.name), " of ", size(), " ranks: ", near, " by shared memory, ",
                      state_->ranks.size() - near, " by messages", committed() ? "" : ", not committed");
}

std::string rank_group::transport() const {
  if (!state_->begun()) return {};
  const auto near = state_->meeting->near().size();
  const bool by_messages = near < state_->ranks.size(), by_memory = near > 1 || !by_messages;
  return detail::text(by_messages ? "two_sided" : "", by_messages && by_memory ? " + " : "", by_memory ? "shared" : "");
}

exchange_statistics rank_group::statistics() const { return state_->counted; }

// ------------------------------------------------------------------------------------------------------------- waiting

template <class Step> bool rank_group::state::await(const group_call& now, double seconds, Step&& step) {
  patience patient(comm, called, word_of(now.what), rounds.number());
  patient.needs(ranks);
  const bool only_looks = seconds <= 0;
  int polls = 0;
  const auto poll = [&] {
    if (only_looks ? polls == 1 : (polls & 63) == 63) look_around();
    ++polls;
    return step();
  };
  return patient.poll_for(seconds, poll, [this](std::vector<int>& missing) {
    has_met ? rounds.append_missing(missing) : meeting->append_missing(missing);
  });
}

/// @throws error(state) if this member waits for one that has destroyed the group
void rank_group::state::look_around() {
  if (!has_met) return;
  const int gone = rounds.gone();
  if (gone < 0) return;
  broken = true;
  if (!committed) meeting->give_up(group_failure::of(gone));
  refuse(error_kind::state, detail::text("rank ", gone, " destroyed the group while this rank waits for it"));
}

// -------------------------------------------------------------------------------------------------------------- commit

bool rank_group::commit(double seconds) {
  auto& s = *state_;
  detail::require_mpi(s.called, s.comm.rank());
  require_seconds(seconds, s.called, s.comm.rank());
  if (s.committed) return true;
  if (s.broken) s.refuse(error_kind::state, "the group could not be committed and cannot be used: make a new one");
  if (index() < 0)
    s.refuse(error_kind::argument, detail::text("rank ", s.comm.rank(), " is not in the group that it commits"));
  if (!s.begun()) {
    s.require_all_alive();
    s.begin_commit();
  }
  return s.await(group_call(group_call::kind::commit), seconds, [&s] { return s.step_commit(); });
}

// The other members find the death too and go on to a group without the dead rank, so this group must not begin.
void rank_group::state::require_all_alive() const {
  for (const int rank : ranks)
    if (comm.lives().is_corrupt(rank))
      throw error(error_kind::lost, called, detail::text("rank ", rank, ", a member, has died or was declared dead"),
                  comm.rank(), {rank});
}

void rank_group::state::begin_commit() {
  mail = &group_mail::of(comm);
  memory.emplace(comm, called, group_board::bytes(options.sizes.piece));
  group_board::begin(memory->data(), options.sizes.piece);
  own = mail->open(contact, group_meeting::fingerprint(ranks));
  meeting.emplace(comm, called, ranks, options, memory->data(), *mail, own, contact);
}

bool rank_group::state::step_commit() {
  try {
    if (contact.has_forgotten()) has_met = false;  // a member must be met again
    if (!has_met) {
      if (!meeting->step()) return false;
      rounds = group_rounds(meeting->links(), mail);
      rounds.begin(group_call(group_call::kind::commit).fingerprint(), nullptr, 0);
      has_met = true;
    }
    mail->look();
    if (!rounds.step(nullptr)) {
      if (contact.failure()) meeting->step();  // throws
      return false;
    }
  } catch (const error&) {
    broken = true;
    throw;
  }
  rounds.end(nullptr, nullptr);
  mail->settle(own);
  committed = true;
  return true;
}

rank_group::state::~state() {
  if (!begun() || detail::is_forked_child()) return;
  if (!detail::mpi_has_ended()) tell_those_left();
  const group_board board(memory->data(), options.sizes.piece);
  board.part().leave();
  if (!committed) {  // another member may still read the board
    memory->retire([] { return false; });
    return;
  }
  const auto readers = rounds.depart();
  memory->retire([board, readers] { return board.part().is_let_go(readers); });
}

// After the commit, no letter is sent when a member leaves: the others may have left before, and Open MPI fails on
// messages for communicators that have been freed.
void rank_group::state::tell_those_left() {
  try {
    mail->close(own);
    if (!committed && !broken) meeting->give_up(group_failure::of(comm.rank()));
  } catch (const error&) {  // the other members will find out by waiting
  }
}

// --------------------------------------------------------------------------------------------------------- collectives

bool rank_group::barrier(double seconds) {
  return state_->go_on(group_call(group_call::kind::barrier), nullptr, nullptr, nullptr, seconds);
}

bool rank_group::allreduce_bytes(std::span<const std::byte> in, std::span<std::byte> out,
                                 const plans::typed_reduction& how, double seconds) {
  return reduce(in, out, plans::element_type{}, &how, seconds);
}

bool rank_group::reduce(std::span<const std::byte> in, std::span<std::byte> out, const plans::element_type& type,
                        const plans::typed_reduction* operation, double seconds) {
  auto& s = *state_;
  if (operation == nullptr)
    s.refuse(error_kind::argument, detail::text("'how' has no meaning for elements that are ", to_string(type),
                                                "; make_reduction makes one of a function of yours"));
  const auto& how = *operation;
  if (in.size() != out.size())
    s.refuse(error_kind::argument, detail::text("'in' has ", in.size(), " bytes, and 'out' has ", out.size()));
  if (!in.empty() && (in.data() == nullptr || out.data() == nullptr))
    s.refuse(error_kind::argument,
             detail::text("'", in.data() == nullptr ? "in" : "out", "' is null, expected ", in.size(), " bytes there"));
  if (how.element == 0 || !how.apply || how.arriving() != how.element)
    s.refuse(error_kind::argument,
             detail::text("'how' is '", how.name, "', which is not an operation on elements of one size"));
  if (how.element > s.options.sizes.piece)
    s.refuse(error_kind::argument,
             detail::text("an element of ", how.element, " bytes is larger than the group's 'sizes.piece' of ",
                          s.options.sizes.piece));
  if (in.size() % how.element != 0)
    s.refuse(error_kind::argument,
             detail::text("'in' has ", in.size(), " bytes, not a number of elements of ", how.element));
  if (!plans::fits(how.type, type))
    s.refuse(error_kind::argument, detail::text("'how' does not fit 'in': '", how.name, "' works on ",
                                                to_string(how.type), ", but 'in' has ", to_string(type)));
  return s.go_on(group_call(in.size(), how), in.data(), out.data(), &how, seconds);
}

std::size_t rank_group::state::piece_bytes() const {
  const std::size_t most = options.sizes.piece / pending.element * pending.element;
  return std::min(most, pending.bytes - done);
}

void rank_group::state::begin_piece(const std::byte* in) {
  rounds.begin(call, in != nullptr ? in + done : nullptr, piece_bytes());
}

bool rank_group::state::go_on(const group_call& now, const std::byte* in, std::byte* out,
                              const plans::typed_reduction* how, double seconds) {
  detail::require_mpi(called, comm.rank());
  require_seconds(seconds, called, comm.rank());
  if (!committed)
    refuse(error_kind::state, detail::text("'", word_of(now.what), "' was called before the group was committed"));
  if (broken) refuse(error_kind::state, "another member destroyed the group");
  if (pending.what == group_call::kind::none) {
    pending = now;
    call = now.fingerprint();
    done = 0;
    begin_piece(in);
  } else if (!(pending == now)) {
    refuse(error_kind::argument,
           detail::text("another call must be continued first: ", pending, "; this call is: ", now));
  }
  return await(now, seconds, [&] { return step(in, out, how); });
}

void rank_group::state::count() {
  const auto bytes = ranks.size() > 1 ? static_cast<std::int64_t>(pending.bytes) : 0;
  ++counted.exchanges;
  counted.bytes_sent += bytes;
  counted.bytes_received += bytes;
}

bool rank_group::state::step(const std::byte* in, std::byte* out, const plans::typed_reduction* how) {
  if (rounds.links().has_far()) mail->look();
  while (rounds.step(how)) {
    const std::size_t bytes = piece_bytes();
    group_failure failure;
    try {
      failure = rounds.end(out != nullptr ? out + done : nullptr, how);
    } catch (...) {
      pending = {};
      throw;
    }
    if (failure) end_by(failure);
    done += bytes;
    if (done == pending.bytes) {
      count();
      pending = {};
      return true;
    }
    begin_piece(in);
  }
  return false;
}

void rank_group::state::end_by(group_failure failure) {
  const auto mine = std::exchange(pending, {});
  if (failure.is_departure())
    throw error(error_kind::state, called,
                detail::text("the function of rank ", failure.first(), " threw an exception in this ", mine),
                comm.rank(), {failure.first()});
  throw error(error_kind::mismatch, called,
              detail::text("ranks ", failure.first(), " and ", failure.second(),
                           " make different calls; this one's is: ", mine),
              comm.rank(), {failure.first(), failure.second()});
}

}  // namespace wherry
