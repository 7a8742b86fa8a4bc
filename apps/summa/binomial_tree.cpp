#include "binomial_tree.hpp"

namespace summa {

std::function<void(wherry::plans::schedule&)> binomial_tree(const problem& what, int dimension, const panel& k,
                                                            int rank) {
  const int i = rank / what.columns, j = rank % what.columns;
  const int ranks = dimension == 1 ? what.columns : what.rows;
  const int owner = dimension == 1 ? k.column : k.row, mine = dimension == 1 ? j : i;
  const int place = (mine - owner + ranks) % ranks;  // the owner has place 0
  const auto rank_at = [=](int there) {
    const int along = (there + owner) % ranks;
    return dimension == 1 ? what.rank(i, along) : what.rank(along, j);
  };
  return [=](wherry::plans::schedule& plan) {
    // The section that the owner sends, or the section that another rank receives and then sends on.
    const auto& planned = plan.stages.front();
    const auto messages = place == 0 ? planned.sends : planned.receives;
    if (messages.empty()) return;
    plan.stages.clear();
    for (int known = 1; known < ranks; known *= 2) {  // number of ranks that have the panel before the stage
      auto& stage = plan.stages.emplace_back();
      auto message = messages.front();
      if (place < known && place + known < ranks) {
        message.peer = rank_at(place + known);
        stage.sends.push_back(message);
      } else if (place >= known && place < 2 * known) {
        message.peer = rank_at(place - known);
        stage.receives.push_back(message);
      }
    }
  };
}

}  // namespace summa
