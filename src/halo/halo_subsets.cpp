#include "halo_subsets.hpp"

#include <algorithm>

#include "wherry/core/settings.hpp"

#include "core/terms.hpp"

namespace wherry {
namespace {

constexpr const char* in_only = "halo_exchange::only";
constexpr std::size_t most_fields = 64;  // each has a bit of the number by which a subset is found

/// The field with at most `depth` layers of its halo, those next to the core.
halo_field narrowed(halo_field field, index_t depth) {
  for (auto& h : field.halo) {
    h.minus = std::min(h.minus, depth);
    h.plus = std::min(h.plus, depth);
  }
  return field;
}

}  // namespace

std::uint64_t halo_exchange::subsets::bits_of(std::span<const int> chosen, index_t depth) const {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, in_only, what, comm.rank()); };
  // A rank without boxes knows no fields, so it cannot check these numbers.
  const auto there_are = fields.empty() ? most_fields : fields.front().size();
  if (there_are > most_fields)
    fail(detail::text("the exchange has ", there_are, " fields, expected at most ", most_fields));
  if (chosen.empty()) fail("'fields' is empty, expected at least one field");
  if (depth < 0) fail(detail::text("'depth' is ", depth, ", expected 0 or more"));
  std::uint64_t bits = 0;
  for (const int f : chosen) {
    if (f < 0 || static_cast<std::size_t>(f) >= there_are)
      fail(detail::text("'fields' names field ", f, ", expected 0 to ", there_are - 1));
    const auto bit = std::uint64_t{1} << f;
    if ((bits & bit) != 0) fail(detail::text("'fields' names field ", f, " twice"));
    bits |= bit;
  }
  return bits;
}

halo_exchange& halo_exchange::subsets::find(std::span<const int> chosen, index_t depth) {
  const auto bits = bits_of(chosen, depth);
  const auto known = bound.find({bits, depth});
  if (known != bound.end() && !current_settings().check) return known->second;
  collectively_on(terms([&](auto& say) {
                    say(bits, "the fields, a bit each");
                    say(depth, "the depth");
                  }),
                  comm, in_only, [] {});
  if (known != bound.end()) return known->second;
  fields_of_boxes some(fields.size());
  std::vector<halo_field> joined;
  for (std::size_t b = 0; b < fields.size(); ++b)
    for (std::size_t f = 0; f < fields[b].size(); ++f)
      if ((bits >> f & 1) != 0) joined.push_back(some[b].emplace_back(narrowed(fields[b][f], depth)));
  return bound.try_emplace({bits, depth}, halo_exchange(bind(some), std::move(joined), nullptr)).first->second;
}

halo_exchange& halo_exchange::only(std::initializer_list<int> fields, index_t depth) {
  return only(std::span(fields.begin(), fields.size()), depth);
}

halo_exchange& halo_exchange::only(std::span<const int> fields, index_t depth) {
  if (subsets_ == nullptr)
    throw error(error_kind::state, in_only, "this exchange is itself one of some fields", exchange_.comm().rank());
  return subsets_->find(fields, depth);
}

}  // namespace wherry
