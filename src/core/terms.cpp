#include "terms.hpp"

#include <sstream>

#include "agreement.hpp"
#include "collective.hpp"

namespace wherry {
namespace {

std::string to_text(const std::vector<named_value>& list) {
  std::string lines;
  for (const auto& t : list) lines += t.name + '\t' + t.value + '\n';
  return lines;
}

}  // namespace

void tell_difference(const communicator& comm, std::string_view where, const std::vector<named_value>& mine) {
  const auto here = to_text(mine);
  std::uint64_t size = here.size();
  patient::bcast(comm, where, std::as_writable_bytes(std::span(&size, 1)), 0);
  std::string theirs = here;
  theirs.resize(size);
  patient::bcast(comm, where, std::as_writable_bytes(std::span(theirs)), 0);
  detail::collectively(comm, where, [&] {
    std::istringstream lines(theirs);
    std::string name, value;
    for (const auto& t : mine)
      if (!std::getline(lines, name, '\t') || !std::getline(lines, value) || name != t.name || value != t.value)
        throw error(
            error_kind::mismatch, where,
            detail::text("the ranks disagree on ", t.name, ": it is '", t.value, "' here and '", value, "' on rank 0"),
            comm.rank(), {0});
  });
}

std::vector<double> agree_on(const communicator& comm, std::string_view where, const error* mine, const terms& agreed,
                             const std::vector<double>& figures) {
  const auto disagreement = [&] {
    tell_difference(comm, where, agreed.list());
    return "the ranks disagree on the arguments of this call";
  };
  return agree_and_add_up(comm, where, mine, agreed.word(), disagreement, figures);
}

}  // namespace wherry
