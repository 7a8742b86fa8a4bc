// A view owns nothing and cannot travel by itself, wherever it stands.
#include <string>
#include <string_view>
#include <vector>

#include "wherry/deep/pack.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using text = std::string_view;
#else
using text = std::string;
#endif
struct line {
  int number;
  text words;
};

void use(wherry::byte_sink& sink, std::vector<line>& lines) { wherry::deep::pack(sink, lines); }
