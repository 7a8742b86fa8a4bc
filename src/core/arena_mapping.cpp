#include "arena_mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "wherry/core/mpi.hpp"

#include "arena_layout.hpp"
#include "plain_file.hpp"
#include "random_bits.hpp"

namespace wherry {
namespace {

int open_file(arena_file form, arena_ticket& mine) {
  const int pid = static_cast<int>(getpid());
  if (form == arena_file::anonymous) {
    const int file = memfd_create("wherry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0) std::snprintf(mine.path, sizeof mine.path, "/proc/%d/fd/%d", pid, file);
    return file;
  }
  std::snprintf(mine.path, sizeof mine.path, "/dev/shm/wherry-%d-%016llx", pid,
                static_cast<unsigned long long>(mine.nonce));
  return open(mine.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

std::byte* map_file(int file, std::size_t bytes) {
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

bool is_too_large(int reason) { return reason == ENOMEM || reason == EFBIG || reason == ENOSPC || reason == EINVAL; }

/// Ranks of one process share one mapping of an arena, and the last of them removes it. A mapping for each pair of
/// ranks would be more than a process may have.
std::atomic<int>& users_of(std::byte* base) {
  return *std::launder(reinterpret_cast<std::atomic<int>*>(base + arena_layout::users));
}

/// The existing mappings, by nonce.
struct known_mappings {
  std::mutex guard;
  std::map<std::uint64_t, std::weak_ptr<const arena_mapping>> by_nonce;

  std::shared_ptr<const arena_mapping> find(std::uint64_t nonce) const {
    const auto found = by_nonce.find(nonce);
    return found == by_nonce.end() ? nullptr : found->second.lock();
  }
  void keep(std::uint64_t nonce, const std::shared_ptr<const arena_mapping>& mapping) {
    std::erase_if(by_nonce, [](const auto& entry) { return entry.second.expired(); });
    by_nonce[nonce] = mapping;
  }
};

known_mappings& known() {
  static known_mappings all;
  return all;
}

mapped_neighbor failed(arena_success how, std::string why) { return {nullptr, how, std::move(why)}; }

}  // namespace

arena_mapping::arena_mapping(std::byte* base, std::size_t bytes, bool adopted) noexcept : base_(base), bytes_(bytes) {
  if (adopted)
    users_of(base).fetch_add(1);
  else if (detail::ranks_share_a_process)
    new (base + arena_layout::users) std::atomic<int>(1);
}

arena_mapping::~arena_mapping() {
  if (!detail::ranks_share_a_process || users_of(base_).fetch_sub(1) == 1) munmap(base_, bytes_);
}

arena_owned_file::arena_owned_file(arena_file form, std::size_t bytes) : form_(form) {
  ticket_.nonce = random_bits();
  if (!fits_file_limit(static_cast<std::int64_t>(bytes))) {
    success_ = arena_success::too_large;
    failure_ = detail::text(bytes, " bytes are more than a file may have here (ulimit -f)");
    return;
  }
  const char* failed_call = open_and_map(bytes);
  if (failed_call != nullptr) {
    const int reason = errno;
    success_ = is_too_large(reason) ? arena_success::too_large : arena_success::impossible;
    failure_ = detail::text(failed_call, ": ", std::strerror(reason));
    return;
  }
  success_ = arena_success::done;
  const std::lock_guard lock(known().guard);
  known().keep(ticket_.nonce, mapping_);
}

/// Returns the name of the call that failed, or null.
const char* arena_owned_file::open_and_map(std::size_t bytes) {
  file_ = open_file(form_, ticket_);
  if (file_ < 0) return form_ == arena_file::anonymous ? "memfd_create" : "open in /dev/shm";
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) return "ftruncate";
  // Any process of this user can open the file. The seal keeps it from shortening the file under the processes that
  // have mapped it.
  if (form_ == arena_file::anonymous) fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  if (fallocate(file_, 0, 0, arena_layout::page) != 0) return "fallocate";
  if (pwrite(file_, &ticket_.nonce, sizeof ticket_.nonce, 0) != sizeof ticket_.nonce) return "pwrite";
  std::byte* base = map_file(file_, bytes);
  if (base == nullptr) return "mmap";
  mapping_ = std::make_shared<arena_mapping>(base, bytes, false);
  ticket_.bytes = bytes;
  ticket_.base = base;
  return nullptr;
}

void arena_owned_file::forget_name() noexcept {
  if (form_ == arena_file::named && file_ >= 0) unlink(ticket_.path);
}

arena_owned_file::~arena_owned_file() {
  if (file_ >= 0) close(file_);
}

mapped_neighbor map_ticket(const arena_ticket& theirs) {
  if (theirs.bytes == 0) return failed(arena_success::impossible, {});  // its owner gives the reason
  const std::lock_guard lock(known().guard);
  if (auto mapping = known().find(theirs.nonce)) return {std::move(mapping), arena_success::done, {}};
  std::shared_ptr<const arena_mapping> mapping;
  if constexpr (detail::ranks_share_a_process) {
    mapping = std::make_shared<arena_mapping>(theirs.base, theirs.bytes, true);
  } else {
    const int file = open(theirs.path, O_RDWR | O_CLOEXEC);
    if (file < 0)
      return failed(arena_success::impossible, detail::text("cannot open ", theirs.path, ": ", std::strerror(errno)));
    std::uint64_t nonce = 0;
    const bool genuine = pread(file, &nonce, sizeof nonce, 0) == sizeof nonce && nonce == theirs.nonce;
    std::byte* base = genuine ? map_file(file, theirs.bytes) : nullptr;
    const int reason = errno;
    close(file);
    if (!genuine)
      return failed(arena_success::impossible, detail::text(theirs.path, " is the file of another process here"));
    if (base == nullptr)
      return failed(is_too_large(reason) ? arena_success::too_large : arena_success::impossible,
                    detail::text("mmap: ", std::strerror(reason)));
    mapping = std::make_shared<arena_mapping>(base, theirs.bytes, false);
  }
  known().keep(theirs.nonce, mapping);
  return {mapping, arena_success::done, {}};
}

}  // namespace wherry
