// Terms: named values that must be the same on all ranks. They are compared as one word. Only if it differs are the
// names made, and the first term that differs is reported with the values of two ranks.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/hash.hpp"

#include "common_settings.hpp"

namespace wherry {

struct named_value {
  std::string name, value;
  bool operator==(const named_value&) const = default;
};

class terms {
 public:
  /// @param describe calls its argument, `say(value, name...)`, with each value and the parts of its name; of lists,
  ///   the length comes first. A copy is kept, and the objects to which it refers must outlive this one.
  ///   terms([&](auto& say) { say(fields.size(), "the number of fields"); })
  /// `say.many(word, [&](auto& say) { … })` is for parts that have a word of their own; they are listed only if the
  /// words differ.
  template <class Describe> explicit terms(Describe describe) {
    hasher hash;
    describe(hash);
    word_ = static_cast<std::uint32_t>(hash.all.value());
    list_ = [describe = std::move(describe)] {
      lister names;
      describe(names);
      return std::move(names.all);
    };
  }

  std::uint32_t word() const { return word_; }
  std::vector<named_value> list() const { return list_(); }

 private:
  struct hasher {
    shape_hash all;
    template <class Value, class... Words> void operator()(const Value& value, const Words&...) {
      if constexpr (std::convertible_to<const Value&, std::string_view>) {
        all.add(std::string_view(value));
      } else {
        all.add(value);
      }
    }
    template <class List> void many(std::uint64_t word, List&&) { all.add(word); }
  };
  struct lister {
    std::vector<named_value> all;
    template <class Value, class... Words> void operator()(const Value& value, const Words&... name) {
      all.push_back({detail::text(name...), detail::text(value)});
    }
    template <class List> void many(std::uint64_t, List&& list) { list(*this); }
  };

  std::uint32_t word_ = 0;
  std::function<std::vector<named_value>()> list_;
};

/// Collective, called if the ranks' lists differ. @throws error(mismatch) on all ranks: "the ranks disagree on NAME:
/// ..."
void tell_difference(const communicator& comm, std::string_view where, const std::vector<named_value>& mine);

/// Collective, as `agree_or_throw`. Returns the sums of all ranks' `figures`, of which each rank has the same number.
/// @throws error(mismatch) also if the terms differ
std::vector<double> agree_on(const communicator& comm, std::string_view where, const error* mine, const terms& agreed,
                             const std::vector<double>& figures = {});

/// Does what `collectively` does, with these terms, and with figures that the step may set.
template <class Step>
std::vector<double> collectively_on(const terms& agreed, const communicator& comm, std::string_view where, Step&& step,
                                    const std::vector<double>& figures = {}) {
  detail::require_mpi(where, comm.rank());
  const auto mine = detail::error_of(comm, where, std::forward<Step>(step));
  return agree_on(comm, where, mine ? &*mine : nullptr, agreed, figures);
}

}  // namespace wherry
