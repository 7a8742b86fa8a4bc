#include <algorithm>
#include <cstdint>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/sparse/detail/in_turns.hpp"

#include "core/collective.hpp"
#include "core/terms.hpp"

namespace wherry::detail {

sparse_turns agree_on_turns(const communicator& comm, std::string_view where, const std::vector<std::int64_t>& counts,
                            const std::string& fault, std::size_t element, const sparse_options& options) {
  const terms agreed([&](auto& say) {
    say(options.limit_bytes, "'limit_bytes'");
    say(element, "the bytes of an element");
  });
  collectively_on(agreed, comm, where, [&] {
    const auto fail = [&](std::string_view why) { throw error(error_kind::argument, where, why, comm.rank()); };
    if (!fault.empty()) fail(fault);
    if (options.limit_bytes < element)
      fail(text("'limit_bytes' is ", options.limit_bytes, ", expected at least the ", element, " bytes of an element"));
    if (options.receive_from) fail("'limit_bytes' and 'receive_from' do not go together");
  });
  // A rank may receive from all ranks, so each of them gets the same part of the limit.
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto elements = std::max<std::size_t>(1, options.limit_bytes / element / ranks);
  const std::vector longest{std::max<std::int64_t>(0, *std::ranges::max_element(counts))};
  const auto most = static_cast<std::size_t>(patient::allreduce(comm, where, longest, patient::most).front());
  return {elements, (most + elements - 1) / elements};
}

}  // namespace wherry::detail
