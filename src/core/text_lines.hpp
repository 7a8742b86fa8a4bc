// Text files that people write: lines of words, and remarks behind a #.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace wherry {

/// Calls `visit(number, line, line without its remark)` for each line. The first line has the number 1.
template <class Visit> void for_each_line(std::string_view all, Visit&& visit) {
  for (int number = 1; !all.empty(); ++number) {
    const auto end = std::min(all.find('\n'), all.size());
    const auto line = all.substr(0, end);
    all.remove_prefix(std::min(end + 1, all.size()));
    visit(number, line, line.substr(0, std::min(line.find('#'), line.size())));
  }
}

/// The words of a line, which blanks or other `separators` divide.
inline std::vector<std::string_view> words_of(std::string_view line, std::string_view separators = " \t\r") {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(separators, at)) != line.npos) {
    const auto end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace wherry
