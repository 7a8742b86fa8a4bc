// A move of particles from its start to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/particles/particle_exchange.hpp"
#include "wherry/sparse/detail/byte_exchange.hpp"

#include "leaver_finder.hpp"
#include "rearrange.hpp"
#include "rows.hpp"
#include "territory.hpp"

namespace wherry::particles {

/// The bytes that arrive. Its memory is kept.
struct arrival_buffer {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t capacity = 0, used = 0;
  std::size_t element = 1;
  bool has_failed = false;  ///< there was no memory
  std::vector<int> ranks;
  std::vector<std::size_t> offsets;

  std::byte* resize(std::size_t elements);
};

class migration {
 public:
  migration(std::shared_ptr<territory> ground, const particle_options& options);

  void begin(const particle_call& call);
  bool test();
  particle_move wait();
  std::vector<index_t> permutation() const;

  const std::shared_ptr<territory>& ground() const { return ground_; }
  int owner_of(const position& x) const;
  /// The cell of a position, which may be beyond a periodic edge; none if it is outside.
  std::optional<cell> cell_of(position x) const;

 private:
  void take(const particle_call& call);
  void measure_values();
  wherry::detail::sparse_elements elements_of_rows() const;
  std::size_t units_of(std::size_t leaver) const;
  void start_exchange(const std::optional<error>& fault);
  void count_and_pack();
  void pack();
  void gather_rows();
  void pack_values(std::byte* room);
  void correct(std::byte* row) const;

  template <class Step> bool run_or_end(Step&& step);
  void prepare();
  void apply();
  void find_rows();
  void make_room();
  void collect_values(std::size_t lengths);
  std::uint64_t hash_of_particle(std::size_t i, bool corrects);
  std::uint64_t hash_of_staying();
  void compare_hashes(std::uint64_t before);
  const std::byte* row_of_arrival(std::size_t k) const { return arrivals_->bytes.get() + row_places_[k]; }

  std::shared_ptr<territory> ground_;
  particle_options options_;
  sparse_options sparse_;
  leaver_finder finder_;

  std::vector<particle_column> columns_;
  std::vector<std::vector<std::size_t>>
      values_begin_;  // for each column of lengths: where the values of each particle begin
  row_layout layout_;
  particle_call call_;  // without its columns
  std::size_t count_ = 0;
  leaver_list leaving_;

  wherry::detail::byte_exchange exchange_;
  bool under_way_ = false, has_arrived_ = false, has_moved_ = false;
  std::shared_ptr<arrival_buffer> arrivals_;
  std::vector<std::size_t> row_places_;  // of the particles that leave, then of those that arrive
  new_order order_;
  std::vector<index_t> sources_;
  std::vector<std::vector<std::byte>>
      new_values_;  // for each column of lengths: the values of the particles from the first that changes on
  std::vector<std::byte> rows_;  // of the particles that leave, one after the other, without their values
  std::size_t gathered_ = 0;     // number of rows
  std::vector<std::byte> scratch_;
  std::uint64_t hash_of_leaving_ = 0, hash_before_ = 0;
};

}  // namespace wherry::particles
