#include "deep/original.hpp"

#include <charconv>
#include <stdexcept>
#include <type_traits>

#include "deep/ours.hpp"
#include "deep/peers.hpp"

namespace bench::deep {

structure_name::structure_name(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) throw std::invalid_argument("structures are like ring:1000, not '" + text + "'");
  shape = text.substr(0, colon);
  const auto* const last = text.data() + text.size();
  if (std::from_chars(text.data() + colon + 1, last, nodes).ptr != last) nodes = 0;
  if (nodes < 1) throw std::invalid_argument("'" + text + "' has no nodes");
}

void with_contenders(const std::string& name, operation what, const std::string& folder,
                     const std::function<void(contenders, std::size_t)>& use) {
  with_original(name, [&]<class Structure>(const Structure& source) {
    const job<Structure> work{&source, what, MPI_COMM_WORLD, folder};
    contenders all = ours(work);
    append(all, boost_serialization(work));
    append(all, boost_mpi(work));
    append(all, flat_copy(work));
    append(all, limits(what, work.comm, folder, bytes_of(source)));
    append(all, allocations_alone(what, work.comm, allocations_of(source)));
    if constexpr (std::is_same_v<Structure, scene>) {
      append(all, hand_written(work));
      append(all, cereal(work));
      use(std::move(all), bytes_of(source));
    } else {
      const structure_name shape(name);
      const original<shared_graph> shared(shape.shape, shape.nodes);
      append(all, cereal(job<shared_graph>{&shared.get(), what, MPI_COMM_WORLD, folder}));
      use(std::move(all), bytes_of(source));
    }
  });
}

}  // namespace bench::deep
