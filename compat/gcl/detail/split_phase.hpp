// The life of patterns with pack and unpack: pack, start_exchange, wait, unpack, in this order.
#pragma once

#include <span>
#include <string_view>

#include "wherry/core/error.hpp"
#include "wherry/halo/halo_exchange.hpp"

namespace GCL::detail {

/// One exchange under way. `pack` copies what leaves out of the fields and sends it, because nothing is gained by
/// waiting; what arrives stays outside the fields until `unpack`, which therefore does the waiting too.
class split_phase {
 public:
  explicit split_phase(std::string_view pattern) : pattern_(pattern) {}

  void pack(wherry::halo_exchange& exchange, std::span<void* const> fields) {
    require(phase::idle, "pack was called again before unpack");
    exchange.bound().start(fields);
    running_ = &exchange;
    packed_ = fields.size();
    now_ = phase::packed;
  }
  void start() {
    require(phase::packed, "start_exchange was called without pack");
    now_ = phase::started;
  }
  void wait() {
    require(phase::started, "wait was called without start_exchange");
    now_ = phase::arrived;
  }
  void unpack(std::span<void* const> fields) {
    require(phase::arrived, "unpack was called before the exchange");
    if (fields.size() != packed_)
      throw wherry::error(wherry::error_kind::argument, pattern_,
                          wherry::text("unpack names ", fields.size(), " fields, pack has named ", packed_),
                          running_->bound().comm().rank());
    running_->bound().wait(fields);
    now_ = phase::idle;
  }

 private:
  enum class phase { idle, packed, started, arrived };
  void require(phase wanted, std::string_view otherwise) const {
    if (now_ != wanted) throw wherry::error(wherry::error_kind::state, pattern_, otherwise);
  }

  std::string_view pattern_;
  phase now_ = phase::idle;
  wherry::halo_exchange* running_ = nullptr;
  std::size_t packed_ = 0;
};

template <class Version> wherry::halo_options options(std::vector<int> axes, bool snapshot) {
  wherry::halo_options result;
  result.axes = std::move(axes);
  result.carry.transport = Version::transport;
  result.carry.snapshot = snapshot;
  return result;
}

}  // namespace GCL::detail
