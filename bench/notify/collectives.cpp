#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "wherry/wherry.hpp"

#include "notify/contenders.hpp"

namespace bench::notify {
namespace {

std::shared_ptr<wherry::rank_group> group_of_all(MPI_Comm comm) {
  auto group = std::make_shared<wherry::rank_group>(comm);
  for (int rank = 0; rank < group->comm().size(); ++rank) group->add(rank);
  group->commit();
  return group;
}

std::vector<collective_means> barriers(MPI_Comm comm) {
  return {{"wherry",
           [group = group_of_all(comm)](int calls) {
             for (int i = 0; i < calls; ++i) group->barrier();
           }},
          {"MPI_Barrier", [comm](int calls) {
             for (int i = 0; i < calls; ++i) MPI_Barrier(comm);
           }}};
}

}  // namespace

std::vector<collective_means> all_collectives(MPI_Comm comm, int doubles) {
  if (doubles == 0) return barriers(comm);
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const auto n = static_cast<std::size_t>(doubles);
  const auto in = std::make_shared<std::vector<double>>(n), out = std::make_shared<std::vector<double>>(n);
  const auto check = [=](double value) {
    if (out->front() != ranks * value || out->back() != ranks * value) throw std::runtime_error("a wrong sum");
  };
  const auto sum = std::plus<>{};
  return {{"wherry",
           [=, group = group_of_all(comm)](int calls) {
             for (int i = 0; i < calls; ++i) {
               in->front() = in->back() = i;
               group->allreduce(std::span<const double>(*in), *out, sum);
               check(i);
             }
           }},
          {"MPI_Allreduce", [=](int calls) {
             for (int i = 0; i < calls; ++i) {
               in->front() = in->back() = i;
               MPI_Allreduce(in->data(), out->data(), doubles, MPI_DOUBLE, MPI_SUM, comm);
               check(i);
             }
           }}};
}

}  // namespace bench::notify
