#include "notify/contenders.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

#include "wherry/wherry.hpp"

namespace bench::notify {
namespace {

using flag = std::atomic<std::uint32_t>;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// A window of the two ranks, in which each rank sees both parts.
class two_rank_window {
 public:
  two_rank_window(MPI_Comm comm, std::size_t bytes) {
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm, &mine_, &window_);
    std::memset(static_cast<void*>(mine_), 0, bytes);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 1 - rank, &size, &unit, &theirs_);
    MPI_Barrier(comm);
  }
  two_rank_window(const two_rank_window&) = delete;
  two_rank_window& operator=(const two_rank_window&) = delete;
  ~two_rank_window() { MPI_Win_free(&window_); }

  std::byte* mine() const { return mine_; }
  std::byte* theirs() const { return theirs_; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte *mine_ = nullptr, *theirs_ = nullptr;
};

/// A window from MPI_Win_allocate, which stays locked.
class put_window {
 public:
  put_window(MPI_Comm comm, std::size_t bytes) {
    MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm, &memory_, &window_);
    std::memset(static_cast<void*>(memory_), 0, bytes);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    MPI_Barrier(comm);
  }
  put_window(const put_window&) = delete;
  put_window& operator=(const put_window&) = delete;
  ~put_window() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  std::byte* memory() const { return memory_; }
  MPI_Win handle() const { return window_; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* memory_ = nullptr;
};

constexpr std::size_t line = 64;

struct by_hand {
  by_hand(MPI_Comm comm, std::size_t length) : window(comm, line + length), bytes(length) {}
  void send(const std::byte* out) {
    std::memcpy(window.theirs() + line, out, bytes);
    reinterpret_cast<flag*>(window.theirs())->store(++sent, std::memory_order_release);
  }
  const std::byte* receive() {
    ++received;
    while (reinterpret_cast<flag*>(window.mine())->load(std::memory_order_acquire) != received) pause();
    return window.mine() + line;
  }
  two_rank_window window;
  std::size_t bytes;
  std::uint32_t sent = 0, received = 0;
};

/// The limit for data that is copied out: two copies, in pieces, so that they overlap.
struct pieces_by_hand {
  static constexpr std::size_t piece = 8192;
  pieces_by_hand(MPI_Comm comm, std::size_t length) : window(comm, line + length), own(length) {}
  void send(const std::byte* out) {
    for (std::size_t at = 0; at < own.size(); at += piece) {
      std::memcpy(window.theirs() + line + at, out + at, std::min(piece, own.size() - at));
      reinterpret_cast<flag*>(window.theirs())->store(++sent, std::memory_order_release);
    }
  }
  const std::byte* receive() {
    for (std::size_t at = 0; at < own.size(); at += piece) {
      ++received;
      while (static_cast<std::int32_t>(reinterpret_cast<flag*>(window.mine())->load(std::memory_order_acquire) -
                                       received) < 0)
        pause();
      std::memcpy(own.data() + at, window.mine() + line + at, std::min(piece, own.size() - at));
    }
    return own.data();
  }
  two_rank_window window;
  std::vector<std::byte> own;
  std::uint32_t sent = 0, received = 0;
};

struct by_put {
  by_put(MPI_Comm comm, int other, std::size_t length) : window(comm, line + length), peer(other), bytes(length) {}
  void send(const std::byte* out) {
    const int count = static_cast<int>(bytes);
    MPI_Put(out, count, MPI_BYTE, peer, line, count, MPI_BYTE, window.handle());
    MPI_Win_flush(peer, window.handle());
    ++sent;
    MPI_Put(&sent, 1, MPI_UINT32_T, peer, 0, 1, MPI_UINT32_T, window.handle());
    MPI_Win_flush(peer, window.handle());
  }
  const std::byte* receive() {
    ++received;
    for (int polls = 0; reinterpret_cast<flag*>(window.memory())->load(std::memory_order_acquire) != received;
         ++polls) {
      pause();
      if (polls % 16 != 0) continue;
      int found = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);  // some MPIs put only in MPI calls
    }
    return window.memory() + line;
  }
  put_window window;
  int peer;
  std::size_t bytes;
  std::uint32_t sent = 0, received = 0;
};

}  // namespace

std::vector<means> all_means(MPI_Comm comm, std::size_t bytes) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const int peer = 1 - rank;
  std::vector<means> all;
  const auto buffer = std::make_shared<std::vector<std::byte>>(bytes);  // memory of the user's

  const auto shared = std::make_shared<wherry::segment<std::byte>>(comm, bytes);
  const auto send = [=](const std::byte* out) { shared->write_notify(peer, 0, {out, bytes}, 0); };
  all.push_back({"wherry in place", send, [=] {
                   shared->wait(0);
                   return static_cast<const std::byte*>(shared->mine().data());
                 }});
  const auto send_pieces = [=](const std::byte* out) { shared->write_in_pieces(peer, 0, {out, bytes}, 0); };
  all.push_back({"wherry copied out", send_pieces, [=] {
                   shared->copy_out(0, *buffer, 0);
                   return static_cast<const std::byte*>(buffer->data());
                 }});
  const auto own = std::make_shared<std::vector<std::byte>>(bytes);
  const auto users = std::make_shared<wherry::segment<std::byte>>(comm, std::span(*own));
  all.push_back({"wherry, user's by staging",
                 [=](const std::byte* out) { users->write_notify(peer, 0, {out, bytes}, 0); },
                 [=] {
                   users->wait(0);
                   return static_cast<const std::byte*>(own->data());
                 }});
  const auto same = std::make_shared<std::vector<std::byte>>(bytes);
  const auto usual = std::to_string(wherry::current_settings().staged_write);
  wherry::configure("staged_write", "0");
  const auto direct = std::make_shared<wherry::segment<std::byte>>(comm, std::span(*same));
  wherry::configure("staged_write", usual);
  all.push_back({"wherry, user's by kernel",
                 [=](const std::byte* out) { direct->write_notify(peer, 0, {out, bytes}, 0); },
                 [=] {
                   direct->wait(0);
                   return static_cast<const std::byte*>(same->data());
                 }});
  const auto hand = std::make_shared<by_hand>(comm, bytes);
  all.push_back(
      {"shared window by hand", [=](const std::byte* out) { hand->send(out); }, [=] { return hand->receive(); }});
  const auto copied = std::make_shared<pieces_by_hand>(comm, bytes);
  all.push_back(
      {"by hand, copied out", [=](const std::byte* out) { copied->send(out); }, [=] { return copied->receive(); }});
  const auto put = std::make_shared<by_put>(comm, peer, bytes);
  all.push_back({"put, flush, flag", [=](const std::byte* out) { put->send(out); }, [=] { return put->receive(); }});
  const int count = static_cast<int>(bytes);
  all.push_back({"send, recv", [=](const std::byte* out) { MPI_Send(out, count, MPI_BYTE, peer, 1, comm); },
                 [=] {
                   MPI_Recv(buffer->data(), count, MPI_BYTE, peer, 1, comm, MPI_STATUS_IGNORE);
                   return static_cast<const std::byte*>(buffer->data());
                 }});
  return all;
}

std::vector<burst> all_bursts(MPI_Comm comm, int words) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const bool first = rank == 0;
  const auto n = static_cast<std::size_t>(words);
  std::vector<burst> all;

  const auto segment = std::make_shared<wherry::segment<std::uint64_t>>(comm, n, wherry::segment_options{words + 1});
  all.push_back({"wherry", [=] {
                   if (first) {
                     for (int i = 0; i < words; ++i) {
                       const auto value = static_cast<std::uint64_t>(i);
                       segment->write_notify(1, static_cast<std::size_t>(i), {&value, 1}, i);
                     }
                     segment->wait(words);
                   } else {
                     for (int i = 0; i < words; ++i) segment->wait(i);
                     segment->notify(0, words);
                   }
                 }});
  const auto window = std::make_shared<two_rank_window>(comm, (n + 1) * (sizeof(std::uint64_t) + sizeof(flag)));
  all.push_back({"release stores by hand", [=] {
                   const auto flags = [n](std::byte* base) {
                     return reinterpret_cast<flag*>(base + (n + 1) * sizeof(std::uint64_t));
                   };
                   const auto await = [](flag& f) {
                     while (f.load(std::memory_order_acquire) == 0) pause();
                     f.store(0, std::memory_order_relaxed);
                   };
                   if (first) {
                     for (std::size_t i = 0; i < n; ++i) {
                       const auto value = static_cast<std::uint64_t>(i);
                       std::memcpy(window->theirs() + i * sizeof value, &value, sizeof value);
                       flags(window->theirs())[i].store(1, std::memory_order_release);
                     }
                     await(flags(window->mine())[n]);
                   } else {
                     for (std::size_t i = 0; i < n; ++i) await(flags(window->mine())[i]);
                     flags(window->theirs())[n].store(1, std::memory_order_release);
                   }
                 }});
  const auto received = std::make_shared<std::vector<std::uint64_t>>(n);
  all.push_back({"isend, irecv", [=] {
                   std::vector<MPI_Request> requests(n);
                   for (std::size_t i = 0; i < n; ++i) {
                     auto& value = (*received)[i];
                     if (first)
                       MPI_Isend(&value, 1, MPI_UINT64_T, 1, 2, comm, &requests[i]);
                     else
                       MPI_Irecv(&value, 1, MPI_UINT64_T, 0, 2, comm, &requests[i]);
                   }
                   MPI_Waitall(words, requests.data(), MPI_STATUSES_IGNORE);
                   if (first)
                     MPI_Recv(nullptr, 0, MPI_BYTE, 1, 3, comm, MPI_STATUS_IGNORE);
                   else
                     MPI_Send(nullptr, 0, MPI_BYTE, 0, 3, comm);
                 }});
  return all;
}

}  // namespace bench::notify
