// Writes floor plans and motion plans as JSON. The keys are fixed and the values are numbers, so that nothing needs
// escaping.
#include <ostream>
#include <sstream>
#include <tuple>

#include "wherry/motion/motion_plan.hpp"

namespace wherry {
namespace {

template <class List> void write_list(std::ostream& out, const List& list) {
  out << '[';
  const char* separator = "";
  for (const auto each : list) {
    out << separator << static_cast<index_t>(each);
    separator = ",";
  }
  out << ']';
}

template <int N> void write_bounds(std::ostream& out, const box<N>& b) {
  out << R"("lower":)";
  write_list(out, b.lower);
  out << R"(,"upper":)";
  write_list(out, b.upper);
}

template <int N> void write_section(std::ostream& out, const char* name, const box<N>& section) {
  out << '"' << name << R"(":{)";
  write_bounds(out, section);
  out << '}';
}

}  // namespace

template <class Part>
std::string basic_floor_plan<Part>::to_json() const
  requires of_boxes
{
  std::ostringstream out;
  out << R"({"kind":"floor_plan","dimensions":)" << std::tuple_size_v<decltype(Part::lower)> << R"(,"size":)" << size()
      << R"(,"complete":)" << (complete() ? "true" : "false") << R"(,"boxes":[)";
  for (int place = 0; place < known(); ++place) {
    out << (place > 0 ? ",\n" : "\n") << R"({"number":)" << number_of(place) << R"(,"owner":)"
        << table_->owners[static_cast<std::size_t>(place)] << ',';
    write_bounds(out, table_->parts[static_cast<std::size_t>(place)]);
    out << '}';
  }
  out << "]}";
  return out.str();
}

template <int N>
std::string motion_plan<N>::to_json(const floor_plan<N>& source, const floor_plan<N>& destination) const {
  std::ostringstream out;
  out << R"({"kind":"motion_plan","dimensions":)" << N << ",\n\"source\":" << source.to_json()
      << ",\n\"destination\":" << destination.to_json() << ",\n\"entries\":[";
  const char* separator = "\n";
  for (const auto& e : entries_) {
    out << separator << R"({"from":)" << e.from << ',';
    write_section(out, "source", e.source);
    out << R"(,"to":)" << e.to << ',';
    write_section(out, "destination", e.destination);
    out << R"(,"axes":)";
    write_list(out, e.axes);
    out << '}';
    separator = ",\n";
  }
  out << "]}";
  return out.str();
}

#define WHERRY_PLAN_JSON(N)                            \
  template std::string floor_plan<N>::to_json() const; \
  template std::string motion_plan<N>::to_json(const floor_plan<N>&, const floor_plan<N>&) const;
WHERRY_PLAN_JSON(1)
WHERRY_PLAN_JSON(2)
WHERRY_PLAN_JSON(3)
WHERRY_PLAN_JSON(4)
WHERRY_PLAN_JSON(5)
WHERRY_PLAN_JSON(6)
#undef WHERRY_PLAN_JSON

}  // namespace wherry
