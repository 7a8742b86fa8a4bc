// Segments over every kind of memory, on communicators cut into nodes of 1, 2 and all ranks.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/notify/segment.hpp"

#include "support/case_runner.hpp"

namespace wherry_test {

enum class memory_kind { ours, users, users_by_put, users_unstaged, users_by_put_unstaged, piece_of_ours, window };
inline constexpr memory_kind all_kinds[] = {memory_kind::ours,
                                            memory_kind::users,
                                            memory_kind::users_by_put,
                                            memory_kind::users_unstaged,
                                            memory_kind::users_by_put_unstaged,
                                            memory_kind::piece_of_ours,
                                            memory_kind::window};
inline const char* name_of(memory_kind kind) {
  constexpr const char* names[] = {"our memory",
                                   "the user's memory",
                                   "the user's memory, long by MPI_Put",
                                   "the user's memory through the kernel",
                                   "the user's memory by MPI_Put",
                                   "a piece of our memory",
                                   "a shared window"};
  return names[static_cast<int>(kind)];
}

// A segment and the memory under it, which outlives it. A window by MPI needs ranks that share memory: the node's.
template <class T> class made_segment {
 public:
  made_segment(MPI_Comm comm, memory_kind kind, std::size_t elements, int notifications = 64) : comm_(comm) {
    const bool by_put = kind == memory_kind::users_by_put || kind == memory_kind::users_by_put_unstaged;
    const bool unstaged = kind == memory_kind::users_unstaged || kind == memory_kind::users_by_put_unstaged;
    const wherry::segment_options options{.notifications = notifications, .ways = {.through_kernel = !by_put}};
    std::optional<setting> without_staging;
    if (unstaged) without_staging.emplace("staged_write", "0", "4K");
    const wherry::communicator ours(comm);
    switch (kind) {
      case memory_kind::ours:
        segment_.emplace(ours, elements, options);
        break;
      case memory_kind::users:
      case memory_kind::users_by_put:
      case memory_kind::users_unstaged:
      case memory_kind::users_by_put_unstaged:
        users_.resize(elements);
        segment_.emplace(ours, std::span<T>(users_), options);
        break;
      case memory_kind::piece_of_ours:
        piece_ = wherry::node_memory(ours, elements * sizeof(T) + 64);
        segment_.emplace(ours, std::span<T>(reinterpret_cast<T*>(piece_.data()), elements), options);
        break;
      case memory_kind::window: {
        MPI_Comm node = MPI_COMM_NULL;
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
        void* base = nullptr;
        MPI_Win_allocate_shared(static_cast<MPI_Aint>(elements * sizeof(T)), sizeof(T), MPI_INFO_NULL, node,
                                static_cast<void*>(&base), &window_);
        if (elements != 0) std::memset(base, 0, elements * sizeof(T));
        MPI_Comm_free(&node);
        segment_.emplace(ours, wherry::shared_window{window_}, options);
      }
    }
  }
  ~made_segment() {
    segment_.reset();
    if (window_ == MPI_WIN_NULL) return;
    MPI_Barrier(comm_);  // the window outlives the segment on all ranks
    MPI_Win_free(&window_);
  }
  made_segment(const made_segment&) = delete;
  made_segment& operator=(const made_segment&) = delete;

  wherry::segment<T>* operator->() { return &*segment_; }
  wherry::segment<T>& operator*() { return *segment_; }

 private:
  MPI_Comm comm_;
  std::vector<T> users_;
  wherry::node_memory piece_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::optional<wherry::segment<T>> segment_;
};

inline void for_each_memory(const context& test, const std::function<void(MPI_Comm, memory_kind)>& body) {
  const node_communicators nodes(test.comm);
  for (std::size_t cut = 0; cut < nodes.list().size(); ++cut)
    for (const auto kind : all_kinds) {
      test.note(std::string(name_of(kind)) + ", communicator " + std::to_string(cut));
      body(nodes.list()[cut], kind);
    }
}

}  // namespace wherry_test
