/**
 * A market of five shops that set prices automatically for some days, to compare the effect and profit of
 * rules. Demand is simplified and the same for all compared rules. A seed determines everything.
 */
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { brakedCut, withBrakes } from "../../../src/rules/evaluation/judge_subject.ts";
import { compileRules } from "../../../src/engine/pricing/compile_rule.ts";
import { decideProduct } from "../../../src/engine/pricing/decide.ts";
import type { History, PricedProduct, Situation } from "../../../src/engine/pricing/situation.ts";
import { anOffer, aProduct, SETTINGS, theTerms } from "./market.ts";

const START_MS = Date.parse("2026-01-05T00:00:00Z");
const TURN_MS = DAY_MS / 2;
const VAT_PCT = 19;
/** No shop sells below cost plus this margin. */
const SHOP_FLOOR = 1.03;

/** The generator Mulberry32: numbers from 0 to 1, determined by a seed. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Sets the price of a shop, given the prices of the others, including ours. */
type Repricer = (view: {
  readonly others: readonly number[];
  readonly own: number;
  readonly floor: number;
  readonly usual: number;
  readonly day: number;
}) => number;

const least = (prices: readonly number[]) => Math.min(...prices);
const meanOf = (prices: readonly number[]) =>
  prices.reduce((sum, price) => sum + price, 0) / prices.length;

const SHOPS: readonly { readonly name: string; readonly reprice: Repricer }[] = [
  // One cent below the cheapest. A shop that reaches its floor returns to its usual price.
  {
    name: "Undercutter",
    reprice: ({ others, floor, usual }) => {
      const wish = least(others) - 1;
      return wish < floor ? usual : wish;
    },
  },
  {
    name: "Matcher",
    reprice: ({ others, floor, usual }) => {
      const wish = least(others);
      return wish < floor ? usual : wish;
    },
  },
  {
    name: "Mean",
    reprice: ({ others, floor }) => Math.max(floor, Math.round(meanOf(others) * 0.98)),
  },
  { name: "Cost plus", reprice: ({ usual }) => usual },
  // Undercuts on two days a week.
  {
    name: "Weekly",
    reprice: ({ floor, usual, day }) =>
      day % 7 < 2 ? Math.max(floor, Math.round(usual * 0.86)) : usual,
  },
];

interface Shop {
  price: number;
  before: number;
  sinceMs: number;
  isSoldOut: boolean;
}

/** A set of rules to compare, in the form of the API. */
export interface Contender {
  readonly name: string;
  readonly rules: readonly Readonly<Record<string, unknown>>[];
  /** True for a move that the rules allow. Prices are in cents, gross. */
  isWithin(move: Move): boolean;
}

type Rules = ReturnType<typeof compileRules>;
export interface Move {
  readonly from: number;
  readonly to: number;
  /** The net cost in cents. */
  readonly cost: number;
}

interface WorldSize {
  readonly seed: number;
  readonly products: number;
  readonly days: number;
}

export interface WorldResult {
  /** Net, in cents. */
  readonly grossProfit: number;
  readonly soldMarginPct: number;
  /** The unweighted price level at the end, in percent. */
  readonly shownMarginPct: number;
  readonly moves: number;
  /** Most cuts of one product within 7 days. */
  readonly mostCuts: number;
  /** Number of products with more than three cuts within 7 days. */
  readonly atWar: number;
  readonly outOfBounds: number;
}

export function playMarket(
  { rules, isWithin }: Contender,
  size: WorldSize,
): WorldResult {
  const compiled = compileRules(rules.map((rule, n) => ({
    ...theTerms({ priority: n + 1, ...rule }),
    id: (n + 1).toString(16).padStart(24, "0"),
  })));
  let [profit, revenue, moves, mostCuts, atWar, outOfBounds, shown] = [0, 0, 0, 0, 0, 0, 0];
  for (let n = 0; n < size.products; n++) {
    const play = new Play(size.seed * 1_000_003 + n, n);
    for (let turn = 0; turn < 2 * size.days; turn++) {
      play.moveShops(turn);
      const move = play.decide(compiled, turn);
      if (move) {
        moves++;
        if (!isWithin(move)) outOfBounds++;
      }
      const sold = play.sell();
      profit += sold.profit;
      revenue += sold.revenue;
    }
    mostCuts = Math.max(mostCuts, play.mostCuts);
    if (play.mostCuts > 3) atWar++;
    shown += play.marginPct;
  }
  return {
    grossProfit: Math.round(profit),
    soldMarginPct: 100 * profit / revenue,
    shownMarginPct: shown / size.products,
    moves,
    mostCuts,
    atWar,
    outOfBounds,
  };
}

const net = (gross: number) => gross / (1 + VAT_PCT / 100);

class Play {
  readonly #chance: () => number;
  readonly #cost: number;
  readonly #floor: number;
  readonly #shops: Shop[];
  readonly #usual: readonly number[];
  readonly #volume: number;
  readonly #product: PricedProduct;
  /** Times and amounts of our prices. The first one was set before the window. */
  readonly #past: { readonly atMs: number; readonly cents: number }[];
  readonly #cutsMs: number[] = [];
  /** Rule states of the product, with the cuts that brakes count. */
  #pasts: History["rules"] = {};
  #ours: number;
  mostCuts = 0;

  constructor(seed: number, n: number) {
    this.#chance = chanceOf(seed);
    const chance = this.#chance;
    this.#cost = Math.round(500 + 40_000 * chance() ** 3);
    const gross = this.#cost * (1 + VAT_PCT / 100);
    this.#floor = Math.ceil(gross * SHOP_FLOOR);
    this.#usual = SHOPS.map(() => Math.round(gross * (1.18 + 0.25 * chance())));
    this.#ours = Math.round(gross * (1.2 + 0.15 * chance()));
    this.#volume = 0.2 + 4 * chance() ** 2;
    const sinceMs = START_MS - 30 * DAY_MS;
    this.#shops = this.#usual.map((price) => ({ price, before: price, sinceMs, isSoldOut: false }));
    this.#past = [{ atMs: sinceMs, cents: this.#ours }];
    this.#product = aProduct({
      id: n.toString(16).padStart(24, "0"),
      sku: `SKU-${n}`,
      costPriceCents: this.#cost,
    });
  }

  /** The shops set prices one after the other; each shop sees the current prices of the others. */
  moveShops(turn: number): void {
    const nowMs = START_MS + turn * TURN_MS;
    for (const [n, shop] of this.#shops.entries()) {
      shop.isSoldOut = this.#chance() < 0.05;
      const others = this.#shops.flatMap((one, m) => m === n || one.isSoldOut ? [] : [one.price]);
      const price = SHOPS[n]?.reprice({
        others: [...others, this.#ours],
        own: shop.price,
        floor: this.#floor,
        usual: this.#usual[n] ?? shop.price,
        day: Math.floor(turn / 2),
      }) ?? shop.price;
      if (price === shop.price) continue;
      shop.before = shop.price;
      shop.price = price;
      shop.sinceMs = nowMs;
    }
  }

  /** Decides with the rules; null if the rules rest or only propose. */
  decide(rules: Rules, turn: number): Move | null {
    const nowMs = START_MS + turn * TURN_MS + HOUR_MS;
    const { winner } = decideProduct(rules, this.#situation(nowMs));
    const cents = winner?.proposedCents ?? null;
    if (winner?.outcome !== "apply" || cents === null || cents === this.#ours) return null;
    const move = { from: this.#ours, to: cents, cost: this.#cost };
    const cut = brakedCut(this.#pasts, { fate: "apply", decision: winner, cents }, rules, nowMs);
    this.#pasts = withBrakes(this.#pasts, null, cut === null ? [] : [cut]) ?? this.#pasts;
    if (cents < this.#ours) this.#noteCut(nowMs);
    this.#past.push({ atMs: nowMs, cents });
    this.#ours = cents;
    return move;
  }

  #noteCut(nowMs: number): void {
    this.#cutsMs.push(nowMs);
    const recent = this.#cutsMs.filter((atMs) => atMs > nowMs - 7 * DAY_MS);
    this.mostCuts = Math.max(this.mostCuts, recent.length);
  }

  #situation(nowMs: number): Situation {
    const dayAgo = this.#past.findLast(({ atMs }) => atMs <= nowMs - DAY_MS) ?? this.#past[0];
    const movesOfDay = this.#past.filter(({ atMs }) => atMs > nowMs - DAY_MS).length;
    return {
      product: { ...this.#product, ourPriceCents: this.#ours },
      offers: this.#shops.map((shop, n) =>
        anOffer(shop.price, {
          competitorId: `c${n}`,
          competitor: SHOPS[n]?.name ?? "",
          inStock: !shop.isSoldOut,
          observedAtMs: nowMs - HOUR_MS,
          previousPriceCents: shop.before,
          priceSinceMs: shop.sinceMs,
          matchCreatedAtMs: START_MS - 90 * DAY_MS,
        })
      ),
      history: {
        rules: this.#pasts,
        price: { dayAgoCents: dayAgo?.cents ?? null, movesOfDay, setByPersonAtMs: null },
        openProposal: null,
      },
      settings: { ...SETTINGS, pricesIncludeVat: true, vatRatePct: VAT_PCT },
      nowMs,
      mode: "live",
    };
  }

  /** Customers choose among the shops that have the product; more expensive shops get fewer. */
  sell(): { readonly profit: number; readonly revenue: number } {
    const rivals = this.#shops.filter(({ isSoldOut }) => !isSoldOut).map(({ price }) => price);
    const pull = (price: number) => (this.#floor / price) ** 14;
    const ours = pull(this.#ours);
    const all = rivals.reduce((sum, price) => sum + pull(price), ours);
    // Lower prices in the whole market raise sales.
    const units = this.#volume / 2 * (ours / all) *
      (this.#floor * 1.2 / least([...rivals, this.#ours])) ** 1.5;
    const price = net(this.#ours);
    return { profit: units * (price - this.#cost), revenue: units * price };
  }

  get marginPct(): number {
    const price = net(this.#ours);
    return 100 * (price - this.#cost) / price;
  }
}

/** Exact: the net price is at least cost plus `markupPct`. */
export function keepsMarkup({ to, cost }: Move, markupPct: number): boolean {
  return BigInt(to) * 10_000n >= BigInt(cost) * BigInt(100 + VAT_PCT) * BigInt(100 + markupPct);
}

/** Exact: the margin is at least `marginPct` of the net price. */
export function keepsMargin({ to, cost }: Move, marginPct: number): boolean {
  return BigInt(to) * BigInt(100 - marginPct) >= BigInt(cost) * BigInt(100 + VAT_PCT);
}

/** Exact: the price changed by at most `maxPct`. */
export function keepsMove({ from, to }: Move, maxPct: number): boolean {
  return BigInt(Math.abs(to - from)) * 100n <= BigInt(maxPct) * BigInt(from);
}
