#include "wherry/halo/halo_exchange_set.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "wherry/core/settings.hpp"

#include "core/terms.hpp"

namespace wherry {
namespace {

constexpr const char* in_halo_exchange_set = "halo_exchange_set";

/// The field with at most `depth` layers of its halo, those next to the core.
halo_field narrowed(halo_field field, index_t depth) {
  for (auto& h : field.halo) {
    h.minus = std::min(h.minus, depth);
    h.plus = std::min(h.plus, depth);
  }
  return field;
}

}  // namespace

halo_exchange_set::halo_exchange_set(const process_grid& grid, const halo_options& options,
                                     std::vector<halo_field> fields)
    : grid_(grid), options_(options), fields_(std::move(fields)) {
  if (fields_.size() > most_fields)
    throw error(error_kind::argument, in_halo_exchange_set,
                detail::text("'fields' has ", fields_.size(), " fields, expected at most ", most_fields),
                grid_.comm().rank());
}

std::uint64_t halo_exchange_set::chosen(std::span<const int> fields, index_t depth) const {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, in_halo_exchange_set, what, grid_.comm().rank());
  };
  if (fields_.empty())
    throw error(error_kind::state, in_halo_exchange_set,
                "this halo_exchange_set was moved from, or was made without fields", grid_.comm().rank());
  if (fields.empty()) fail("'fields' is empty, expected at least one field");
  if (depth < 0) fail(detail::text("'depth' is ", depth, ", expected 0 or more"));
  std::uint64_t bits = 0;
  for (const int f : fields) {
    if (f < 0 || static_cast<std::size_t>(f) >= fields_.size())
      fail(detail::text("there is no field ", f, "; the set has ", fields_.size()));
    const auto bit = std::uint64_t{1} << f;
    if ((bits & bit) != 0) fail(detail::text("field ", f, " was named twice"));
    bits |= bit;
  }
  return bits;
}

halo_exchange& halo_exchange_set::of(std::initializer_list<int> fields, index_t depth) {
  return of(std::span(fields.begin(), fields.size()), depth);
}

halo_exchange& halo_exchange_set::of(std::span<const int> fields, index_t depth) {
  const auto bits = chosen(fields, depth);
  const auto known = bound_.find({bits, depth});
  if (known != bound_.end() && !current_settings().check) return known->second;
  collectively_on(terms([&](auto& say) {
                    say(bits, "the fields, a bit each");
                    say(depth, "the depth");
                  }),
                  grid_.comm(), in_halo_exchange_set, [] {});
  if (known != bound_.end()) return known->second;
  std::vector<halo_field> some;
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if ((bits >> f & 1) != 0) some.push_back(narrowed(fields_[f], depth));
  return bound_.try_emplace({bits, depth}, grid_, options_, std::move(some)).first->second;
}

std::string halo_exchange_set::transport() const {
  std::set<std::string> names;
  for (const auto& [what, exchange] : bound_) names.insert(exchange.transport());
  std::string all;
  for (const auto& name : names) all += detail::text(all.empty() ? "" : ", ", name);
  return all;
}

std::string halo_exchange_set::explain() const {
  std::string all;
  for (const auto& [what, exchange] : bound_) {
    const auto& [bits, depth] = what;
    all += "fields";
    for (std::size_t f = 0; f < fields_.size(); ++f)
      if ((bits >> f & 1) != 0) all += detail::text(' ', f);
    all += depth == whole_depth ? ", all layers\n" : detail::text(", ", depth, " layers\n");
    all += exchange.explain();
  }
  return all;
}

exchange_statistics halo_exchange_set::statistics() const {
  exchange_statistics all;
  for (const auto& [what, exchange] : bound_) all += exchange.statistics();
  return all;
}

}  // namespace wherry
