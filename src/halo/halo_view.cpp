#include "wherry/halo/halo_view.hpp"

namespace wherry::detail {
namespace {

constexpr checked elements{"halo_view", "number of elements"};

template <int N> index_t size_of(const point<N>& extents) {
  index_t product = 1;
  for (const index_t extent : extents) product = elements.product(product, extent);
  return product;
}

template <int N> point<N> with_halo_added(point<N> core, const halo_widths<N>& widths) {
  for (std::size_t d = 0; d < N; ++d) core[d] = elements.sum(elements.sum(core[d], widths.minus[d]), widths.plus[d]);
  return core;
}

template <int N> std::string in_words(const point<N>& extents) {
  std::string all;
  for (const index_t extent : extents) all += text(all.empty() ? "" : " × ", extent);
  return all;
}

}  // namespace

template <int N>
point<N> whole_extents(extents_are what, const point<N>& extents, const halo_widths<N>& widths, std::size_t given) {
  const char* function = what == extents_are::of_the_core ? "halo_around" : "halo_inside";
  for (std::size_t d = 0; d < N; ++d) {
    if (extents[d] < 0)
      throw error(error_kind::argument, function,
                  text("the extent of dimension ", d, " is ", extents[d], ", expected 0 or more"));
    if (widths.minus[d] < 0 || widths.plus[d] < 0)
      throw error(error_kind::argument, function,
                  text("the halo of dimension ", d, " is ", widths.minus[d], " and ", widths.plus[d],
                       " cells wide, expected 0 or more"));
  }
  const auto larger = with_halo_added<N>(extents, widths);
  const auto& whole = what == extents_are::of_the_core ? larger : extents;
  const bool no_cells = given == 0 && what == extents_are::of_the_core && size_of<N>(extents) == 0;
  if (static_cast<index_t>(given) != size_of<N>(whole) && !no_cells)
    throw error(error_kind::argument, function,
                text("the array has ", given, " values; halo_around(…, {", in_words<N>(extents), "}, …) takes ",
                     size_of<N>(larger), " (", in_words<N>(larger), " with the halo), and halo_inside ",
                     size_of<N>(extents), " (the extents count the halo)"));
  return whole;
}

template point<1> whole_extents(extents_are, const point<1>&, const halo_widths<1>&, std::size_t);
template point<2> whole_extents(extents_are, const point<2>&, const halo_widths<2>&, std::size_t);
template point<3> whole_extents(extents_are, const point<3>&, const halo_widths<3>&, std::size_t);
template point<4> whole_extents(extents_are, const point<4>&, const halo_widths<4>&, std::size_t);

}  // namespace wherry::detail
