#include "wherry/particles/ghost_particles.hpp"

#include <bit>
#include <cstdint>

#include "wherry/core/error.hpp"

#include "core/terms.hpp"
#include "ghosts.hpp"
#include "territory.hpp"

namespace wherry {

template <int N> particles::ghosts& ghost_particles<N>::live() const {
  if (!state_) throw error(error_kind::state, "ghost_particles", "this object has been moved from");
  return *state_;
}

template <int N>
ghost_particles<N>::ghost_particles(const particle_exchange<N>& migrate, double cutoff, const carry_options& carry) {
  const auto ground = migrate.internals();
  const terms agreed([=](auto& say) { say(std::bit_cast<std::uint64_t>(cutoff), "the bits of the cut-off"); });
  collectively_on(agreed, ground->comm, "ghost_particles",
                  [&] { state_ = std::make_unique<particles::ghosts>(ground, cutoff, carry); });
}

template <int N> ghost_particles<N>::ghost_particles(ghost_particles&&) noexcept = default;
template <int N> ghost_particles<N>& ghost_particles<N>::operator=(ghost_particles&&) noexcept = default;
template <int N> ghost_particles<N>::~ghost_particles() = default;

template <int N> std::size_t ghost_particles<N>::owned() const { return live().owned(); }
template <int N> std::size_t ghost_particles<N>::count() const { return live().count(); }
template <int N> int ghost_particles<N>::owner_of(std::size_t k) const { return live().owner_of(k); }
template <int N> bool ghost_particles<N>::test() { return live().test(); }
template <int N> void ghost_particles<N>::wait() { live().wait(); }
template <int N> const communicator& ghost_particles<N>::comm() const { return live().comm(); }
template <int N> void ghost_particles<N>::make(const detail::particle_call& call) { live().plan(call); }
template <int N> void ghost_particles<N>::begin(const detail::particle_call& call, bool back) {
  live().begin(call, back);
}
template <int N> void ghost_particles<N>::shorten(std::span<const detail::particle_column> columns) {
  live().drop(columns);
}
template <int N> void ghost_particles<N>::lengthen(std::span<const detail::particle_column> columns) {
  live().resize(columns);
}

template class ghost_particles<1>;
template class ghost_particles<2>;
template class ghost_particles<3>;

}  // namespace wherry
