#include "wherry/sparse/detail/byte_exchange.hpp"

#include <memory>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "exchange_work.hpp"
#include "flight/abandonable.hpp"

namespace wherry::detail {
namespace {

sparse::exchange_work& live(const std::unique_ptr<sparse::exchange_work>& work) {
  if (!work) throw error(error_kind::state, "sparse_exchange", "this object has been moved from");
  return *work;
}

}  // namespace

void throw_taken_arrivals() {
  throw error(error_kind::state, "sparse_exchange", "'wait' has already returned what had arrived");
}

std::string length_fault(std::size_t destinations, std::size_t values) {
  if (destinations == values) return {};
  return text("'destinations' has ", destinations, " entries, but 'values' has ", values, " elements");
}

void prepare_exchanges(const communicator& comm) { static_cast<void>(sparse::communicator_state::of(comm)); }

byte_exchange::byte_exchange(const communicator& comm, std::string_view where, const sparse_elements& elements,
                             const sparse_options& options, sparse_form form) {
  require_mpi(where, comm.rank());
  auto state = sparse::communicator_state::of(comm);
  work_ = state->take_work();
  work_->begin(std::move(state), where, elements, options, form);
}
byte_exchange::byte_exchange() noexcept = default;
byte_exchange::byte_exchange(byte_exchange&&) noexcept = default;
byte_exchange& byte_exchange::operator=(byte_exchange&& other) noexcept {
  std::swap(work_, other.work_);
  return *this;
}

byte_exchange::~byte_exchange() {
  if (!work_ || is_forked_child()) {
    static_cast<void>(work_.release());
  } else if (work_->has_completed()) {
    const auto state = work_->end();
    state->park(std::move(work_));
  } else if (!work_->is_broken() || work_->mpi_needs_it()) {
    abandon_flight(std::move(work_));
  }
}

void byte_exchange::check(std::span<const int> destinations) { live(work_).check(destinations); }
void byte_exchange::refuse(const error& why) { live(work_).refuse(why); }
bool byte_exchange::is_refused() const { return live(work_).is_refused(); }
void byte_exchange::count(std::span<const int> destinations, std::size_t values) {
  live(work_).count(destinations, values);
}
void byte_exchange::count(int to, std::size_t elements) { live(work_).count(to, elements); }
std::byte* byte_exchange::room() { return live(work_).room(); }
std::span<std::size_t> byte_exchange::places() { return live(work_).places(); }
void byte_exchange::pack(int to, const void* elements, std::size_t count) { live(work_).pack(to, elements, count); }
void byte_exchange::start(const sparse_target& into) { live(work_).start(into); }
bool byte_exchange::test() { return live(work_).test(); }
void byte_exchange::wait() { live(work_).wait(); }
std::string_view byte_exchange::algorithm() const { return live(work_).algorithm(); }

}  // namespace wherry::detail
