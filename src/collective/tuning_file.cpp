#include <algorithm>
#include <cstdint>

#include "wherry/collective/tuning.hpp"
#include "wherry/core/error.hpp"

#include "core/number_alone.hpp"
#include "core/text_lines.hpp"

namespace wherry::collective {
namespace {

constexpr std::string_view separators = " \t\r,";

std::int64_t number_in(std::string_view word) { return number_alone<std::int64_t>(word).value_or(-1); }

}  // namespace

std::vector<tuned_rule> read_tuning(std::string_view text_of_file, int rank, int ranks, int nodes) {
  std::vector<tuned_rule> rules;
  bool ours = false;
  for_each_line(text_of_file, [&](int number, std::string_view, std::string_view line) {
    const auto words = wherry::words_of(line, separators);
    if (words.empty()) return;
    const auto refuse = [&](std::string_view why) {
      throw error(error_kind::argument, "collective tuning",
                  wherry::detail::text("the tuning file, line ", number, ": ", why, ", in '", line.substr(0, 80), "'"),
                  rank);
    };
    if (words.front() == "on") {
      if (words.size() != 5 || words[2] != "ranks" || words[4] != "nodes" || number_in(words[1]) < 1 ||
          number_in(words[3]) < 1)
        refuse("expected 'on RANKS ranks, NODES nodes'");
      ours = number_in(words[1]) == ranks && number_in(words[3]) == nodes;
      return;
    }
    if (words.size() != 3) refuse("expected 'COLLECTIVE BYTES IMPLEMENTATION'");
    const auto what = detail::kind_named(words[0]);
    if (!what) refuse(wherry::detail::text("there is no collective '", words[0], "'"));
    const auto from = number_in(words[1]);
    if (from < 0) refuse(wherry::detail::text("'", words[1], "' is not a number of bytes"));
    if (ours) rules.push_back({*what, from, std::string(words[2])});
  });
  return rules;
}

std::string with_tuning(std::string_view text_of_file, const std::vector<tuned_rule>& rules, int ranks, int nodes,
                        std::string_view remark) {
  std::string all;
  bool ours = false;
  for_each_line(text_of_file, [&](int, std::string_view line, std::string_view said) {
    const auto words = wherry::words_of(said, separators);
    if (words.size() == 5 && words[0] == "on") ours = number_in(words[1]) == ranks && number_in(words[3]) == nodes;
    if (!ours) all += wherry::detail::text(line, "\n");
  });
  all += wherry::detail::text("on ", ranks, " ranks, ", nodes, " nodes  # ", remark, "\n");
  for (const auto& one : rules)
    all += wherry::detail::text(name_of(one.what), " ", one.from, " ", one.implementation, "\n");
  return all;
}

}  // namespace wherry::collective
