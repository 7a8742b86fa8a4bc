#include "wherry/collective/mpi_errors.hpp"

#include <cstdio>
#include <new>
#include <string>
#include <string_view>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry::collective {
namespace {

/// The MPI error class with its own text in `words`; the longest text wins, because some are parts of others.
int class_in(std::string_view words) {
  int found = MPI_ERR_OTHER;
  std::size_t longest = 0;
  for (int one : {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_ROOT,
                  MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_ARG, MPI_ERR_TRUNCATE, MPI_ERR_NO_MEM}) {
    char own[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    PMPI_Error_string(one, own, &length);
    std::string_view name(own, static_cast<std::size_t>(length));
    name = name.substr(0, name.find_first_of(":(,"));  // MPICH's text continues: "Invalid root (value given was …)"
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name.size() <= longest || words.find(name) == std::string_view::npos) continue;
    longest = name.size();
    found = one;
  }
  return found;
}

int class_of_argument(std::string_view words) {
  struct row {
    std::string_view word;
    int error_class;
  };
  for (const auto& [word, error_class] :
       {row{"root'", MPI_ERR_ROOT}, row{"count'", MPI_ERR_COUNT}, row{"counts'", MPI_ERR_COUNT},
        row{"type'", MPI_ERR_TYPE}, row{"types'", MPI_ERR_TYPE}, row{"op'", MPI_ERR_OP}, row{"send'", MPI_ERR_BUFFER},
        row{"receive'", MPI_ERR_BUFFER}, row{"buffer'", MPI_ERR_BUFFER}, row{"comm'", MPI_ERR_COMM},
        row{"request'", MPI_ERR_REQUEST}, row{"requests'", MPI_ERR_REQUEST}})
    if (words.find(word) != std::string_view::npos) return error_class;
  return MPI_ERR_ARG;
}

int class_of(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return MPI_ERR_NO_MEM;
  const auto* ours = dynamic_cast<const error*>(&failure);
  if (ours == nullptr) return MPI_ERR_OTHER;
  if (ours->kind() == error_kind::argument) return class_of_argument(ours->text());
  if (ours->kind() == error_kind::resource) return MPI_ERR_NO_MEM;
  return ours->kind() == error_kind::mpi ? class_in(ours->text()) : MPI_ERR_OTHER;
}

}  // namespace

int detail::give_to_handler(const std::exception& failure, MPI_Comm comm) {
  const std::string_view words = failure.what();
  const auto line = words.substr(0, words.find('\n'));
  std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  const int error_class = class_of(failure);
  if (!wherry::detail::is_forked_child())
    PMPI_Comm_call_errhandler(comm, error_class);  // the handler may end the job of the parent
  return error_class;
}

}  // namespace wherry::collective
