#include "algorithm_carrier.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "block_memory.hpp"
#include "core/cache_line.hpp"
#include "mailboxes.hpp"

namespace wherry::collective {
namespace {

/// The pieces into which pipelines cut vectors.
constexpr std::int64_t segment_bytes = 32 << 10;
constexpr int most_segments = 256;

void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes > 0 && to != from) std::memmove(to, from, static_cast<std::size_t>(bytes));
}

place place_in(const dense_call& call) {
  const auto bytes = call.what == pattern::bcast       ? call.output.bytes(0)
                     : call.reduce.element_bytes() > 0 ? call.count * call.reduce.element_bytes()
                                                       : 0;
  const auto segments = std::clamp<std::int64_t>(bytes / segment_bytes, 1, most_segments);
  return {call.rank, call.size, call.root, static_cast<int>(segments), call.reduce.commutative()};
}

/// The two buffers of an algorithm.
struct buffers {
  block_memory input, work;
  scratch own_work, own_input;
  std::int64_t element = 1;
  std::byte* copy_to = nullptr;  // the place of this rank's own block, copied at the end
};

/// Allocates memory for the blocks that the algorithm holds.
block_memory held_memory(const algorithm& how, const place& at, const dense_call& call, const block_table& sizes,
                         std::vector<std::int64_t>& places, scratch& memory, scratch_pool& pool) {
  const auto held = how.held(at);
  if (call.alike) {
    const auto each = call.what == pattern::gather || call.what == pattern::scatter
                          ? (call.is_root() && call.what == pattern::scatter ? call.input.bytes(0)
                             : call.what == pattern::scatter                 ? call.output.bytes(0)
                                                                             : call.input.bytes(0))
                          : sizes.bytes(0);
    memory = pool.take(static_cast<std::size_t>(each * held.count));
    return block_memory::around(memory.data(), each, held.first, call.size);
  }
  places.resize(2 * static_cast<std::size_t>(call.size));
  std::int64_t whole = 0;
  for (int i = 0; i < held.count; ++i) {
    const auto block = static_cast<std::size_t>((held.first + i) % call.size);
    places[2 * block] = sizes.bytes(static_cast<int>(block));
    places[2 * block + 1] = whole;
    whole += places[2 * block];
  }
  memory = pool.take(static_cast<std::size_t>(whole));
  return block_memory::of_ranks({memory.data(), places.data()});
}

buffers buffers_for(const algorithm& how, const place& at, const dense_call& call, scratch_pool& pool,
                    std::vector<std::int64_t>& places) {
  buffers made;
  const auto vector_at = [&](std::byte* base) {
    return block_memory::of_vector(base, call.what == pattern::bcast ? call.output.bytes(0) : call.count, made.element,
                                   how.blocks(at));
  };
  switch (call.what) {
    case pattern::bcast:
      made.work = vector_at(call.output.at(0));
      break;
    case pattern::gather:
      made.input = block_memory::of_one(call.rank, call.input);
      made.work = call.is_root() ? block_memory::of_ranks(call.output)
                                 : held_memory(how, at, call, call.input, places, made.own_work, pool);
      break;
    case pattern::scatter:
      made.input = block_memory::of_ranks(call.input);
      if (how.held(at).count == 1) {
        made.work = block_memory::of_one(call.rank, call.output);
      } else {
        made.work = held_memory(how, at, call, call.input, places, made.own_work, pool);
        made.copy_to = call.output.at(0);
      }
      break;
    case pattern::allgather:
      made.input = block_memory::of_one(call.rank, call.input);
      made.work = block_memory::of_ranks(call.output);
      break;
    case pattern::alltoall:
      made.input = block_memory::of_ranks(call.input);
      made.work = block_memory::of_ranks(call.output);
      break;
    case pattern::reduce_scatter:
      made.input = block_memory::of_ranks(call.input);
      if (how.held(at).count == 1) {
        made.work = block_memory::of_one(call.rank, call.output);
      } else {
        made.work = held_memory(how, at, call, call.input, places, made.own_work, pool);
        made.copy_to = call.output.at(0);
      }
      break;
    case pattern::reduce:
    case pattern::allreduce:
    case pattern::scan:
    case pattern::exscan: {
      made.element = call.reduce.element_bytes();
      const bool has_output = call.what == pattern::reduce   ? call.is_root()
                              : call.what == pattern::exscan ? call.rank > 0
                                                             : true;
      made.input = vector_at(call.input.at(0));
      auto* base = has_output ? call.output.at(0) : nullptr;
      if (!has_output) {
        made.own_work = pool.take(static_cast<std::size_t>(call.count * made.element));
        base = made.own_work.data();
      }
      made.work = vector_at(base);
      if (has_output && !how.in_place && base == call.input.at(0)) {
        made.own_input = pool.take(static_cast<std::size_t>(call.count * made.element));
        copy_bytes(made.own_input.data(), base, call.count * made.element);
        made.input = vector_at(made.own_input.data());
      }
      break;
    }
    case pattern::barrier:
    case pattern::neighbor_allgather:
    case pattern::neighbor_alltoall:
      break;
  }
  return made;
}

/// The bytes of one transfer's blocks, and their address if they are contiguous.
struct extent_of_transfer {
  std::int64_t bytes = 0;
  std::byte* together = nullptr;

  template <class MemoryOf> extent_of_transfer(const stage& s, const transfer& t, MemoryOf&& memory_of) {
    std::byte* next = nullptr;
    bool gap = false;
    for (const auto& range : s.ranges_of(t))
      for (int b = range.first; b < range.first + range.count; ++b) {
        const block_memory& memory = memory_of(range);
        const auto now = memory.bytes(b);
        if (now == 0) continue;
        if (bytes == 0) together = memory.at(b);
        gap = gap || (bytes > 0 && memory.at(b) != next);
        next = memory.at(b) + now;
        bytes += now;
      }
    if (gap) together = nullptr;
  }
};

/// Stores or combines arrived data, or the rank's own, in its blocks.
void take_in(const stage& s, const transfer& t, const std::byte* from, const buffers& b, const reducer& reduce) {
  for (const auto& range : s.ranges_of(t))
    for (int block = range.first; block < range.first + range.count; ++block) {
      auto* const to = b.work.at(block);
      const auto bytes = b.work.bytes(block);
      const auto* const there = range.where == buffer::input ? b.input.at(block) : to;
      const auto* const arrived = from != nullptr ? from : b.input.at(block);
      if (bytes > 0) {
        const auto count = reduce.element_bytes() > 0 ? bytes / reduce.element_bytes() : 0;
        switch (t.how) {
          case arrival::store:
            copy_bytes(to, arrived, bytes);
            break;
          case arrival::combine_before:
            reduce.combine(to, arrived, there, count);
            break;
          case arrival::combine_after:
            reduce.combine(to, there, arrived, count);
            break;
        }
      }
      if (from != nullptr) from += bytes;
    }
}

template <class MemoryOf> void gather_blocks(const stage& s, const transfer& t, MemoryOf&& memory_of, std::byte* to) {
  for (const auto& range : s.ranges_of(t))
    for (int block = range.first; block < range.first + range.count; ++block) {
      const block_memory& memory = memory_of(range);
      copy_bytes(to, memory.at(block), memory.bytes(block));
      to += memory.bytes(block);
    }
}

/// The bytes of temporary memory that a stage needs: for blocks that are not contiguous, and for data that is combined.
struct staging_needs {
  std::int64_t bytes = 0;
  std::int64_t add(std::int64_t more) {
    const auto at = bytes;
    bytes += in_lines(more);
    return at;
  }
};

std::uint64_t hash_of_lists(const block_table& blocks, int size) {
  shape_hash all;
  for (int b = 0; b < size; ++b) all.add(blocks.bytes(b));
  return all.value();
}

/// The words of the messages: one that all ranks know alike, or, if only two ranks know a message's bytes, one for each
/// message.
said_by_messages said_by(const dense_call& call) {
  const auto& terms = call.terms;
  switch (call.what) {
    case pattern::bcast:
      return {terms, terms.of(call.output.bytes(0))};
    case pattern::gather:
      return {terms, call.alike ? terms.of(call.input.bytes(0)) : 0};
    case pattern::scatter:
      return {terms, call.alike ? terms.of(call.output.bytes(0)) : 0};
    case pattern::alltoall:
      return {terms, call.alike ? terms.of(call.input.bytes(0)) : 0};
    case pattern::allgather:
      return {terms,
              call.alike ? terms.of(call.output.bytes(0)) : terms.of_lists(hash_of_lists(call.output, call.size))};
    case pattern::reduce_scatter:
      return {terms, call.alike ? terms.of(call.input.bytes(0)) : terms.of_lists(hash_of_lists(call.input, call.size))};
    case pattern::reduce:
    case pattern::allreduce:
    case pattern::scan:
    case pattern::exscan:
      return {terms, terms.of(call.count * call.reduce.element_bytes())};
    default:
      return {terms, terms.of(0)};
  }
}

}  // namespace

std::string_view obstacle_of(const algorithm& how, kind what, int size, bool commutative) {
  if (how.needs_commutative && !commutative) return "the operation does not commute";
  if (how.even_sizes && size > 1 && size % 2 != 0) return "the number of ranks is odd";
  if (how.sizes == sizes_known::equal && !has_equal_blocks(what)) return "blocks may differ in size";
  if (how.sizes == sizes_known::all &&
      (what == kind::gatherv || what == kind::scatterv || what == kind::alltoallv || what == kind::alltoallw))
    return "not every rank knows the sizes of all blocks";
  return {};
}

template <class Messages>
task carry(const algorithm& how, participants who, const dense_call& call, Messages& messages, scratch_pool& pool,
           carrier_room& room) {
  messages.say(said_by(call));
  const auto at = place_in(call);
  const bool barrier = call.what == pattern::barrier;
  const auto b = buffers_for(how, at, call, pool, room.places);
  const auto memory_to_read = [&b](const block_range& range) -> const block_memory& {
    return range.where == buffer::input ? b.input : b.work;
  };
  const auto memory_to_write = [&b](const block_range&) -> const block_memory& { return b.work; };
  scratch staging;
  const int stages = how.stages(at);
  for (int k = 0; k < stages; ++k) {
    auto& s = room.now;
    how.make_stage(at, k, s);
    staging_needs needs;
    for (const auto& t : s.sends)
      if (const extent_of_transfer all(s, t, memory_to_read); all.together == nullptr || s.overwrites)
        needs.add(all.bytes);
    for (const auto& t : s.receives)
      if (const extent_of_transfer all(s, t, memory_to_write);
          t.peer != call.rank && (all.together == nullptr || t.how != arrival::store))
        needs.add(all.bytes);
    if (static_cast<std::int64_t>(staging.bytes()) < needs.bytes)
      staging = pool.take(static_cast<std::size_t>(needs.bytes));

    staging_needs used;
    room.leaving.clear();
    room.arrived.clear();
    for (const auto& t : s.sends) {  // copied before data can arrive in the same place
      const extent_of_transfer all(s, t, memory_to_read);
      auto* from = all.together;
      if (from == nullptr || s.overwrites) {
        from = staging.data() + used.add(all.bytes);
        gather_blocks(s, t, memory_to_read, from);
      }
      room.leaving.push_back({from, all.bytes});
    }
    for (const auto& t : s.receives) {
      const extent_of_transfer all(s, t, memory_to_write);
      auto* into = t.peer == call.rank ? nullptr : all.together;
      if (t.peer != call.rank) {
        if (into == nullptr || t.how != arrival::store) into = staging.data() + used.add(all.bytes);
        messages.receive(into, all.bytes, who.rank_of(t.peer), barrier);
      }
      room.arrived.push_back({into, all.bytes});
    }
    for (std::size_t i = 0; i < s.sends.size(); ++i)
      messages.send(room.leaving[i].at, room.leaving[i].bytes, who.rank_of(s.sends[i].peer), barrier);
    co_await until(all_there<Messages>{messages});
    for (std::size_t i = 0; i < s.receives.size(); ++i) {
      const auto& t = s.receives[i];
      const extent_of_transfer all(s, t, memory_to_write);
      if (room.arrived[i].at == all.together && t.how == arrival::store && t.peer != call.rank) continue;
      take_in(s, t, room.arrived[i].at, b, call.reduce);
    }
  }
  if (b.copy_to != nullptr) copy_bytes(b.copy_to, b.work.at(call.rank), b.work.bytes(call.rank));
}

template task carry(const algorithm&, participants, const dense_call&, agreed_messages<stage_messages>&, scratch_pool&,
                    carrier_room&);
template task carry(const algorithm&, participants, const dense_call&, agreed_messages<mailed_messages>&, scratch_pool&,
                    carrier_room&);

}  // namespace wherry::collective
