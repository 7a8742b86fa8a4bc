// Hashes of the shapes of fields, and texts for their differences.
#include <algorithm>
#include <cstdint>

#include "wherry/halo/halo_exchange.hpp"

namespace wherry {
namespace {

/// Memory spaces are only told apart as device and host: the two kinds of host memory can replace each other.
bool on_device(const halo_field& field) { return field.space == memory_space::device; }

std::string differ(const std::string& what, const auto& given, const auto& wanted) {
  return detail::text("has ", what, ' ', given, " where the exchange was made for ", wanted);
}

/// Names the first difference between two fields; empty if one can replace the other (raw bytes match every type).
std::string difference(const halo_field& given, const halo_field& wanted) {
  if (!plans::fits(given.type, wanted.type))
    return differ("elements that are", to_string(given.type), to_string(wanted.type));
  if (given.element != wanted.element) return differ("an element size of", given.element, wanted.element);
  if (given.dimensions != wanted.dimensions)
    return differ("a number of dimensions of", given.dimensions, wanted.dimensions);
  // Only this direction is an error: memory described as the host's may be on a device, as the pointer will tell.
  if (on_device(given) && !on_device(wanted))
    return differ("memory of", to_string(given.space), to_string(wanted.space));
  for (std::size_t d = 0; d < static_cast<std::size_t>(given.dimensions); ++d) {
    const auto &g = given.halo[d], &w = wanted.halo[d];
    const auto along = [&](const char* what) { return detail::text("along dimension ", d, " a ", what, " of"); };
    if (g.length != w.length) return differ(along("length"), g.length, w.length);
    if (g.minus != w.minus) return differ(along("minus width"), g.minus, w.minus);
    if (g.plus != w.plus) return differ(along("plus width"), g.plus, w.plus);
    if (g.begin != w.begin) return differ(along("begin"), g.begin, w.begin);
    if (given.on_planes[d] != wanted.on_planes[d])
      return differ(detail::text("along dimension ", d), given.on_planes[d] ? "values on planes" : "values in cells",
                    wanted.on_planes[d] ? "values on planes" : "values in cells");
    if (g.end != w.end) return differ(along("end"), g.end, w.end);
    if (given.stride[d] != wanted.stride[d]) return differ(along("stride in bytes"), given.stride[d], wanted.stride[d]);
  }
  return {};
}

}  // namespace

std::uint64_t detail::fingerprint_of(const halo_field& field) {
  shape_hash all;
  field.type.add_to(all);
  all.add(field.element).add(field.dimensions).add(on_device(field));
  for (std::size_t d = 0; d < static_cast<std::size_t>(std::clamp(field.dimensions, 0, max_halo_dimensions)); ++d) {
    const auto& h = field.halo[d];
    all.add(h.minus).add(h.plus).add(h.begin).add(h.end).add(h.length).add(field.stride[d]).add(field.on_planes[d]);
  }
  return all.value();
}

detail::bound_halos::bound_halos(std::vector<halo_field> fields) : fields_(std::move(fields)) {
  for (const auto& f : fields_) words_.push_back(detail::fingerprint_of(f));
}

void detail::bound_halos::compare(std::span<const halo_field> fields, std::span<const std::uint64_t> given,
                                  int rank) const {
  for (std::size_t i = 0; i < given.size() && i < words_.size(); ++i) {
    if (given[i] == any_shape || given[i] == words_[i]) continue;
    const auto problem = difference(fields[i], fields_[i]);
    if (!problem.empty())
      throw error(error_kind::argument, "halo_exchange", detail::text("field ", i, " that start was given ", problem),
                  rank);
  }
}

}  // namespace wherry
