#include "ads/mechanism.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace twinset::ads {
namespace {

// Returns true iff `a` ranks above `b`; both take part.
bool RanksAbove(const Bidder& a, const Bidder& b, Mechanism mechanism) {
  if (mechanism == Mechanism::kGoto) {
    if (a.bid_cents != b.bid_cents) return a.bid_cents > b.bid_cents;
  } else {
    const int score =
        CompareProducts(a.bid_cents, a.weight, b.bid_cents, b.weight);
    if (score != 0) return score > 0;
    const int weight = CompareProducts(1, a.weight, 1, b.weight);
    if (weight != 0) return weight > 0;
  }
  return a.name < b.name;
}

int64_t WholeCents(Wide num, Wide den, Rounding rounding) {
  Wide cents = num / den;
  const Wide rest = num % den;
  // rest and den are below 2^97, so that doubling is safe.
  if (rounding == Rounding::kUp && rest != 0) ++cents;
  if (rounding == Rounding::kNearest && 2 * rest >= den) ++cents;
  // Beyond any bid: the caller cuts at the bid.
  return static_cast<int64_t>(std::min<Wide>(cents, kMostCents));
}

// The least price at which `bidder` keeps its place before `next`.
int64_t GspPrice(const Bidder& bidder, const Bidder& next,
                 const MechanismRules& rules) {
  const Wide num = static_cast<Wide>(next.bid_cents) * next.weight.num() *
                   bidder.weight.den();
  const Wide den = static_cast<Wide>(next.weight.den()) * bidder.weight.num();
  const int64_t price =
      WholeCents(num, den, rules.rounding) + rules.increment_cents;
  return std::min(std::max(price, rules.reserve_cents), bidder.bid_cents);
}

}  // namespace

std::vector<Placement> HoldMechanism(const std::vector<Bidder>& bidders,
                                     const MechanismRules& rules) {
  std::vector<Placement> placements(bidders.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < bidders.size(); ++i) {
    if (bidders[i].bid_cents < std::max<int64_t>(rules.reserve_cents, 1)) {
      placements[i].outcome = Outcome::kBelowReserve;
    } else if (rules.mechanism == Mechanism::kGsp &&
               bidders[i].weight.IsZero()) {
      placements[i].outcome = Outcome::kNoClicks;
    } else {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return RanksAbove(bidders[a], bidders[b], rules.mechanism);
  });
  std::set<std::string_view> ranked;
  size_t kept = 0;
  for (const size_t i : order) {
    if (ranked.insert(bidders[i].name).second) {
      order[kept++] = i;
    } else {
      placements[i].outcome = Outcome::kOtherAd;
    }
  }
  order.resize(kept);
  for (size_t at = 0; at < order.size(); ++at) {
    Placement& placement = placements[order[at]];
    const Bidder& bidder = bidders[order[at]];
    placement.rank = static_cast<uint32_t>(at + 1);
    placement.outcome = rules.slots == 0 || at < rules.slots ? Outcome::kShown
                                                             : Outcome::kNoSlot;
    if (placement.outcome != Outcome::kShown) continue;
    placement.price_cents =
        rules.mechanism == Mechanism::kGoto ? bidder.bid_cents
        : at + 1 < order.size()
            ? GspPrice(bidder, bidders[order[at + 1]], rules)
            : rules.reserve_cents;
  }
  return placements;
}

namespace {

// Fractions of 128 bits; every step says whether it fitted.
struct WideRatio {
  Wide num = 0, den = 1;
};

bool Multiply(Wide x, Wide y, Wide* product) {
  return !__builtin_mul_overflow(x, y, product);
}

WideRatio Reduced(Wide num, Wide den) {
  const Wide common = WideGcd(num, den);
  return common == 0 ? WideRatio{0, 1} : WideRatio{num / common, den / common};
}

std::optional<WideRatio> Product(const WideRatio& x, const WideRatio& y) {
  const WideRatio a = Reduced(x.num, y.den), b = Reduced(y.num, x.den);
  WideRatio product;
  if (!Multiply(a.num, b.num, &product.num) ||
      !Multiply(a.den, b.den, &product.den))
    return std::nullopt;
  return product;
}

std::optional<WideRatio> Sum(const WideRatio& x, const WideRatio& y) {
  const Wide common = WideGcd(x.den, y.den);
  Wide left, right, num, den;
  if (!Multiply(x.num, y.den / common, &left) ||
      !Multiply(y.num, x.den / common, &right) ||
      __builtin_add_overflow(left, right, &num) ||
      !Multiply(x.den / common, y.den, &den))
    return std::nullopt;
  return Reduced(num, den);
}

// x - y; y is at most x.
std::optional<WideRatio> Difference(const Ratio& x, const Ratio& y) {
  const Wide left = static_cast<Wide>(x.num()) * y.den();
  const Wide right = static_cast<Wide>(y.num()) * x.den();
  if (right > left) return std::nullopt;
  return Reduced(left - right, static_cast<Wide>(x.den()) * y.den());
}

std::optional<WideRatio> ViewsLost(const std::vector<Ratio>& views,
                                   size_t slot) {
  if (slot >= views.size()) return WideRatio{};
  return Difference(views[slot],
                    slot + 1 < views.size() ? views[slot + 1] : Ratio());
}

}  // namespace

std::vector<std::optional<int64_t>> VcgPrices(const std::vector<Bidder>& ranked,
                                              const std::vector<Ratio>& views,
                                              int64_t reserve_cents) {
  std::vector<std::optional<int64_t>> prices(ranked.size());
  // What the bidders behind slot `at` lose by those before it, in cents a view
  // of the first slot.
  std::optional<WideRatio> harm = WideRatio{};
  for (size_t at = ranked.size(); at-- > 0;) {
    const Bidder& bidder = ranked[at];
    if (at + 1 < ranked.size() && harm) {
      const Bidder& next = ranked[at + 1];
      const auto lost = ViewsLost(views, at);
      const auto worth =
          lost ? Product(Reduced(static_cast<Wide>(next.bid_cents) *
                                     next.weight.num(),
                                 next.weight.den()),
                         *lost)
               : std::nullopt;
      harm = worth ? Sum(*harm, *worth) : std::nullopt;
    }
    if (!harm || at >= views.size() || views[at].IsZero() ||
        bidder.weight.IsZero())
      continue;
    const auto clicks = Product({bidder.weight.num(), bidder.weight.den()},
                                {views[at].num(), views[at].den()});
    const auto price =
        clicks ? Product(*harm, {clicks->den, clicks->num}) : std::nullopt;
    if (!price) continue;
    const Wide cents = price->num / price->den + (price->num % price->den != 0);
    prices[at] = std::min(
        std::max(static_cast<int64_t>(std::min<Wide>(cents, kMostCents)),
                 reserve_cents),
        bidder.bid_cents);
  }
  return prices;
}

}  // namespace twinset::ads
