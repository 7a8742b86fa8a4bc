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

/// Memory is committed when it is allocated, so that a full file system, or too little memory in the machine or its
/// control group, is an `error` here and never a signal later. A child of fork(), which has the same memory, allocates
/// and frees nothing.
class arena_heap {
 public:
  /// @param file must be one whose `success()` is `done`
  /// @param asked the value of WHERRY_ARENA_SIZE
  /// @param cut the file is smaller than was wanted, for the reason `why`
  arena_heap(std::unique_ptr<arena_owned_file> file, std::size_t asked, bool cut, std::string why);

  std::size_t asked() const noexcept { return asked_; }
  arena_owned_file& file() const noexcept { return *file_; }
  const std::shared_ptr<const arena_mapping>& mapping() const noexcept { return file_->mapping(); }
  std::size_t used() const;
  bool is_cut() const noexcept { return cut_; }
  const std::string& why_cut() const noexcept { return why_cut_; }

  /// A number that no other user of this heap has had.
  std::uint64_t new_owner();
  /// @param owner the owner for which `retire_all_of` later gives the memory back
  /// @throws error(resource) that names the figures; error(state) in a child of fork()
  void* allocate(std::size_t bytes, std::size_t alignment, std::uint64_t owner, detail::arena_contents what,
                 const thread_team& touched_by = {});
  void deallocate(void* pointer) noexcept;
  /// Deallocates `pointer` and destroys `keep` at the first allocation at which `released()` is true.
  void retire(void* pointer, std::function<bool()> released, std::shared_ptr<const void> keep);
  /// Does the same for everything that this owner still has, retired or not.
  void retire_all_of(std::uint64_t owner, std::function<bool()> released);
  /// True if an entry keeps something else than memory of the arena until all ranks have left the communicator of an
  /// owner.
  bool keeps_for_others();

  /// See `node_arena::has_had`.
  bool has_had(std::size_t place, std::uint64_t since) const;

 private:
  struct piece {
    std::size_t bytes = 0;
    std::uint64_t owner = 0;
    std::uint64_t made = 0;  // the number of frees when it was made
  };
  struct retired {
    std::vector<std::size_t> places;
    std::function<bool()> released;
    std::vector<std::shared_ptr<const void>> kept;
  };
  std::size_t end() const noexcept { return mapping()->bytes(); }
  std::byte* at(std::size_t place) const noexcept { return mapping()->base() + place; }
  void* take(std::size_t hole, std::size_t start, std::size_t bytes, std::uint64_t owner, detail::arena_contents what,
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
  page_ranges committed_;      // pages that the system has made; the contents of free ones are not known
  page_ranges kept_;           // those of them that belonged to large pieces, which are free now
  std::size_t unchecked_ = 0;  // bytes committed since the free memory of the machine was last looked up
  std::uint64_t owners_ = 0;
  mutable std::mutex guard_;
  std::vector<retired> retired_;
  std::map<std::size_t, std::size_t> free_;  // place → bytes; no two pieces touch each other
  std::map<std::size_t, piece> allocated_;
};

}  // namespace wherry
