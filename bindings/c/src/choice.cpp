#include "wherry/c/choice.h"

#include <string>
#include <vector>

#include "calls.hpp"
#include "convert.hpp"
#include "objects.hpp"
#include "texts.hpp"

namespace wherry_c {
namespace {

namespace collective = wherry::collective;

/// Gives a list that stays until this thread asks again for one of the same rows.
template <class Row>
void show_list(std::vector<Row> rows, const Row** list, int* count, std::string_view where, std::string_view argument) {
  require_result(list, where, argument);
  require_result(count, where, "count");
  thread_local std::vector<Row> kept;
  kept = std::move(rows);
  *list = kept.data();
  *count = static_cast<int>(kept.size());
}

std::vector<wherry_implementation> all_implementations() {
  std::vector<wherry_implementation> all;
  for (const auto& one : collective::implementations_there_are())
    all.push_back({one.name.data(), one.what.data(), one.reproducible});
  return all;
}

void check_sizes(int ranks, int nodes, std::string_view where) {
  if (ranks < 1) refuse(where, "'ranks' is ", ranks, ", expected 1 or more");
  if (nodes < 1) refuse(where, "'nodes' is ", nodes, ", expected 1 or more");
}

const char* required_text(const char* text, std::string_view where, std::string_view argument) {
  if (text == nullptr) refuse(where, '\'', argument, "' is NULL");
  return text;
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_implementations(const wherry_implementation** list, int* count) {
  constexpr auto where = "wherry_implementations";
  return guarded(where, [&] {
    require_result(list, where, "list");
    require_result(count, where, "count");
    static const auto* const all = new std::vector(all_implementations());
    *list = all->data();
    *count = static_cast<int>(all->size());
  });
}

wherry_status wherry_choose(MPI_Comm comm, wherry_collective kind, const char* implementation, int64_t from_bytes) {
  constexpr auto where = "wherry_choose";
  return guarded(where, [&] {
    const wherry::communicator ours(comm);
    collective::kind what{};
    wherry::detail::collectively(ours, where, [&] { what = collective_of(kind, where); });
    collective::choose(comm, what, name_given(implementation), from_bytes);
  });
}

wherry_status wherry_make_ready(MPI_Comm comm, const char* implementation, int64_t bytes) {
  return guarded("wherry_make_ready", [&] { collective::make_ready(comm, name_given(implementation), bytes); });
}
wherry_status wherry_give_back(MPI_Comm comm, const char* implementation) {
  return guarded("wherry_give_back", [&] { collective::give_back(comm, name_given(implementation)); });
}

wherry_status wherry_usage_so_far(const wherry_usage** rows, int* count) {
  constexpr auto where = "wherry_usage_so_far";
  return guarded(where, [&] {
    std::vector<wherry_usage> all;
    for (const auto& row : collective::usage_so_far())
      all.push_back({static_cast<int>(row.what), row.implementation.data(), row.calls});
    show_list(std::move(all), rows, count, where, "rows");
  });
}
wherry_status wherry_fallen_through_so_far(const wherry_fallen_through** rows, int* count) {
  constexpr auto where = "wherry_fallen_through_so_far";
  return guarded(where, [&] {
    std::vector<wherry_fallen_through> all;
    for (const auto& row : collective::fallen_through_so_far())
      all.push_back({static_cast<int>(row.what), row.wanted.data(), row.why.data(), row.calls});
    show_list(std::move(all), rows, count, where, "rows");
  });
}

wherry_status wherry_read_tuning(const char* text, int ranks, int nodes, const wherry_tuned_rule** rules, int* count) {
  constexpr auto where = "wherry_read_tuning";
  return guarded(where, [&] {
    check_sizes(ranks, nodes, where);
    thread_local std::vector<collective::tuned_rule> found;  // has the texts of the implementations
    auto fresh = collective::read_tuning(required_text(text, where, "text"), -1, ranks, nodes);
    std::vector<wherry_tuned_rule> all;
    for (const auto& rule : fresh) all.push_back({static_cast<int>(rule.what), rule.from, rule.implementation.c_str()});
    show_list(std::move(all), rules, count, where, "rules");
    found = std::move(fresh);
  });
}
wherry_status wherry_write_tuning(const char* text, const wherry_tuned_rule* rules, int count, int ranks, int nodes,
                                  const char* remark, const char** result) {
  constexpr auto where = "wherry_write_tuning";
  return guarded(where, [&] {
    require_result(result, where, "result");
    check_sizes(ranks, nodes, where);
    std::vector<collective::tuned_rule> all;
    for (const auto& rule : list_of(rules, count, where, "rules"))
      all.push_back(
          {collective_of(rule.kind, where), rule.from, required_text(rule.implementation, where, "implementation")});
    *result = kept_text<of_collectives>(collective::with_tuning(required_text(text, where, "text"), all, ranks, nodes,
                                                                remark == nullptr ? "" : remark));
  });
}
}
