// The allocator of one rank's arena. No MPI; thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "wherry/core/node_arena.hpp"

#include "arena_mapping.hpp"
#include "page_ranges.hpp"

namespace wherry {

/// Memory is committed when it is allocated: a full file system, and memory that the machine or its control group do
/// not have, are an `error` here, and never a signal later. In a child of fork(), which has the same memory, nothing is
/// allocated or freed.
class arena_heap {
 public:
  /// @param file one that was a success
  /// @param asked what WHERRY_ARENA_SIZE said
  /// @param cut whether it has less than what was wanted; @param why if so
  arena_heap(std::unique_ptr<arena_owned_file> file, std::size_t asked, bool cut, std::string why);

  std::size_t asked() const noexcept { return asked_; }
  arena_owned_file& file() const noexcept { return *file_; }
  const std::shared_ptr<const arena_mapping>& mapping() const noexcept { return file_->mapping(); }
  std::size_t used() const;
  bool is_cut() const noexcept { return cut_; }
  const std::string& why_cut() const noexcept { return why_cut_; }

  /// A number that no other user of this heap has had.
  std::uint64_t new_owner();
  /// `owner` is who gives it back in the end.
  /// @throws error(resource) that names the figures; error(state) in a child of fork().
  void* allocate(std::size_t bytes, std::size_t alignment, std::uint64_t owner, arena_contents what,
                 const thread_team& touched_by = {});
  void deallocate(void* pointer) noexcept;
  /// Deallocates, and lets go of `keep`, at the first allocation at which `released()` is true.
  void retire(void* pointer, std::function<bool()> released, std::shared_ptr<const void> keep);
  /// The same for all that this owner still has, retired or not.
  void retire_all_of(std::uint64_t owner, std::function<bool()> released);
  /// Does anything last here, besides the memory itself, until all ranks have left an owner's communicator?
  bool keeps_for_others();

  /// As of `node_arena`.
  bool has_had(std::size_t place, std::uint64_t since) const;

 private:
  struct piece {
    std::size_t bytes = 0;
    std::uint64_t owner = 0;
    std::uint64_t made = 0;  // after so many frees
  };
  struct retired {
    std::vector<std::size_t> places;
    std::function<bool()> released;
    std::vector<std::shared_ptr<const void>> kept;
  };
  std::size_t end() const noexcept { return mapping()->bytes(); }
  std::byte* at(std::size_t place) const noexcept { return mapping()->base() + place; }
  void* take(std::size_t hole, std::size_t start, std::size_t bytes, std::uint64_t owner, arena_contents what,
             const thread_team& touched_by);
  void commit(std::size_t start, std::size_t bytes, const thread_team& touched_by);
  int commit_by(const thread_team& team, std::size_t first, std::size_t last);
  void free_place(std::size_t place) noexcept;
  void give_back(std::size_t first, std::size_t last) noexcept;
  void keep_at_most(std::size_t bytes) noexcept;
  bool may_keep(std::size_t bytes) const noexcept;
  [[nodiscard]] std::vector<retired> free_released();
  [[noreturn]] void fail(std::size_t bytes, std::string_view why) const;

  std::unique_ptr<arena_owned_file> file_;
  std::size_t asked_, used_ = 0;
  bool cut_;
  std::string why_cut_;
  page_ranges committed_;      // made by the system at some time: nobody knows what is in those that are free
  page_ranges kept_;           // of those, what large pieces that are free had
  std::size_t unchecked_ = 0;  // committed since the machine was asked how much it has
  std::uint64_t owners_ = 0;
  mutable std::mutex guard_;
  std::vector<retired> retired_;
  std::map<std::size_t, std::size_t> free_;  // place → bytes, never touching one another
  std::map<std::size_t, piece> allocated_;
};

}  // namespace wherry
