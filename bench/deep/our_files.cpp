// Wherry's contenders for files.
#include <cstdio>

#include "wherry/deep/file.hpp"

#include "deep/guest.hpp"
#include "deep/ours.hpp"

namespace bench::deep {
namespace {

template <class Structure> contender writing(const job<Structure>& work, const std::string& name, bool buffered) {
  const bool mine = rank_in(work.comm) == 0;
  const std::string path = file_for(work.folder, "ours " + name);
  auto& source = const_cast<Structure&>(*work.original);
  return {name, "ours",
          [=, &source] {
            if (mine) wherry::deep::write(path, source, {.buffered = buffered, .sync = false});
          },
          [=] {
            if (mine) std::remove(path.c_str());
          },
          [=] {
            if (!mine) return true;
            Structure back;
            wherry::deep::read(path, back);
            const bool good = same(*work.original, back);
            clear(back);
            return good;
          }};
}

template <class Structure> contenders all(const job<Structure>& work) {
  if (work.what == operation::write) return {writing(work, "streamed", false), writing(work, "packed first", true)};
  const bool mine = rank_in(work.comm) == 0;
  const std::string path = file_for(work.folder, "ours");
  if (mine) wherry::deep::write(path, const_cast<Structure&>(*work.original), {.sync = false});
  contenders result;
  for (const auto& [how, name] : arrivals)
    result.push_back(arriving<Structure>(work, name, how, [mine, path](Structure& to, wherry::deep::arena* arena) {
      if (mine) wherry::deep::read(path, to, {.arena = arena});
    }));
  return result;
}

}  // namespace

contenders our_files(const job<scene>& work) { return all(work); }
contenders our_files(const job<graph>& work) { return all(work); }

}  // namespace bench::deep
