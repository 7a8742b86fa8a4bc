// Every operation of Wherry's on every type of number, where halos and lists combine what arrives: on the host or on a
// device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/every_reduction.hpp"
#include "support/random.hpp"

namespace wherry_test {

template <class T> class update_trial {
 public:
  static constexpr wherry::index_t cells = 40, width = 13, all = cells + 2 * width;

  update_trial(const context& test, operation what, std::string transport, wherry::memory_space where)
      : test_(test), what_(what), transport_(std::move(transport)), where_(where) {
    if (where == wherry::memory_space::device) on_device_ = wherry::make_on_device<T>(all);
  }

  // A ring of rows: what stands in the neighbours' halos comes back into the cells at both ends.
  void of_halos() {
    const wherry::process_grid grid(test_.comm, {.periodic = {true}});
    begin();
    wherry::halo_options how{.reverse = true, .update = reduction_of<T>(what_)};
    how.carry.transport = transport_;
    wherry::halo_exchange(grid, how, wherry::halo_inside(view(), width))();
    for (wherry::index_t i = 0; i < width; ++i) combine(width + i, before(), width + cells + i);
    for (wherry::index_t i = 0; i < width; ++i) combine(cells + i, after(), i);
    compare("halo");
  }

  // Every element but the last `width` ones is the next rank's ghost, with another element's place in between.
  void of_lists() {
    const wherry::communicator comm(test_.comm);
    std::vector<wherry::index_t> owners, ghosts;
    for (wherry::index_t i = 0; i < width; ++i) owners.push_back(3 * i), ghosts.push_back(all - 1 - i);
    begin();
    wherry::index_options how{.reverse = true};
    how.update = reduction_of<T>(what_);
    how.carry.transport = transport_;
    wherry::index_exchange(comm, wherry::index_lists{{{after(), owners}}, {{before(), ghosts}}}, how, view())();
    for (std::size_t i = 0; i < owners.size(); ++i) combine(owners[i], after(), ghosts[i]);
    compare("list");
  }

 private:
  int before() const { return (test_.rank + test_.size - 1) % test_.size; }
  int after() const { return (test_.rank + 1) % test_.size; }
  T first_value(int rank, wherry::index_t place) const {
    return number_for<T>(what_, hash(test_.seed, rank, place), static_cast<std::size_t>(place));
  }
  T& at(std::vector<T>& row, wherry::index_t place) const { return row[static_cast<std::size_t>(place)]; }
  void combine(wherry::index_t place, int rank, wherry::index_t there) {
    at(expected_, place) = worked_out(what_, at(expected_, place), first_value(rank, there));
  }
  void begin() {
    row_.resize(all);
    for (wherry::index_t i = 0; i < all; ++i) at(row_, i) = first_value(test_.rank, i);
    expected_ = row_;
    if (on_device_) wherry::copy_on_device(on_device_.get(), row_.data(), all * sizeof(T));
  }
  wherry::view<T, 1> view() {
    return {on_device_ ? on_device_.get() : row_.data(), wherry::point<1>{all}, wherry::fortran_layout<1>(), where_};
  }
  void compare(const std::string& pattern) {
    if (on_device_) wherry::copy_on_device(row_.data(), on_device_.get(), all * sizeof(T));
    pass();
    for (wherry::index_t i = 0; i < all; ++i)
      if (at(row_, i) != at(expected_, i)) {
        FAIL(pattern + " over " + transport_ + ", " + std::string(name_of(what_)) + " of " +
             to_string(wherry::plans::element_of<T>()) + ": element " + std::to_string(i) + " is " + show(at(row_, i)) +
             ", should be " + show(at(expected_, i)));
        return;
      }
  }

  const context& test_;
  operation what_;
  std::string transport_;
  wherry::memory_space where_;
  std::shared_ptr<T[]> on_device_;
  std::vector<T> row_, expected_;
};

// Every type and operation, each with the next of the transports.
inline void every_update(const context& test, const std::vector<std::string>& transports, wherry::memory_space where) {
  std::size_t turn = 0;
  for_every_type([&]<class T>(operation what) {
    if (where == wherry::memory_space::device && !devices_know<T>(what)) return;
    update_trial<T>(test, what, transports[turn++ % transports.size()], where).of_halos();
    update_trial<T>(test, what, transports[turn++ % transports.size()], where).of_lists();
  });
}

}  // namespace wherry_test
