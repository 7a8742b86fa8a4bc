#include "wherry/core/node_arena.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "arena_heap.hpp"
#include "arena_size.hpp"
#include "large_page.hpp"

namespace wherry {
namespace {

using departure_word = std::atomic<std::uint64_t>;

int size_of(MPI_Comm comm) {
  int size = 1;
  check_mpi(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
  return size;
}
int rank_in(MPI_Comm comm) {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

/// The minimum over all ranks, for each of some numbers.
template <std::size_t N> std::array<std::int64_t, N> least_of(MPI_Comm node, std::array<std::int64_t, N> mine) {
  std::array<std::int64_t, N> least{};
  check_mpi(PMPI_Allreduce(mine.data(), least.data(), static_cast<int>(N), MPI_INT64_T, MPI_MIN, node),
            "MPI_Allreduce");
  return least;
}

template <class T> std::vector<T> all_of(MPI_Comm node, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(size_of(node)));
  check_mpi(PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, node), "MPI_Allgather");
  return all;
}

/// The number of arenas that this process may come to see: other communicators may have more of its node's ranks.
std::size_t mappings_to_come(MPI_Comm node) {
  const auto world = static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  if (detail::ranks_share_a_process) return 8 * world;
  static const auto processors = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF)));
  return std::max(static_cast<std::size_t>(size_of(node)), std::min(world, processors));
}

/// Heaps of this process that are in use.
struct own_heaps {
  std::mutex guard;
  std::vector<std::weak_ptr<arena_heap>> all;
  std::vector<std::shared_ptr<arena_heap>> kept;  // unused here, but other ranks still read from them
};
/// Never destroyed, because memory that other ranks read must last until the process ends.
own_heaps& heaps() {
  static auto* const mine = new own_heaps;
  return *mine;
}

/// Keeps the heap until its peers have left, too. This is checked again when a communicator of this rank begins or
/// ends.
void keep_while_read(std::shared_ptr<arena_heap> heap) {
  if (!heap->keeps_for_others()) return;
  const std::lock_guard lock(heaps().guard);
  auto& kept = heaps().kept;
  if (std::find(kept.begin(), kept.end(), heap) == kept.end()) kept.push_back(std::move(heap));
}

void end_kept_heaps() {
  std::vector<std::shared_ptr<arena_heap>> kept;
  {
    const std::lock_guard lock(heaps().guard);
    kept.swap(heaps().kept);
  }
  for (auto& heap : kept) keep_while_read(std::move(heap));
}

/// The arena that an attempt wants this rank to have.
struct heap_wish {
  arena_file form = arena_file::anonymous;
  bool fresh = false;     ///< an existing arena will not do
  std::size_t asked = 0;  ///< the value of WHERRY_ARENA_SIZE
  std::size_t most = 0;   ///< largest size in bytes, also of an existing arena unless `any_size`
  bool any_size = true;
  std::string why{};  ///< reason for which it is not larger
};

std::shared_ptr<arena_heap> find_heap(const heap_wish& wish) {
  if (wish.fresh) return nullptr;
  std::erase_if(heaps().all, [](const auto& one) { return one.expired(); });
  for (const auto& one : heaps().all) {
    auto heap = one.lock();
    if (heap && heap->asked() == wish.asked && heap->file().form() == wish.form &&
        (wish.any_size || heap->mapping()->bytes() <= wish.most))
      return heap;
  }
  return nullptr;
}

/// The first text of any rank, the same on all ranks.
std::string first_text(MPI_Comm node, const std::string& mine) {
  struct line {
    char words[240] = "";
  } said;
  std::snprintf(said.words, sizeof said.words, "%s", mine.c_str());
  for (const auto& other : all_of(node, said))
    if (other.words[0] != '\0') return other.words;
  return "for a reason that the system does not give";
}

}  // namespace

struct detail::node_arena::parts {
  std::shared_ptr<arena_heap> heap;
  std::vector<std::shared_ptr<const arena_mapping>> mappings;
  std::vector<std::size_t> departures;
  int mine = 0;
  std::uint64_t owner = 0;
};

/// One attempt of all ranks of the node to map each other's arenas.
class detail::node_arena::attempt {
 public:
  attempt(MPI_Comm node, const heap_wish& wish, std::size_t wanted) : node_(node), most_(wish.most) {
    open_own(wish, wanted);
    exchange_tickets();
    agree();
  }
  attempt(const attempt&) = delete;
  attempt& operator=(const attempt&) = delete;
  ~attempt() {
    if (word_ != nullptr) all_.heap->deallocate(word_);
  }

  arena_success success() const { return success_; }
  const std::string& failure() const { return failure_; }
  std::size_t smallest() const { return smallest_; }  ///< of all ranks' arenas, as they are or were to be
  bool cut() const { return cut_; }                   ///< an arena of any rank is cut
  std::string why_cut() const { return all_.heap->why_cut(); }

  std::unique_ptr<detail::node_arena> result() {
    all_.heap->file().forget_name();
    word_ = nullptr;
    return std::unique_ptr<detail::node_arena>(new detail::node_arena(std::move(all_)));
  }

 private:
  void open_own(const heap_wish& wish, std::size_t wanted) {
    end_kept_heaps();
    const std::lock_guard lock(heaps().guard);
    all_.heap = find_heap(wish);
    const bool may_be_new = wish.form == arena_file::anonymous || wish.fresh;
    if (!all_.heap && may_be_new) {
      auto file = std::make_unique<arena_owned_file>(wish.form, wish.most);
      success_ = file->success();
      failure_ = file->failure();
      if (success_ != arena_success::done) return;
      all_.heap = std::make_shared<arena_heap>(std::move(file), wish.asked, wish.most < wanted, wish.why);
      heaps().all.push_back(all_.heap);
    }
    if (!all_.heap) return;
    make_word();
  }

  void make_word() {
    all_.owner = all_.heap->new_owner();
    try {
      word_ = new (all_.heap->allocate(sizeof(departure_word), alignof(departure_word), all_.owner,
                                       detail::arena_contents::zeros)) departure_word(0);
      success_ = arena_success::done;
    } catch (const error& full) {
      success_ = arena_success::too_large;
      failure_ = full.text();
    }
  }

  void exchange_tickets() {
    arena_ticket mine;
    if (success_ == arena_success::done) {
      mine = all_.heap->file().ticket();
      mine.departure = static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(word_) - all_.heap->mapping()->base());
    }
    all_.mine = rank_in(node_);
    int rank = 0;
    for (const auto& ticket : all_of(node_, mine)) {
      auto neighbor = rank++ == all_.mine && word_ != nullptr
                          ? mapped_neighbor{all_.heap->mapping(), arena_success::done, {}}
                          : map_ticket(ticket);
      all_.mappings.push_back(std::move(neighbor.mapping));
      all_.departures.push_back(ticket.departure);
      if (ticket.bytes == 0) continue;  // its owner reports the failure
      success_ = std::max(success_, neighbor.success);
      if (failure_.empty()) failure_ = neighbor.failure;
    }
  }

  void agree() {
    const auto bytes = static_cast<std::int64_t>(word_ != nullptr ? all_.heap->mapping()->bytes() : most_);
    const bool cut = word_ != nullptr && all_.heap->is_cut();
    const auto least = least_of<3>(node_, {-static_cast<int>(success_), bytes, cut ? -1 : 0});
    success_ = static_cast<arena_success>(-least[0]);
    smallest_ = static_cast<std::size_t>(least[1]);
    cut_ = least[2] != 0;
  }

  MPI_Comm node_;
  std::size_t most_;
  parts all_;
  departure_word* word_ = nullptr;
  arena_success success_ = arena_success::impossible;
  std::string failure_;
  std::size_t smallest_ = 0;
  bool cut_ = false;
};

detail::node_arena::made detail::node_arena::make(MPI_Comm node, std::size_t asked) {
  const auto size = size_of_arena(asked, mappings_to_come(node));
  const auto agreed =
      least_of<2>(node, {static_cast<std::int64_t>(size.wanted), static_cast<std::int64_t>(size.possible)});
  const auto wanted = static_cast<std::size_t>(agreed[0]);
  std::string why = size.why;
  for (const auto& [form, fresh] : {std::pair(arena_file::anonymous, false), std::pair(arena_file::named, false),
                                    std::pair(arena_file::named, true)}) {
    heap_wish wish{form, fresh, asked, static_cast<std::size_t>(agreed[1]), true, why};
    while (wish.most >= large_page) {
      attempt now(node, wish, wanted);
      if (now.success() == arena_success::done) {
        std::string shortfall;
        if (now.cut())
          shortfall =
              detail::text("node-shared memory is cut to ", now.smallest(), " bytes a rank, fields beyond it live on ",
                           "the heap: ", first_text(node, now.why_cut()));
        return {now.result(), std::move(shortfall)};
      }
      if (why.empty()) why = now.failure();
      if (now.success() == arena_success::impossible) break;
      const auto half = std::min(wish.most, now.smallest()) / 2;
      wish = {form, fresh, asked, half / large_page * large_page, false, why};
    }
  }
  return {nullptr, detail::text("there is no node-shared memory, fields live on the heap and are copied twice: ",
                                first_text(node, why))};
}

detail::node_arena::node_arena(parts&& all)
    : heap_(std::move(all.heap)),
      mappings_(std::move(all.mappings)),
      departures_(std::move(all.departures)),
      base_(heap_->mapping()->base()),
      bytes_(heap_->mapping()->bytes()),
      mine_(all.mine),
      owner_(all.owner) {
  for (const auto& mapping : mappings_) bases_.push_back(mapping->base());
}

detail::node_arena::~node_arena() {
  if (detail::is_forked_child()) return;
  const auto word_of = [this](std::size_t rank) {
    return std::launder(reinterpret_cast<departure_word*>(bases_[rank] + departures_[rank]));
  };
  for (std::size_t rank = 0; rank < bases_.size(); ++rank) word_of(rank)->fetch_add(1, std::memory_order_release);
  heap_->retire_all_of(owner_, [word = word_of(static_cast<std::size_t>(mine_)), all = bases_.size()] {
    return word->load(std::memory_order_acquire) == all;
  });
  end_kept_heaps();
  keep_while_read(heap_);
}

void* detail::node_arena::allocate(std::size_t bytes, std::size_t alignment, detail::arena_contents what,
                                   const thread_team& touched_by) {
  return heap_->allocate(bytes, alignment, owner_, what, touched_by);
}
void detail::node_arena::deallocate(void* pointer) noexcept { heap_->deallocate(pointer); }
void detail::node_arena::retire(void* pointer, std::function<bool()> released, std::shared_ptr<const void> keep) {
  heap_->retire(pointer, std::move(released), std::move(keep));
}
bool detail::node_arena::has_had(const void* pointer, std::uint64_t since) const {
  const auto offset = offset_of(pointer);
  return !offset || heap_->has_had(*offset, since);
}
std::size_t detail::node_arena::used() const { return heap_->used(); }
bool detail::node_arena::is_cut() const noexcept { return heap_->is_cut(); }

}  // namespace wherry
