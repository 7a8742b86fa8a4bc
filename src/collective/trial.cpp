#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "wherry/collective/tuning.hpp"

namespace wherry::collective {
namespace {

constexpr int looks = 3, rounds = 8;  // the first look of each candidate has cold caches, and is not counted
constexpr double hopeless = 3;        // times slower than the best
constexpr std::size_t most_racers = 5;

/// The value below which a share `p` of the values lies, interpolated; 0 for none.
double quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(below);
  if (share == 0 || values[below] == values[below + 1]) return values[below];  // also for infinite values
  return values[below] + share * (values[below + 1] - values[below]);
}

/// The probability that at most this many of these coins show heads.
double chance_of_at_most(std::size_t heads, std::size_t coins) {
  double all = 0, of_so_many = std::exp2(-static_cast<double>(coins));
  for (std::size_t k = 0; k <= heads; ++k) {
    all += of_so_many;
    of_so_many *= static_cast<double>(coins - k) / static_cast<double>(k + 1);
  }
  return all;
}

double least(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }

}  // namespace

bool is_clearly_faster(const std::vector<double>& times, const std::vector<double>& than) {
  const auto pairs = std::min(times.size(), than.size());
  std::size_t slower = 0;
  for (std::size_t i = 0; i < pairs; ++i)
    if (!(times[i] < than[i])) ++slower;
  return chance_of_at_most(slower, pairs) <= 0.05 && quantile(times, 0.75) < quantile(than, 0.75);
}

trial::trial(std::vector<int> candidates) {
  for (const int one : candidates) racers_.push_back({one, {}});
  if (racers_.size() == 1)
    decide(racers_.front());
  else
    set_out(step::look, looks);
}

/// Each candidate takes one turn in each round, in a changing order, so that any periodic disturbance by the program
/// hits all alike.
void trial::set_out(step next, int rounds_of_it) {
  step_ = next;
  next_ = 0;
  turns_.clear();
  for (int round = 0; round < rounds_of_it; ++round) {
    const auto first = turns_.size();
    for (std::size_t r = 0; r < racers_.size(); ++r) turns_.push_back(r);
    for (auto left = racers_.size(); left > 1; --left) {
      random_ = random_ * 1664525U + 1013904223U;
      std::swap(turns_[first + left - 1], turns_[first + (random_ >> 16) % left]);
    }
  }
  times_.assign(turns_.size(), std::numeric_limits<double>::infinity());
}

void trial::end_turn(double us) { times_[next_ - 1] = us; }

void trial::agree(const std::vector<double>& slowest) {
  for (auto& one : racers_) one.us.clear();
  const auto uncounted = step_ == step::look ? racers_.size() : 0;
  for (auto i = uncounted; i < turns_.size(); ++i) racers_[turns_[i]].us.push_back(slowest[i]);
  if (step_ == step::look) {
    drop_hopeless();
    return racers_.size() == 1 ? decide(racers_.front()) : set_out(step::race, rounds);
  }
  const auto* const first = best();
  if (first == nullptr || step_ == step::again) return decide(first == nullptr ? racers_.front() : *first);
  racers_ = {{racers_.front().implementation, {}}, {first->implementation, {}}};
  set_out(step::again, rounds);
}

void trial::drop_hopeless() {
  const auto faster = [](const racer& a, const racer& b) { return least(a.us) < least(b.us); };
  const double limit = hopeless * least(std::min_element(racers_.begin(), racers_.end(), faster)->us);
  std::stable_sort(racers_.begin() + 1, racers_.end(), faster);
  racers_.erase(
      std::find_if(racers_.begin() + 1, racers_.end(), [limit](const racer& one) { return !(least(one.us) <= limit); }),
      racers_.end());
  if (racers_.size() > most_racers) racers_.resize(most_racers);
}

/// The fastest of those that are clearly faster than MPI's own; null if there is none.
const trial::racer* trial::best() const {
  const racer* found = nullptr;
  for (const auto& one : racers_)
    if (is_clearly_faster(one.us, racers_.front().us) &&
        (found == nullptr || quantile(one.us, 0.5) < quantile(found->us, 0.5)))
      found = &one;
  return found;
}

void trial::decide(const racer& winner) {
  winner_ = winner.implementation;
  us_of_winner_ = quantile(winner.us, 0.5);
  us_of_mpi_ = quantile(racers_.front().us, 0.5);
  step_ = step::decided;
}

}  // namespace wherry::collective
