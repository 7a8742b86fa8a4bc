/// @file
/// Wherry's contenders: with nodes that can be freed one by one, and with nodes in an arena.
#pragma once

#include "deep/contender.hpp"
#include "deep/graph.hpp"
#include "deep/scene.hpp"

namespace bench::deep {

contenders our_messages(const job<scene>& work);
contenders our_messages(const job<graph>& work);
contenders our_files(const job<scene>& work);
contenders our_files(const job<graph>& work);

template <class Structure> contenders ours(const job<Structure>& work) {
  return work.what == operation::write || work.what == operation::read ? our_files(work) : our_messages(work);
}

}  // namespace bench::deep
