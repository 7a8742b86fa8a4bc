/// @file
/// The list of a const array's parts on this rank, with values that can only be read. `x_array::blocks` and
/// `index_array::parts` return it.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>

namespace wherry::detail {

/// A view of the array's list of parts `Kept`, {number, where, values}, that returns each part as a `Seen`: the same
/// type with const elements.
template <class Kept, class Seen> class read_only_parts {
 public:
  class iterator {
   public:
    using value_type = Seen;
    using reference = value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    iterator() = default;
    explicit iterator(const Kept* at) : at_(at) {}
    reference operator*() const {
      const auto& [number, where, values] = *at_;
      return {number, where, values};
    }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) { return iterator(at_++); }
    bool operator==(const iterator&) const = default;

   private:
    const Kept* at_ = nullptr;
  };

  explicit read_only_parts(std::span<const Kept> all) : all_(all) {}
  iterator begin() const { return iterator(all_.data()); }
  iterator end() const { return iterator(all_.data() + all_.size()); }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  Seen operator[](std::size_t place) const { return *iterator(&all_[place]); }
  Seen front() const { return (*this)[0]; }

 private:
  std::span<const Kept> all_;
};

}  // namespace wherry::detail
