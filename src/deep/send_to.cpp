#include "wherry/deep/send_to.hpp"

#include <algorithm>
#include <cstring>

#include "wherry/core/error.hpp"

namespace wherry::deep::detail {

std::vector<std::pair<int, std::vector<std::byte>>> send_packed(const communicator& comm, std::span<const int> to,
                                                                std::size_t given,
                                                                const std::vector<std::vector<std::byte>>& packed,
                                                                const std::exception_ptr& failure,
                                                                const sparse_options& options) {
  wherry::detail::collectively(comm, "deep::send_to", [&] {
    if (failure) std::rethrow_exception(failure);
    if (const auto fault = wherry::detail::length_fault(to.size(), given); !fault.empty())
      throw error(error_kind::argument, "deep::send_to", fault, comm.rank());
  });
  std::vector<std::uint64_t> lengths;
  std::vector<parcel<std::byte>> parcels;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    lengths.push_back(packed[i].size());
    parcels.push_back({to[i], packed[i]});
  }
  const auto sizes = wherry::send_to(comm, to, lengths, options);
  const auto bytes = sparse_exchange(comm, parcels, options);
  std::vector<std::pair<int, std::vector<std::byte>>> arrived;
  std::size_t at = 0;
  for (const auto& [source, of_source] : sizes)
    for (const auto length : of_source) {
      const auto* const first = bytes.all.data() + at;
      arrived.emplace_back(source, std::vector<std::byte>(first, first + length));
      at += length;
    }
  return arrived;
}

}  // namespace wherry::deep::detail
