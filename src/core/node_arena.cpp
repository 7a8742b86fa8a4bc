#include "wherry/core/node_arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <random>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "large_page.hpp"

namespace wherry {
namespace {

constexpr std::size_t page = 4096;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

/// How another process of the node opens a rank's arena. Travels as bytes between the node's ranks.
struct ticket {
  char path[64] = "";
  std::uint64_t nonce = 0;    // proof that the file behind the path is the one meant
  std::byte* base = nullptr;  // where the owner has mapped it, for ranks of the same process
  int valid = 0;
};

std::uint64_t draw_nonce() {
  std::random_device entropy;
  return (std::uint64_t{entropy()} << 32) | entropy();
}

/// An anonymous file is not bound by the size of /dev/shm (containers often give it 64 MiB) and cannot be left behind.
int open_anonymous(ticket& mine) {
  const int file = memfd_create("wherry", MFD_CLOEXEC);
  if (file >= 0) std::snprintf(mine.path, sizeof mine.path, "/proc/%d/fd/%d", static_cast<int>(getpid()), file);
  return file;
}

int open_named(ticket& mine) {
  std::snprintf(mine.path, sizeof mine.path, "/dev/shm/wherry-%d-%016llx", static_cast<int>(getpid()),
                static_cast<unsigned long long>(mine.nonce));
  return open(mine.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

std::byte* map_file(int file, std::size_t bytes) {
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (base == MAP_FAILED) return nullptr;
  madvise(base, bytes, MADV_DONTFORK);
  return static_cast<std::byte*>(base);
}

/// Ranks of one process use one mapping of an arena, which the last of them removes: a mapping for each pair of ranks
/// would be more than a process may have.
std::atomic<int>& users_of(std::byte* base) { return *std::launder(reinterpret_cast<std::atomic<int>*>(base + 64)); }

/// Maps the arena behind a neighbour's ticket, or null.
std::byte* map_ticket(const ticket& theirs, std::size_t bytes) {
  if constexpr (ranks_share_a_process) {
    users_of(theirs.base).fetch_add(1);
    return theirs.base;
  }
  const int file = open(theirs.path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  std::uint64_t nonce = 0;
  const bool genuine = pread(file, &nonce, sizeof nonce, 0) == sizeof nonce && nonce == theirs.nonce;
  std::byte* base = genuine ? map_file(file, bytes) : nullptr;
  close(file);
  return base;
}

bool all_of(MPI_Comm node, bool mine) {
  int flag = mine ? 1 : 0, all = 0;
  check_mpi(MPI_Allreduce(&flag, &all, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
  return all == 1;
}

}  // namespace

std::unique_ptr<node_arena> node_arena::make(MPI_Comm node, std::size_t bytes) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(node, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(node, &size), "MPI_Comm_size");
  bytes = round_up(bytes, large_page);
  for (const auto open_file : {open_anonymous, open_named}) {
    std::unique_ptr<node_arena> arena(new node_arena);
    arena->bytes_ = bytes;
    arena->mine_ = rank;
    arena->bases_.assign(static_cast<std::size_t>(size), nullptr);
    ticket mine;
    mine.nonce = draw_nonce();
    arena->file_ = open_file(mine);
    std::byte* base = nullptr;
    if (arena->file_ >= 0 && ftruncate(arena->file_, static_cast<off_t>(bytes)) == 0 && arena->commit(0, page) &&
        pwrite(arena->file_, &mine.nonce, sizeof mine.nonce, 0) == sizeof mine.nonce)
      base = map_file(arena->file_, bytes);
    mine.valid = base != nullptr ? 1 : 0;
    mine.base = base;
    if (base != nullptr) new (base + 64) std::atomic<int>(1);
    arena->bases_[static_cast<std::size_t>(rank)] = base;

    std::vector<ticket> tickets(static_cast<std::size_t>(size));
    check_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, tickets.data(), sizeof mine, MPI_BYTE, node),
              "MPI_Allgather");
    bool good = true;
    for (int other = 0; other < size && good; ++other) {
      const auto& theirs = tickets[static_cast<std::size_t>(other)];
      auto& place = arena->bases_[static_cast<std::size_t>(other)];
      if (other != rank && theirs.valid != 0) place = map_ticket(theirs, bytes);
      good = place != nullptr;
    }
    good = all_of(node, good);
    if (open_file == open_named && arena->file_ >= 0) unlink(mine.path);
    if (good) {
      arena->free_[page] = bytes - page;
      return arena;
    }
  }
  return nullptr;
}

node_arena::~node_arena() {
  for (std::byte* base : bases_)
    if (base != nullptr && (!ranks_share_a_process || users_of(base).fetch_sub(1) == 1)) munmap(base, bytes_);
  if (file_ >= 0) close(file_);
}

bool node_arena::commit(std::size_t offset, std::size_t bytes) noexcept {
  const std::size_t first = offset / page * page;
  const std::size_t last = round_up(offset + bytes, page);
  int status = 0;
  do status = fallocate(file_, 0, static_cast<off_t>(first), static_cast<off_t>(last - first));
  while (status != 0 && errno == EINTR);
  return status == 0;
}

void* node_arena::allocate(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(guard_);
  std::erase_if(retired_, [this](const retired& r) {
    if (!r.released()) return false;
    deallocate_locked(r.pointer);
    return true;
  });
  bytes = round_up(bytes == 0 ? 1 : bytes, 64);
  if (bytes >= large_page) alignment = std::max(alignment, large_page);
  if (alignment < 64) alignment = 64;
  for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
    const auto [offset, space] = *hole;
    const std::size_t start = round_up(offset, alignment);
    if (start - offset + bytes > space) continue;
    if (bytes >= large_page) madvise(bases_[static_cast<std::size_t>(mine_)] + start, bytes, MADV_HUGEPAGE);
    if (!commit(start, bytes)) break;
    free_.erase(hole);
    if (start > offset) free_[offset] = start - offset;
    if (start + bytes < offset + space) free_[start + bytes] = offset + space - start - bytes;
    allocated_[start] = bytes;
    used_ += bytes;
    std::byte* memory = address(mine_, start);
    if (bytes < large_page) std::memset(memory, 0, bytes);  // larger pieces are returned to the system when freed
    return memory;
  }
  throw error(error_kind::resource, "node_arena::allocate",
              text("no node-shared memory left for ", bytes, " bytes (", used_, " in use of ", bytes_,
                   " reserved; see WHERRY_ARENA_SIZE and the machine's shared-memory limit)"));
}

void node_arena::deallocate(void* pointer) noexcept {
  const std::lock_guard lock(guard_);
  deallocate_locked(pointer);
}

void node_arena::retire(void* pointer, std::function<bool()> released) {
  const std::lock_guard lock(guard_);
  retired_.push_back({pointer, std::move(released)});
}

void node_arena::deallocate_locked(void* pointer) noexcept {
  if (pointer == nullptr) return;
  const auto offset = offset_of(pointer);
  if (!offset) return;
  const auto found = allocated_.find(*offset);
  if (found == allocated_.end()) return;
  auto [start, bytes] = *found;
  allocated_.erase(found);
  used_ -= bytes;
  if (bytes >= large_page) {
    const std::size_t whole = bytes / page * page;
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(start), static_cast<off_t>(whole));
    if (whole < bytes) std::memset(address(mine_, start + whole), 0, bytes - whole);
  }
  auto next = free_.lower_bound(start);
  if (next != free_.end() && next->first == start + bytes) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += bytes;
      return;
    }
  }
  free_[start] = bytes;
}

std::optional<std::size_t> node_arena::offset_of(const void* pointer) const noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto base = reinterpret_cast<std::uintptr_t>(bases_[static_cast<std::size_t>(mine_)]);
  if (address < base || address >= base + bytes_) return std::nullopt;
  return address - base;
}

}  // namespace wherry
