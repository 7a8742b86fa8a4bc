"""The faults that plant_faults.py plants: what stands where, what stands there instead, and which programs must see it."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Test:
    program: str  # a target, which is its path in the build tree
    only: str = ""  # of its tests
    ranks: int = 2

    def arguments(self):
        return ["--only", self.only] if self.only else []

    def __str__(self):
        return self.program.split("/")[-1] + (f" --only {self.only}" if self.only else "") + f" -n {self.ranks}"


@dataclass(frozen=True)
class Fault:
    name: str
    file: str
    text: str
    instead: str
    tests: tuple


def collectives(only, ranks=2):
    return (Test("tests/collective/mpi/collectives", only, ranks),)


def waits(only="what_notifies"):
    return (Test("tests/waits/waits", only),)


COLLECTIVE_WAITS = (Test("tests/collective/mpi/collective_waits"),)
QUESTIONS = (Test("tests/halo/mpi/rooted", "what_carries"), Test("tests/halo/mpi/rooted", "all_that_carries"))
KERNELS = "src/collective/combine_kernels.cpp"
OPERATIONS = "include/wherry/collective/mpi_operations.hpp"
REDUCTION = "include/wherry/plan/reduction.hpp"
IMPLEMENTATIONS = "src/collective/implementations.cpp"
WORDS = "src/channel/notification_words.cpp"
DEVICE = "src/device/move_builder.cpp"
GASPI = "compat/gaspi/collectives.cpp"

FAULTS = [
    # Reductions.
    Fault("min_as_max", REDUCTION, "minimum, minimum, meant_for", "minimum, maximum, meant_for", collectives("every_operation")),
    Fault("band_as_bor", REDUCTION, "bit_and, std::bit_and<>, meant_for", "bit_and, std::bit_or<>, meant_for",
          collectives("every_operation")),
    Fault("xor_as_or", REDUCTION, "bit_xor, std::bit_xor<>, meant_for", "bit_xor, std::bit_or<>, meant_for",
          collectives("every_operation")),
    Fault("product_as_sum", REDUCTION, "multiply, std::multiplies<>, meant_for", "multiply, std::plus<>, meant_for",
          collectives("every_operation")),
    Fault("uint64_as_int64", "src/collective/predefined_types.cpp", "  add(unsigned_integer, {MPI_UNSIGNED, MPI_UNSIGNED_LONG,",
          "  add(signed_integer, {MPI_UNSIGNED, MPI_UNSIGNED_LONG,", collectives("every_operation")),
    Fault("uint16_as_int16", KERNELS, "all_kernels[what]", "all_kernels[what == 6 ? 2 : what]",
          collectives("every_operation")),
    Fault("typed_max_as_min", OPERATIONS, "MPI_SUM, MPI_MIN,  MPI_MAX,", "MPI_SUM, MPI_MIN,  MPI_MIN,", collectives("of_the_standard")),
    Fault("device_uint32_as_int32", DEVICE, "  return place;", "  return place == 7 ? wherry::detail::number_place{3} : place;",
          (Test("tests/halo/mpi/halo_device", "every_operation"),)),
    Fault("device_min_as_max", DEVICE, "  what = how->known;",
          "  what = how->known == plans::known_operation::minimum ? plans::known_operation::maximum : how->known;",
          (Test("tests/halo/mpi/halo_device", "every_operation"),)),
    Fault("device_forgets_small_numbers", "src/device/move_table.cpp", "what_.numbers_apart = made.numbers_apart;", "",
          (Test("tests/halo/mpi/halo_device", "every_operation"),)),
    Fault("gaspi_uint_as_int", GASPI, "plans::element_of<unsigned>()", "plans::element_of<int>()",
          (Test("tests/compat/mpi/gaspi/gaspi_groups"),)),
    Fault("gaspi_min_as_max", GASPI, "operations{minimum, maximum, add}", "operations{maximum, maximum, add}",
          (Test("tests/compat/mpi/gaspi/gaspi_groups"),)),
    Fault("group_forgets_the_last", "src/notify/group_rounds.cpp", "for (std::size_t i = 1; i < links_.all.size(); ++i)\n    how",
          "for (std::size_t i = 1; i + 1 < links_.all.size(); ++i)\n    how",
          (Test("tests/notify/mpi/rank_groups", "every_operation"),)),

    # What implementations and transports say of themselves.
    Fault("bruck_never", IMPLEMENTATIONS, "return how == nullptr ?", 'return how == nullptr || self.name == "bruck" ?',
          collectives("the_list_says")),
    Fault("shared_never", IMPLEMENTATIONS, 'if (!on.one_node) return "not', 'if (on.comm.size() > 1) return "not',
          collectives("the_list_says")),
    Fault("ring_in_any_order", "src/collective/algorithms/ring.cpp",
          ".needs_commutative = true,\n                                         .count_blocks = block_a_rank,",
          ".count_blocks = block_a_rank,", collectives("the_list_says")),
    Fault("aggregated_is_gone", "src/transport/registry.cpp", '{.name = "aggregated",', '{.name = "aggregated_",',
          (Test("tests/transport/mpi/total_exchange", "of_the_list"),)),
    Fault("shared_reaches_all", "src/transport/registry.cpp",
          'unpacked by the peer\'s device from there; flags, no MPI call",\n       .blocks_by = "the device",\n       .node_only = true,',
          'unpacked by the peer\'s device from there; flags, no MPI call",\n       .blocks_by = "the device",\n       .node_only = false,',
          (Test("tests/transport/mpi/total_exchange", "device_memory"), Test("tests/halo/mpi/halo_device", "", 3))),

    # Waits: limits, and who is named.
    Fault("brief_call_without_limit", "src/collective/shared_brief.cpp", "      patience.pause([&](std::vector<int>& ranks) {",
          "      if (on_.board == nullptr) patience.pause([&](std::vector<int>& ranks) {", COLLECTIVE_WAITS),
    Fault("brief_call_names_itself", "src/collective/shared_brief.cpp",
          "if constexpr (requires { ready.append_missing(ranks); }) ready.append_missing(ranks);",
          "ranks.push_back(on_.comm.rank());", COLLECTIVE_WAITS),
    Fault("copy_out_without_limit", "src/channel/segment_pieces.cpp", "if (!patient.poll_for(seconds, copy_what_came)) return false;",
          "while (!copy_what_came()) static_cast<void>(seconds);\n  static_cast<void>(patient);", waits()),
    Fault("wait_some_without_limit", WORDS, "poll_for(seconds, [&] {", "poll_for(no_limit, [&] {", waits()),
    Fault("wait_and_reset_without_limit", WORDS, "wait_some(id, 1, left);", "wait_some(id, 1, std::max(left, no_limit));", waits()),
    Fault("passive_send_without_limit", "src/notify/passive_messages.cpp", "poll_for(seconds, send_if_there_is_room,",
          "poll_for(seconds + 1e9, send_if_there_is_room,", waits()),
    Fault("passive_send_names_nobody", "src/notify/passive_messages.cpp", "missing.push_back(message->peer());",
          "static_cast<void>(message), static_cast<void>(missing);", waits()),
    Fault("readers_not_awaited", "src/notify/published_layouts.cpp", "seconds, [&] { return s.have_all_read(); },",
          "seconds, [&] { return true; },", waits()),
    Fault("group_names_itself", "src/notify/group_rounds.cpp",
          "if (!has_come(links_.all[i].board.up(number_))) ranks.push_back(links_.all[i].rank);",
          "if (!has_come(links_.all[i].board.up(number_))) ranks.push_back(links_.rank);", waits()),

    # What is counted.
    Fault("waits_of_exchanges_uncounted", "src/transport/exchange_state.cpp",
          "if (measured_) seconds_waiting_ +=", "if (measured_) [[maybe_unused]] const double uncounted =", QUESTIONS),
    Fault("waits_of_segments_uncounted", "src/channel/measured_wait.hpp", "std::max<std::int64_t>(waited.count() - copied, 0),",
          "std::min<std::int64_t>(waited.count() - copied, 0),", waits()),
    Fault("waits_of_streams_uncounted", "src/transport/stream_log.cpp", "c.counted.seconds_waiting += seconds;", "", waits("for_streams")),
    Fault("waits_of_collectives_uncounted", "src/collective/operation_work.hpp",
          "return static_cast<double>(trace_clock() - began) * 1e-9;", "return 0;", collectives("waits_are_measured")),

    # Plans, files, algorithms.
    Fault("upper_neighbours_unknown", "src/halo/neighborhood.cpp",
          "for (const int direction : {-1, 1})", "for (const int direction : {-1})",
          (Test("tests/halo/mpi/halo_update", "", 3),)),
    Fault("halos_end_at_the_neighbour", "src/halo/neighborhood.cpp", "while (distance < reach)", "while (distance < reach - reach)",
          (Test("tests/halo/mpi/halo_wide", "", 3), Test("tests/halo/unit/unit_halo_plan", "wide", 1))),
    Fault("last_box_around_a_point", "src/motion/floor_plan.cpp", "none = std::min(none, place)", "none = place",
          (Test("tests/motion/unit/unit_floor_plan", "points", 1),)),
    Fault("bruck_sends_behind", "src/collective/algorithms/bruck.cpp", "around(at.rank + power_of_two(k), at.size)",
          "around(at.rank - power_of_two(k), at.size)", (Test("tests/collective/unit/unit_collective_algorithms", "", 1),)),
    Fault("one_piece_too_many", "src/motion/decompose.cpp", "value / divisor + (value % divisor > 0 ? 1 : 0)", "value / divisor + 1",
          (Test("tests/motion/unit/unit_decompose", "", 1),)),
    Fault("seal_not_compared", "src/core/sealed_header.cpp", "if (seal_of(header) != seal_for(header))",
          "if (header.empty())", (Test("tests/core/unit/unit_checked", "", 1),)),
    Fault("saved_damage_accepted", "src/blocks/saved_array.cpp", "if (get_number(bytes.data() + size) !=",
          "if (false && get_number(bytes.data() + size) !=", (Test("tests/blocks/mpi/array_file", "any_rank_reads", 1),)),
    Fault("short_file_accepted", "src/blocks/array_file_format.cpp", "if (facts.total != file_bytes)", "if (facts.total < file_bytes)",
          (Test("tests/blocks/mpi/array_file", "", 1),)),
    Fault("other_type_loaded", "src/deep/checkpoint_load.cpp", "if (facts.type != type)", "if (facts.type == 0)",
          (Test("tests/deep/mpi/deep_checkpoint", "", 1),)),
    Fault("packets_too_long", "src/plan/packets.cpp", "if (filled > 0 && filled + bytes > most)", "if (filled > most)",
          (Test("tests/halo/mpi/rooted", "in_packets"), Test("tests/plan/unit/unit_schedule", "", 1))),
]
