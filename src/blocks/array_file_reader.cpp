#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tuple>

#include "wherry/blocks/array_file.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/box_list.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"

#include "array_file_format.hpp"
#include "core/collective.hpp"
#include "core/mpi_file.hpp"
#include "core/plain_file.hpp"
#include "core/stored_numbers.hpp"
#include "core/terms.hpp"

// Reading is a motion from the file's pieces to the array's boxes. Every rank reads an equal, contiguous share of the
// pieces and verifies it, and a mover brings the cells to their owners. So a file with other boxes costs one pass over
// the disk, not one for each rank. If the same number of ranks wrote the file, a rank's share is nearly its own boxes.

namespace wherry {
namespace {

using array_file::checksum_bytes;
using array_file::header;
using array_file::header_image;
using array_file::numbered_box;
using array_file::piece;

constexpr const char* in_array_file_reader = "array_file";

/// Runs a check on rank 0. A failure names the file and is thrown on all ranks alike.
template <class Step> void on_rank_0(const communicator& comm, const std::string& path, Step&& step) {
  detail::collectively(comm, in_array_file_reader, [&] {
    if (comm.rank() != 0) return;
    try {
      step();
    } catch (const error& failure) {
      throw error(failure.kind(), in_array_file_reader, detail::text("'", path, "': ", failure.text()), 0);
    }
  });
}

void bcast(const communicator& comm, std::span<std::byte> bytes) {
  patient::bcast(comm, in_array_file_reader, bytes, 0);
}

using array_file::image_place;

struct head {
  header facts;
  std::uint64_t seed = 0;
};

head read_head(const communicator& comm, const image_place& at) {
  header_image image{};
  on_rank_0(comm, at.path, [&] {
    const plain_file file(at.path, in_array_file_reader);
    const auto bytes = at.bytes < 0 ? file.size() : at.bytes;
    if (bytes < array_file::header_bytes)
      throw error(error_kind::argument, in_array_file_reader,
                  detail::text("it has ", bytes, " bytes, too few for an array file"));
    file.read(at.begin, image);
    array_file::decode(image, bytes);
  });
  bcast(comm, image);
  return {array_file::decode(image, array_file::total_of(image)), array_file::seed_of(image)};
}

/// Checks that every box number occurs once, and that the data fill the file to its last byte.
template <int N> void check(const std::vector<numbered_box<N>>& table, const header& facts) {
  const auto fail = [](std::string_view what) { throw error(error_kind::argument, in_array_file_reader, what); };
  std::vector<bool> seen(table.size());
  index_t end = facts.data_begin();
  for (const auto& [number, cells] : table) {
    if (seen[static_cast<std::size_t>(number)]) fail(detail::text("its table has box ", number, " twice"));
    seen[static_cast<std::size_t>(number)] = true;
    end += array_file::bytes_of(cells, facts);
    if (end > facts.total) break;
  }
  if (end != facts.total) fail(detail::text("its boxes end at byte ", end, ", but it has ", facts.total, " bytes"));
}

/// Reads the table of boxes, in the order of the data. Reads it in pieces, so that the table of a sparse, damaged file
/// takes no memory before it is refused.
template <int N>
std::vector<numbered_box<N>> read_table(const communicator& comm, const image_place& at, const head& h) {
  std::vector<numbered_box<N>> table;
  on_rank_0(comm, at.path, [&] {
    if (h.facts.dimensions != N)
      throw error(error_kind::argument, in_array_file_reader,
                  detail::text("it has ", h.facts.dimensions, " dimensions, and the array has ", N));
    const plain_file file(at.path, in_array_file_reader);
    const auto entry = static_cast<std::size_t>(h.facts.entry());
    std::vector<std::byte> some(4096 * entry);
    for (index_t place = 0; place < h.facts.boxes;) {
      const auto count = std::min<index_t>(4096, h.facts.boxes - place);
      const auto bytes = std::span(some).first(static_cast<std::size_t>(count) * entry);
      file.read(at.begin + array_file::header_bytes + place * h.facts.entry(), bytes);
      for (index_t i = 0; i < count; ++i, ++place)
        array_file::decode_entry<N>(bytes.subspan(static_cast<std::size_t>(i) * entry, entry), h.facts, h.seed, table);
    }
    check(table, h.facts);
  });
  detail::collectively(comm, in_array_file_reader, [&] { table.resize(static_cast<std::size_t>(h.facts.boxes)); });
  bcast(comm, std::as_writable_bytes(std::span(table)));
  return table;
}

/// The complete floor plan, gathered from all ranks if it is partial. Collective. It is kept only during one call.
template <int N> floor_plan<N> completed(const communicator& comm, const floor_plan<N>& plan) {
  if (plan.complete()) return plan;
  std::vector<numbered_box<N>> mine, all(static_cast<std::size_t>(plan.size()));
  for (const int number : plan.owned_by(comm.rank())) mine.push_back({number, plan[number]});
  MPI_Datatype plain = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_contiguous(sizeof(numbered_box<N>), MPI_BYTE, &plain), "MPI_Type_contiguous");
  const detail::unique_datatype entry(plain);
  check_mpi(PMPI_Type_commit(&plain), "MPI_Type_commit");
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> starts(ranks + 1, 0);
  const int count = static_cast<int>(mine.size());
  const auto counts = patient::allgather(comm, in_array_file_reader, count);
  const detail::checked boxes_of_all{in_array_file_reader, "number of boxes of all ranks", comm.rank()};
  for (std::size_t r = 0; r < ranks; ++r) starts[r + 1] = boxes_of_all.sum(starts[r], counts[r]);
  if (starts[ranks] != plan.size())
    throw error(error_kind::mismatch, in_array_file_reader,
                detail::text("the ranks own ", starts[ranks], " boxes, but the floor plan has ", plan.size()),
                comm.rank());
  std::tie(mine, all, std::ignore, std::ignore) = patient::run(
      comm, in_array_file_reader, std::tuple(std::move(mine), std::move(all), counts, starts), [&](auto& buffers) {
        auto& [from, into, numbers, places] = buffers;
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(PMPI_Iallgatherv(from.data(), count, plain, into.data(), numbers.data(), places.data(), plain,
                                   comm.private_handle(), &request),
                  "MPI_Iallgatherv");
        return request;
      });
  std::vector<box<N>> boxes(all.size());
  owner_map owners(all.size());
  for (std::size_t r = 0; r < ranks; ++r)
    for (int i = starts[r]; i < starts[r + 1]; ++i) {
      const auto& [number, cells] = all[static_cast<std::size_t>(i)];
      boxes[static_cast<std::size_t>(number)] = cells;
      owners[static_cast<std::size_t>(number)] = static_cast<int>(r);
    }
  return {std::move(boxes), std::move(owners)};
}

/// A piece of the file that the array needs.
template <int N> struct wanted {
  piece<N> what;
  int box = 0;        // the box's number in the file's floor plan
  box_list<N> own{};  // the part of it that no earlier box of the file has; not used if boxes are found by number
  index_t place = 0;  // bytes of all wanted pieces before it
};

template <int N> bool same_boxes(const std::vector<numbered_box<N>>& table, const floor_plan<N>& plan) {
  return static_cast<int>(table.size()) == plan.size() &&
         std::all_of(table.begin(), table.end(), [&](const auto& e) { return plan[e.number] == e.cells; });
}

/// The floor plan of the parts of the boxes that lie in a section.
template <int N> floor_plan<N> plan_on(const box<N>& section, const floor_plan<N>& plan) {
  std::vector<box<N>> parts;
  for (const auto& cells : plan.boxes()) parts.push_back(intersection(cells, section));
  return {std::move(parts), owner_map(plan.owners().begin(), plan.owners().end())};
}

template <int N> class reader {
 public:
  reader(const communicator& comm, const image_place& at, const detail::array_shape<N>& shape,
         std::span<void* const> memory, const box<N>* section, const array_file_options& how)
      : comm_(comm),
        at_(at),
        path_(at.path),
        into_(shape),
        memory_(memory),
        how_(how),
        head_(read_head(comm, at)),
        table_(read_table<N>(comm, at, head_)) {
    auto plan = values_of(completed(comm, *shape.plan), shape.centring);  // from here on, boxes of values
    into_.centring = {};
    if (section != nullptr) plan = plan_on(*section, plan);
    into_.plan = std::make_shared<const floor_plan<N>>(std::move(plan));
    by_number_ = same_boxes(table_, *into_.plan);
    find_wanted();
  }

  index_t run() {
    const terms agreed([this](auto& say) {
      say(how_.buffer_bytes, "'buffer_bytes'");
      say(into_.element, "the bytes of an element");
      say(into_.components, "the number of components");
      say(into_.plan->size(), "the number of boxes");
      say(into_.plan->fingerprint(), "the floor plan, or the section");
    });
    collectively_on(agreed, comm_, in_array_file_reader, [&] { check_fit(); });
    mpi_file file(comm_, path_, MPI_MODE_RDONLY, how_.hints, in_array_file_reader);
    index_t filled = 0;
    for (index_t round = 0; round * how_.buffer_bytes < share_; ++round) filled += read_round(file, round);
    file.close();
    return patient::allreduce(comm_, in_array_file_reader, std::vector{filled}, patient::sum)[0];
  }

 private:
  void check_fit() const {
    const auto fail = [&](const auto&... what) {
      throw error(error_kind::argument, in_array_file_reader, detail::text("'", path_, "' has ", what...),
                  comm_.rank());
    };
    const auto& f = head_.facts;
    if (f.type != how_.type || f.element != into_.element)
      fail("elements of type '", f.type, "' (", f.element, " bytes), and the array has '", how_.type, "' (",
           into_.element, " bytes)");
    if (f.components != into_.components) fail(f.components, " components, and the array has ", into_.components);
    if (how_.buffer_bytes < 1 || how_.buffer_bytes > array_file::largest_piece)
      throw error(error_kind::argument, in_array_file_reader,
                  detail::text("'buffer_bytes' is ", how_.buffer_bytes, ", expected 1 to 2^30"));
  }

  void find_wanted() {
    const box_index<N> touched(into_.plan->boxes());
    std::vector<box<N>> all;
    for (const auto& e : table_)
      if (!by_number_) all.push_back(e.cells);
    const box_index<N> written(all);
    const auto own_of = [&](const box<N>& cells, int at) {
      box_list<N> own{cells};
      written.for_each_touching(cells, [&](int other) {
        if (other < at) own = difference(own, all[static_cast<std::size_t>(other)]);
      });
      return own;
    };
    index_t begin = head_.facts.data_begin(), place = 0;
    int at = -1;
    for (const auto& [number, cells] : table_) {
      ++at;
      begin = array_file::for_each_piece(cells, begin, head_.facts, [&, n = number](const piece<N>& p) {
        bool needed = by_number_;
        if (!needed) touched.for_each_touching(p.cells, [&](int) { needed = true; });
        if (!needed) return;
        wanted_.push_back({p, n, by_number_ ? box_list<N>{} : own_of(p.cells, at), place});
        place += p.bytes + checksum_bytes;
      });
    }
    share_ = (place + comm_.size() - 1) / comm_.size();
  }

  int owner(const wanted<N>& w) const { return static_cast<int>(w.place / share_); }

  /// The pieces of one round. This rank's pieces are in `buffer` in the order of the file.
  struct round_pieces {
    floor_plan<N> plan;
    std::vector<int> box_of;       // for each number in `plan`, the number of the box
    std::vector<box_list<N>> own;  // for each number in `plan`, as in `wanted`
    detail::array_shape<N> shape;
    std::vector<const wanted<N>*> mine;
    std::vector<std::byte> buffer = std::vector<std::byte>(1);  // never empty, so that it has an address
  };

  round_pieces pieces_of(index_t round) const {
    round_pieces result;
    index_t bytes = 0;
    for (const auto& w : wanted_) {
      if (w.place % share_ / how_.buffer_bytes != round) continue;
      result.plan.add(w.what.cells, owner(w));
      result.box_of.push_back(w.box);
      result.own.push_back(w.own);
      if (owner(w) != comm_.rank()) continue;
      auto strides = dense_strides(w.what.cells.extents(), fortran_layout<N>());
      for (auto& s : strides) s *= into_.element;
      result.shape.grids.push_back(
          {result.plan.size() - 1, 0, bytes, w.what.cells, strides, w.what.cells.size() * into_.element});
      result.mine.push_back(&w);
      bytes += w.what.bytes + checksum_bytes;
    }
    result.buffer.resize(static_cast<std::size_t>(bytes) + 1);
    result.shape.plan = std::make_shared<const floor_plan<N>>(result.plan);
    result.shape.element = into_.element;
    result.shape.components = into_.components;
    result.shape.name = "file";
    result.shape.bytes = {bytes};
    result.shape.fingerprint = fingerprint_of(result.shape);
    return result;
  }

  /// Reads and verifies this rank's pieces. Pieces that are adjacent in the file are read at once.
  void read_and_verify(const mpi_file& file, round_pieces& round) const {
    const auto& grids = round.shape.grids;
    const auto bytes_of = [&](std::size_t i) { return round.mine[i]->what.bytes + checksum_bytes; };
    for (std::size_t first = 0, end = 0; first < grids.size(); first = end) {
      index_t bytes = 0;
      for (end = first; end < grids.size() && round.mine[end]->what.begin == round.mine[first]->what.begin + bytes;
           ++end)
        bytes += bytes_of(end);
      file.read(at_.begin + round.mine[first]->what.begin,
                std::span(round.buffer)
                    .subspan(static_cast<std::size_t>(grids[first].offset), static_cast<std::size_t>(bytes)));
    }
    for (std::size_t i = 0; i < grids.size(); ++i) {
      const auto& what = round.mine[i]->what;
      const auto cells = std::span<const std::byte>(round.buffer)
                             .subspan(static_cast<std::size_t>(grids[i].offset), static_cast<std::size_t>(what.bytes));
      if (get_number(cells.data() + what.bytes) != array_file::checksum_at(head_.seed, what.begin, cells))
        throw error(error_kind::argument, in_array_file_reader,
                    detail::text("'", path_, "': the ", what.bytes, " bytes from ", what.begin, " on, of box ",
                                 round.mine[i]->box, ", are damaged: the checksum is wrong"),
                    comm_.rank());
    }
  }

  motion_plan<N> motion_of(const round_pieces& round) const {
    motion_plan<N> result;
    if (!by_number_) {  // each value comes from one piece, even if several have it
      floor_plan<N> parts;
      std::vector<int> piece;
      for (int k = 0; k < round.plan.size(); ++k)
        for (const auto& part : round.own[static_cast<std::size_t>(k)]) {
          parts.add(part, round.plan.owner(k));
          piece.push_back(k);
        }
      for (auto e : redistribution(parts, *into_.plan).plan(comm_.rank())) {
        e.from = piece[static_cast<std::size_t>(e.from)];
        result.add(e);
      }
      return result;
    }
    for (int k = 0; k < round.plan.size(); ++k) {
      const int to = round.box_of[static_cast<std::size_t>(k)];
      if (round.plan.owner(k) == comm_.rank() || into_.plan->owner(to) == comm_.rank())
        result.copy(k, to, round.plan[k]);
    }
    return result;
  }

  /// Reads one round, and returns the number of this rank's cells that were filled.
  index_t read_round(mpi_file& file, index_t number) {
    auto round = pieces_of(number);
    const auto failure = detail::error_of(comm_, in_array_file_reader, [&] { read_and_verify(file, round); });
    try {
      detail::agree_or_throw(comm_, in_array_file_reader, failure ? &*failure : nullptr);
    } catch (const error&) {
      file.close();  // collective, and all ranks come here
      throw;
    }
    const auto motion = motion_of(round);
    void* const buffer = round.buffer.data();
    mover move({{comm_, detail::moved(round.shape, {&buffer, 1}), detail::moved(into_, memory_),
                 detail::erase<N>({plans::motion_builder<motion_plan<N>>::of(motion)}, round.shape, into_)}});
    move();
    index_t filled = 0;
    for (const auto& e : motion)
      if (into_.plan->owner(e.to) == comm_.rank()) filled += e.destination.size();
    return filled;
  }

  communicator comm_;
  image_place at_;
  std::string path_;
  detail::array_shape<N> into_;
  std::span<void* const> memory_;
  array_file_options how_;
  head head_;
  std::vector<numbered_box<N>> table_;
  bool by_number_ = false;
  std::vector<wanted<N>> wanted_;
  index_t share_ = 0;  // bytes for each rank
};

}  // namespace

array_file_description array_file::describe(const communicator& comm, const image_place& at) {
  const auto facts = read_head(comm, at).facts;
  return {facts.dimensions, facts.components, facts.boxes, facts.element, facts.type, facts.total};
}

array_file_description describe_array_file(const communicator& comm, const std::string& path) {
  return array_file::describe(comm, {path});
}

template <int N> floor_plan<N> read_floor_plan(const communicator& comm, const std::string& path) {
  const auto h = read_head(comm, {path});
  const auto table = read_table<N>(comm, {path}, h);
  const index_t share = std::max<index_t>(1, (h.facts.total - h.facts.data_begin() + comm.size() - 1) / comm.size());
  std::vector<box<N>> boxes(table.size());
  owner_map owners(table.size());
  index_t before = 0;
  for (const auto& [number, cells] : table) {
    const auto bytes = array_file::bytes_of(cells, h.facts);
    boxes[static_cast<std::size_t>(number)] = cells;
    owners[static_cast<std::size_t>(number)] =
        static_cast<int>(std::min<index_t>(comm.size() - 1, (before + bytes / 2) / share));
    before += bytes;
  }
  return {std::move(boxes), std::move(owners)};
}

template <int N>
index_t detail::read_array(const communicator& comm, const array_file::image_place& from,
                           const detail::array_shape<N>& shape, std::span<void* const> memory, const box<N>* section,
                           const array_file_options& how) {
  return reader<N>(comm, from, shape, memory, section, how).run();
}

#define WHERRY_ARRAY_FILE_READER(N)                                                                         \
  template floor_plan<N> read_floor_plan(const communicator&, const std::string&);                          \
  template index_t detail::read_array(const communicator&, const array_file::image_place&,                  \
                                      const detail::array_shape<N>&, std::span<void* const>, const box<N>*, \
                                      const array_file_options&);
WHERRY_ARRAY_FILE_READER(1)
WHERRY_ARRAY_FILE_READER(2)
WHERRY_ARRAY_FILE_READER(3)
WHERRY_ARRAY_FILE_READER(4)
WHERRY_ARRAY_FILE_READER(5)
WHERRY_ARRAY_FILE_READER(6)
#undef WHERRY_ARRAY_FILE_READER

}  // namespace wherry
