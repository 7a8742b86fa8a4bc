#include "wherry/halo/ghost_layers.hpp"

#include <utility>

#include "layered_exchanges.hpp"

namespace wherry {
namespace {

std::shared_ptr<const detail::layer_core> inspected(const communicator& comm, std::vector<index_lists> layers,
                                                    const layer_options& options) {
  auto core = std::make_shared<detail::layer_core>(detail::layer_core{comm, std::move(layers)});
  const terms agreed([&](auto& say) {
    say(core->layers.size(), "the number of layers");
    say(options.update.name(), "the update");
    say(options.carry.snapshot, "'snapshot'");
    say(options.carry.packet_bytes, "'packet_bytes'");
  });
  collectively_on(agreed, comm, in_ghost_layers, [&] {
    if (core->layers.empty())
      throw error(error_kind::argument, in_ghost_layers, "'layers' is empty, expected the lists of at least one layer",
                  comm.rank());
    core->inspect();
  });
  return core;
}

}  // namespace

ghost_layers::ghost_layers(const communicator& comm, std::vector<index_lists> layers, const layer_options& options)
    : state_(std::make_unique<state>(inspected(comm, std::move(layers), options), options)) {}

ghost_layers::ghost_layers(const ghost_layers& other) {
  if (other.state_ == nullptr) other.live();
  state_ = std::make_unique<state>(other.state_->core, other.state_->options);
}

ghost_layers& ghost_layers::operator=(const ghost_layers& other) { return *this = ghost_layers(other); }
ghost_layers::ghost_layers(ghost_layers&&) noexcept = default;
ghost_layers& ghost_layers::operator=(ghost_layers&&) noexcept = default;
ghost_layers::~ghost_layers() = default;

ghost_layers::state& ghost_layers::live() const {
  if (state_ == nullptr) throw error(error_kind::state, in_ghost_layers, "these layers were moved from");
  if (state_->given_up)
    throw error(error_kind::state, state_->where(), "these layers were abandoned; a copy of them works",
                state_->rank());
  return *state_;
}

const communicator& ghost_layers::comm() const { return live().core->comm; }
int ghost_layers::depth() const { return live().core->depth(); }

index_t ghost_layers::elements(int depth) const {
  const auto& s = live();
  if (depth < 1 || depth > s.core->depth())
    throw error(error_kind::argument, s.where(),
                detail::text("'depth' of elements is ", depth, ", expected 1 to ", s.core->depth()), s.rank());
  return s.core->elements[static_cast<std::size_t>(depth)];
}

const index_lists& ghost_layers::lists(int layer) const {
  const auto& s = live();
  if (layer < 1 || layer > s.core->depth())
    throw error(error_kind::argument, s.where(),
                detail::text("'layer' of lists is ", layer, ", expected 1 to ", s.core->depth()), s.rank());
  return s.core->layers[static_cast<std::size_t>(layer - 1)];
}

detail::layered_call& ghost_layers::fresh_call() const {
  auto& s = live();
  if (s.started)
    throw error(error_kind::state, s.where(),
                "an exchange is in flight: call 'wait' first, or use a copy of these layers", s.rank());
  s.call.arrays.clear();
  s.call.arguments.clear();
  return s.call;
}

void ghost_layers::begin(int depth, detail::layered_way way) { live().start(depth, way); }
bool ghost_layers::test() { return live().test(); }
void ghost_layers::wait() { live().wait(); }
void ghost_layers::abandon() noexcept {
  if (state_ != nullptr) state_->abandon();
}
std::string ghost_layers::explain() const { return live().explain(); }
exchange_statistics ghost_layers::statistics() const { return live().statistics(); }

std::shared_ptr<detail::layer_marks> detail::make_marks(const ghost_layers& layers, std::string name) {
  return std::make_shared<layer_marks>(layer_marks{layers.live().core, std::move(name)});
}

}  // namespace wherry
