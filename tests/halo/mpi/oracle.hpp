// The oracle of the halo tests: knows every cell's global value, and finds out by plain arithmetic on global indices
// which cell of the whole domain each cell of an array stands for. Uses nothing of wherry's geometry or plans.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halo/mpi/case.hpp"

namespace wherry_test {

// One array: cells of `shape`, its memory with guards on both sides, and what it must look like after the exchange.
class checked_field {
 public:
  checked_field(const halo_case& what, std::size_t field, int subdomain, const wherry::communicator& comm);

  wherry::halo_field description() const;
  void* data() const { return (on_device_ ? on_device_.get() : memory_.get()) + origin_; }

  // What follows is of the host; a field on a device has an image there.
  void to_device() const;
  void from_device() const;

  // Core: the global values of this round. All else: bytes that depend on the address alone.
  void fill(int round);
  // Every byte of the allocation, as if it were not there.
  void overwrite(int round);
  // From now on the halo cells are to have the values of this round.
  void expect_halo(int round);

  // Compares every byte of the allocation; the text of the first difference, or nothing.
  std::optional<std::string> difference() const;

  // Visits the array's cells: (index in the array, bytes from the element 0, …, 0).
  void for_each_cell(const std::function<void(const cell&, long)>& visit) const;
  // The same for halo cells that a neighbour fills only, with the cell of the whole domain that they are copies of.
  void for_each_halo_cell(const std::function<void(const cell&, long offset, const cell& global)>& visit) const;
  void for_each_core_cell(const std::function<void(const cell&, long offset, const cell& global)>& visit) const;

  std::byte* at(long offset) { return memory_.get() + origin_ + offset; }
  std::byte* expected_at(long offset) { return expected_.data() + origin_ + offset; }

 private:
  enum class role { core, halo, untouched };
  role classify(const cell& place, cell& global) const;
  std::string describe(long offset) const;

  const halo_case& what_;
  std::size_t field_;
  int subdomain_, rank_;
  std::array<int, most_dimensions> place_{};
  cell core_{}, first_{}, whole_{};  // cells here, global index of the first one, cells of the whole axis
  cell length_{}, stride_{};         // of the array; stride in bytes
  long origin_ = 0, bytes_ = 0;
  wherry::memory_space space_ = wherry::memory_space::host;
  std::shared_ptr<std::byte> memory_, on_device_;
  std::vector<std::byte> expected_;
};

// One byte of one global cell's value.
std::byte value_of(std::size_t field, const cell& global, int round, long byte);

// All fields of a case on one rank.
class checked_fields {
 public:
  checked_fields(const halo_case& what, const wherry::communicator& comm);

  std::vector<std::vector<wherry::halo_field>> descriptions() const;
  // The table of a bound exchange. A rank outside a grid has pointers, too, to nothing.
  std::vector<void*> table() const;
  void each(const std::function<void(checked_field&)>& act);
  // Reports the first difference, with the case's text. True when there is none.
  bool check(const std::string& title) const;

 private:
  const halo_case& what_;
  std::vector<std::vector<checked_field>> fields_;
};

// Binds the case's exchange for these fields. Ranks outside the grid pass fields without cells.
wherry::halo_exchange bind(const halo_case& what, MPI_Comm comm, const checked_fields& fields);

}  // namespace wherry_test
