#include "wherry/core/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>

#include "wherry/core/error.hpp"

#include "collective_names.hpp"
#include "common_settings.hpp"
#include "number_alone.hpp"

namespace wherry {
namespace {

[[noreturn]] void reject(std::string_view variable, std::string_view value, std::string_view wanted) {
  throw error(error_kind::argument, "settings", detail::text(variable, " is '", value, "', expected ", wanted));
}

template <class Number>
Number parse_number(std::string_view variable, std::string_view value, Number least, Number most) {
  const auto number = number_alone(value, least, most);
  if (!number) reject(variable, value, detail::text("a number from ", least, " to ", most));
  return *number;
}

std::size_t parse_bytes(std::string_view variable, std::string_view value) {
  std::size_t unit = 1;
  if (!value.empty()) {
    switch (value.back()) {
      case 'K':
        unit = std::size_t{1} << 10;
        break;
      case 'M':
        unit = std::size_t{1} << 20;
        break;
      case 'G':
        unit = std::size_t{1} << 30;
        break;
      default:
        break;
    }
  }
  const auto digits = unit == 1 ? value : value.substr(0, value.size() - 1);
  const std::size_t most = (std::size_t{1} << 46) / unit;
  const auto number = number_alone<std::size_t>(digits, 0, most);
  if (!number) reject(variable, value, "a number of bytes up to 64 Ti, which K, M or G may follow");
  return unit * *number;
}

bool parse_switch(std::string_view variable, std::string_view value) {
  if (value == "1" || value == "on") return true;
  if (value == "0" || value == "off") return false;
  reject(variable, value, "0 or 1");
}

/// Checks for 0, 1, or the names of collectives between commas.
void check_collectives(std::string_view variable, std::string_view value) {
  if (value == "0" || value == "1") return;
  for (auto rest = value;;) {
    const auto comma = rest.find(',');
    if (std::find(collective_names.begin(), collective_names.end(), rest.substr(0, comma)) == collective_names.end())
      reject(variable, value, "0, 1 or names of collectives, such as bcast,allreduce");
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

/// Says if all ranks must have the same value. `of_rank_0`: the value of rank 0 counts on all ranks.
enum class agreement { each_its_own, the_same, of_rank_0 };

struct entry {
  std::string_view name, variable, meaning;
  void (*assign)(settings&, std::string_view variable, std::string_view value);
  std::string (*show)(const settings&);
  agreement ranks = agreement::each_its_own;
  std::string source = "default";
};

/// "coll_bcast", "WHERRY_COLL_BCAST", …
struct collective_words {
  std::string name, variable, meaning;

  explicit collective_words(std::string_view collective)
      : name(detail::text("coll_", collective)),
        variable(detail::text("WHERRY_COLL_", collective)),
        meaning(detail::text("implementation of ", collective)) {
    for (auto& letter : variable)
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
};

template <std::size_t... I> void add_collectives(std::vector<entry>& entries, std::index_sequence<I...>) {
  static const std::vector<collective_words> words(collective_names.begin(), collective_names.end());
  (entries.push_back({words[I].name, words[I].variable, words[I].meaning,
                      [](settings& s, std::string_view, std::string_view value) { s.collective[I] = value; },
                      [](const settings& s) { return s.collective[I]; }, agreement::the_same}),
   ...);
}

std::vector<entry>& table() {
  static std::vector<entry> entries{
      {"transport", "WHERRY_TRANSPORT", "transport of every exchange and stream",
       [](settings& s, std::string_view, std::string_view value) { s.transport = value; },
       [](const settings& s) { return s.transport; }, agreement::the_same},
      {"node_size", "WHERRY_NODE_SIZE", "consecutive ranks that count as one node; 0: ask MPI",
       [](settings& s, std::string_view name, std::string_view value) {
         s.node_size = parse_number<int>(name, value, 0, std::numeric_limits<int>::max());
       },
       [](const settings& s) { return detail::text(s.node_size); }, agreement::of_rank_0},
      {"timeout", "WHERRY_TIMEOUT", "seconds until a wait becomes an error; 0: never",
       [](settings& s, std::string_view name, std::string_view value) {
         s.timeout = parse_number<double>(name, value, 0.0, 1e9);
       },
       [](const settings& s) { return detail::text(s.timeout); }},
      {"check", "WHERRY_CHECK", "compare messages at every start, look for overlaps",
       [](settings& s, std::string_view name, std::string_view value) { s.check = parse_switch(name, value); },
       [](const settings& s) { return detail::text(s.check); }, agreement::the_same},
      {"stats", "WHERRY_STATS", "report what was moved: 0, 1 (rank 0) or all",
       [](settings& s, std::string_view name, std::string_view value) {
         if (value != "0" && value != "1" && value != "all") reject(name, value, "0, 1 or all");
         s.statistics = value;
       },
       [](const settings& s) { return s.statistics; }},
      {"trace", "WHERRY_TRACE", "file for a trace that Perfetto opens",
       [](settings& s, std::string_view, std::string_view value) { s.trace = value; },
       [](const settings& s) { return s.trace; }},
      {"progress_thread", "WHERRY_PROGRESS_THREAD", "a thread carries exchanges while the user computes",
       [](settings& s, std::string_view name, std::string_view value) {
         s.progress_thread = parse_switch(name, value);
       },
       [](const settings& s) { return detail::text(s.progress_thread); }},
      {"arena_size", "WHERRY_ARENA_SIZE", "bytes of node-shared address space a rank (K, M, G); 0: all memory",
       [](settings& s, std::string_view name, std::string_view value) { s.arena_size = parse_bytes(name, value); },
       [](const settings& s) { return detail::text(s.arena_size); }, agreement::of_rank_0},
      {"message_limit", "WHERRY_MESSAGE_LIMIT", "larger MPI messages are split (K, M, G)",
       [](settings& s, std::string_view name, std::string_view value) {
         const auto bytes = parse_bytes(name, value);
         if (bytes < 8 || bytes > std::size_t{1} << 30) reject(name, value, "8 to 1G");
         s.message_limit = bytes;
       },
       [](const settings& s) { return detail::text(s.message_limit); }, agreement::the_same},
      {"one_copy_row", "WHERRY_ONE_COPY_ROW", "shortest row in bytes read in place by a node neighbour; 0: ours",
       [](settings& s, std::string_view name, std::string_view value) { s.one_copy_row = parse_bytes(name, value); },
       [](const settings& s) { return detail::text(s.one_copy_row); }},
      {"staged_write", "WHERRY_STAGED_WRITE",
       "longest write to a node neighbour's own memory that goes through staging (K, M); 0: none",
       [](settings& s, std::string_view name, std::string_view value) { s.staged_write = parse_bytes(name, value); },
       [](const settings& s) { return detail::text(s.staged_write); }},
      {"calibration", "WHERRY_CALIBRATION",
       "file that says what moving data costs here; 0: defaults; none: the one ./run info --calibrate keeps",
       [](settings& s, std::string_view, std::string_view value) { s.calibration = value; },
       [](const settings& s) { return s.calibration; }},
      {"device", "WHERRY_DEVICE", "device of fields in device memory: auto, none, fake or its name",
       [](settings& s, std::string_view, std::string_view value) { s.device = value; },
       [](const settings& s) { return s.device; }},
      {"gpu_aware_mpi", "WHERRY_GPU_AWARE_MPI", "whether MPI reaches device memory: 1, 0; auto: MPI is asked",
       [](settings& s, std::string_view name, std::string_view value) {
         if (value != "auto") static_cast<void>(parse_switch(name, value));
         s.gpu_aware_mpi = value == "on" ? "1" : value == "off" ? "0" : value;
       },
       [](const settings& s) { return s.gpu_aware_mpi; }, agreement::the_same},
      {"spin", "WHERRY_SPIN", "polls before a wait yields its core; auto: 200, or 5 where ranks are more than cores",
       [](settings& s, std::string_view name, std::string_view value) {
         s.spin = value == "auto" ? -1 : parse_number<int>(name, value, 0, 1'000'000'000);
       },
       [](const settings& s) { return s.spin < 0 ? "auto" : detail::text(s.spin); }},
      {"gaspi_limits", "WHERRY_GASPI_LIMITS", "gaspi_config_set refuses what is beyond GPI-2's own limits",
       [](settings& s, std::string_view name, std::string_view value) { s.gaspi_limits = parse_switch(name, value); },
       [](const settings& s) { return detail::text(s.gaspi_limits); }},
      {"coll", "WHERRY_COLL", "implementation of all collectives; none: chosen by size",
       [](settings& s, std::string_view, std::string_view value) { s.collectives = value; },
       [](const settings& s) { return s.collectives; }, agreement::the_same},
      {"coll_tuning", "WHERRY_COLL_TUNING", "file that says which implementations of collectives are best",
       [](settings& s, std::string_view, std::string_view value) { s.collective_tuning = value; },
       [](const settings& s) { return s.collective_tuning; }, agreement::of_rank_0},
      {"sparse", "WHERRY_SPARSE", "algorithm of all sparse exchanges; none: chosen by the number of ranks",
       [](settings& s, std::string_view, std::string_view value) { s.sparse = value; },
       [](const settings& s) { return s.sparse; }, agreement::the_same},
      {"preload", "WHERRY_PRELOAD", "collectives that the preload replaces: 1 (all), 0 or their names",
       [](settings& s, std::string_view name, std::string_view value) {
         check_collectives(name, value);
         s.preload = value;
       },
       [](const settings& s) { return s.preload; }, agreement::the_same},
      {"preload_nonblocking", "WHERRY_PRELOAD_NONBLOCKING", "the preload replaces MPI_Ibcast, MPI_Bcast_init, … too",
       [](settings& s, std::string_view name, std::string_view value) {
         s.preload_nonblocking = parse_switch(name, value);
       },
       [](const settings& s) { return detail::text(s.preload_nonblocking); }, agreement::the_same},
      {"preload_compare", "WHERRY_PRELOAD_COMPARE",
       "few calls are left to MPI, to see what it takes: 0, 1 (if the same bits) or all",
       [](settings& s, std::string_view name, std::string_view value) {
         if (value != "0" && value != "1" && value != "all") reject(name, value, "0, 1 or all");
         s.preload_compare = value;
       },
       [](const settings& s) { return s.preload_compare; }, agreement::the_same},
      {"preload_report", "WHERRY_PRELOAD_REPORT", "the preload tells at the end what it replaced",
       [](settings& s, std::string_view name, std::string_view value) { s.preload_report = parse_switch(name, value); },
       [](const settings& s) { return detail::text(s.preload_report); }},
  };
  [[maybe_unused]] static const bool complete =
      (add_collectives(entries, std::make_index_sequence<collective_names.size()>{}), true);
  return entries;
}

std::string words_for(agreement ranks) {
  if (ranks == agreement::each_its_own) return {};
  return ranks == agreement::the_same ? " [the same on all ranks]" : " [rank 0's counts]";
}

settings read_environment() {
  settings result;
  for (auto& row : table()) {
    const char* value = std::getenv(std::string(row.variable).c_str());
    if (value == nullptr || *value == '\0') continue;
    row.assign(result, row.variable, value);
    row.source = "environment";
  }
  return result;
}

std::vector<common_setting> common_to_all(const settings& values) {
  std::vector<common_setting> result;
  for (const auto& row : table())
    if (row.ranks == agreement::the_same) result.push_back({row.variable, row.show(values)});
  return result;
}

struct settings_in_force {
  settings values = read_environment();
  std::vector<common_setting> common = common_to_all(values);
};

settings_in_force& in_force() {
  static settings_in_force only;
  return only;
}

}  // namespace

const settings& current_settings() { return in_force().values; }

const std::vector<common_setting>& settings_that_must_agree() { return in_force().common; }

void configure(std::string_view name, std::string_view value) {
  auto& now = in_force();
  for (auto& row : table()) {
    if (row.name != name) continue;
    row.assign(now.values, row.variable, value);
    row.source = "program";
    now.common = common_to_all(now.values);
    return;
  }
  throw error(error_kind::argument, "configure",
              detail::text("there is no setting named '", name, "'; `./run info` lists them"));
}

std::vector<setting_report> report_settings() {
  const settings& values = current_settings();
  std::vector<setting_report> rows;
  for (const auto& row : table())
    rows.push_back(
        {std::string(row.variable), row.show(values), row.source, std::string(row.meaning) + words_for(row.ranks)});
  return rows;
}

}  // namespace wherry
