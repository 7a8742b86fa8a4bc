#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/sparse/detail/in_turns.hpp"

#include "core/collective.hpp"

namespace wherry::detail {
namespace {

/// An exchange without elements tells all ranks of the error of one, also if others give no limit.
void agree(const communicator& comm, std::string_view where, const std::string& fault, sparse_elements elements,
           const sparse_options& options) {
  elements.limit_bytes = options.limit_bytes;
  sparse_options once;
  once.algorithm = options.algorithm;
  byte_exchange nothing(comm, where, elements, once, sparse_form::blocking);
  const auto refuse = [&](std::string_view why) {
    nothing.refuse(error(error_kind::argument, where, why, comm.rank()));
  };
  if (!fault.empty())
    refuse(fault);
  else if (options.limit_bytes < elements.bytes)
    refuse(text("'limit_bytes' is ", options.limit_bytes, ", expected at least the ", elements.bytes,
                " bytes of an element"));
  else if (options.receive_from)
    refuse("'limit_bytes' and 'receive_from' do not go together");
  static_cast<void>(nothing.room());
  nothing.start(target_of(std::make_shared<arrivals<std::byte>>()));
  nothing.wait();
}

}  // namespace

sparse_turns agree_on_turns(const communicator& comm, std::string_view where, const std::vector<std::int64_t>& counts,
                            const std::string& fault, std::size_t element, sparse_elements compared,
                            const sparse_options& options) {
  agree(comm, where, fault, compared, options);
  // A rank may receive from all ranks, so each of them gets the same part of the limit.
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto at_once = std::max<std::size_t>(1, options.limit_bytes / element / ranks);
  const std::vector longest{std::max<std::int64_t>(0, *std::ranges::max_element(counts))};
  const auto most = static_cast<std::size_t>(patient::allreduce(comm, where, longest, patient::most).front());
  return {at_once, (most + at_once - 1) / at_once};
}

}  // namespace wherry::detail
