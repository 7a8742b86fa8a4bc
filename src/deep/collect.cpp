#include "wherry/deep/collect.hpp"

#include <string_view>

#include "wherry/transport/byte_channels.hpp"

namespace wherry::deep::detail {
namespace {

/// Runs all parts, also after one of them has failed, and keeps the first failure: other ranks wait for each part.
class first_failure {
 public:
  template <class Part> void of(Part part) {
    try {
      part();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  const std::exception_ptr& get() const { return failure_; }

 private:
  std::exception_ptr failure_;
};

template <class Root> Root element_of(Root first, int number, std::size_t stride) {
  first.root = static_cast<std::byte*>(first.root) + static_cast<std::size_t>(number) * stride;
  return first;
}

// A deep copy inside a rank.
void copy(const outgoing& from, const incoming& to, const options& how) {
  memory_sink sink;
  from.into(sink);
  memory_source source(sink.bytes().data(), sink.bytes().size());
  to.from(source, how.arena);
}

}  // namespace

std::exception_ptr gather_roots(const communicator& comm, int root, const outgoing& mine, const incoming& first,
                                std::size_t stride, const options& how) {
  constexpr std::string_view where = "deep::gather";
  wherry::detail::check_rank(where, comm, root);
  wherry::detail::compare_calls(where, comm, root, mine.fingerprint);
  const auto tag = wherry::detail::stream_tag::of_collective(comm);
  if (comm.rank() != root) {
    mine.into(*wherry::detail::open_send(where, comm, root, tag, mine.fingerprint));
    wherry::detail::expect_nothing(where, comm, tag);
    return nullptr;
  }
  first_failure failure;
  for (int from = 0; from < comm.size(); ++from)
    failure.of([&] {
      const auto part = element_of(first, from, stride);
      if (from == root) return copy(mine, part, how);
      const auto arriving = wherry::detail::open_receive(where, comm, from, tag, part.fingerprint);
      part.from(*arriving.bytes, how.arena);
    });
  return failure.get();
}

void scatter_roots(const communicator& comm, int root, const outgoing& first, std::size_t parts, std::size_t stride,
                   const incoming& mine, const options& how) {
  constexpr std::string_view where = "deep::scatter";
  wherry::detail::check_rank(where, comm, root);
  wherry::detail::compare_calls(where, comm, root, mine.fingerprint);
  const auto tag = wherry::detail::stream_tag::of_collective(comm);
  if (comm.rank() != root) {
    const auto arriving = wherry::detail::open_receive(where, comm, root, tag, mine.fingerprint);
    mine.from_or_drain(*arriving.bytes, how.arena);
    return;
  }
  first_failure failure;
  const bool enough = parts == static_cast<std::size_t>(comm.size());
  const auto wrong = [&] {
    return error(error_kind::argument, where,
                 wherry::detail::text(parts, " structures were given, expected ", comm.size(), ", one for each rank"),
                 root);
  };
  for (int to = 0; to < comm.size(); ++to)
    failure.of([&] {
      if (!enough) {
        if (to != root) wherry::detail::open_send(where, comm, to, tag, mine.fingerprint)->abandon(wrong().text());
        throw wrong();
      }
      const auto part = element_of(first, to, stride);
      if (to == root) return copy(part, mine, how);
      part.into(*wherry::detail::open_send(where, comm, to, tag, part.fingerprint));
    });
  if (failure.get()) std::rethrow_exception(failure.get());
  wherry::detail::expect_nothing(where, comm, tag);
}

std::exception_ptr allgather_roots(const communicator& comm, const outgoing& mine, const incoming& first,
                                   std::size_t stride, const options& how) {
  constexpr std::string_view where = "deep::allgather";
  first_failure failure;
  for (int from = 0; from < comm.size(); ++from)
    failure.of([&] {
      const auto part = element_of(first, from, stride);
      if (from == comm.rank()) {
        mine.into(*wherry::detail::open_bcast(where, comm, mine.fingerprint));
        copy(mine, part, how);
      } else {
        part.from(*wherry::detail::join_bcast(where, comm, from, part.fingerprint), how.arena);
      }
    });
  return failure.get();
}

}  // namespace wherry::deep::detail
