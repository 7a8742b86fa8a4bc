/// @file
/// What an array that is const has on this rank: its parts, with values that can be read.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>

namespace wherry {

/// Refers to parts as the array keeps them: {number, where, values}, of which `Seen` is the one with const elements.
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

}  // namespace wherry
