/** Judges how well a shop's prices can be read, and how a person can solve the worst problem. */
import { sumOf } from "../../../base/collections.ts";
import { HOUR_MS } from "../../../base/time.ts";
import { get, PAGE_SIZE_MAX, where, type Wire } from "../../api/call.ts";
import { type Speaker, useApp, useDocument, useList } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import type { Words } from "../../words/words.ts";
import { type Shop, useShops } from "../shops.tsx";
import { useProductCount } from "../shared_queries.ts";
import type { Tone } from "../controls.tsx";
import type { Cause } from "./read_again.tsx";

type Group = Pick<Wire<"RepairGroup">, "cause" | "pages" | "since">;

/** Causes of missing prices that only the shop can remove. */
const OF_THE_SHOP: readonly Cause[] = ["gone", "blocked", "no_answer", "robots", "unreadable"];

export function isTeachable({ cause }: Pick<Group, "cause">): boolean {
  return !OF_THE_SHOP.includes(cause);
}

export function adviceOf(
  { arrivals, causes }: Pick<Words, "arrivals" | "causes">,
  cause: Cause,
  isDown: boolean,
): string {
  return isDown ? causes.down : arrivals.remedies[cause];
}

export type ShopState = "down" | "partly" | "slow" | "empty" | "idle" | "well" | "off";

export const TONES: Readonly<Record<ShopState, Tone>> = {
  well: "good",
  partly: "warn",
  slow: "warn",
  down: "bad",
  empty: "plain",
  idle: "plain",
  off: "plain",
};

type ShopNeed = "repair" | "forbidden" | "teach" | "slower" | "find" | null;

export interface ShopStanding {
  readonly state: ShopState;
  readonly need: ShopNeed;
  readonly worst: Group | null;
  readonly failing: number;
}

/** Less than 5 % failing pages are normal: shops drop products and have short outages. */
export const FAILING = 0.05;
/** A shop with pages for less than 10 % of our products was probably not searched. */
const FEW = 0.1;

export function standingOf(
  { enabled, trackedProducts: pages, health }: Pick<Shop, "enabled" | "trackedProducts" | "health">,
  groups: readonly Group[],
  products: number,
): ShopStanding {
  const most = groups[0] ?? null;
  const failing = sumOf(groups, (group) => group.pages);
  const standing = (state: ShopState, need: ShopNeed, worst = most): ShopStanding => ({
    state,
    need,
    worst,
    failing,
  });
  if (!enabled) return standing("off", null);
  if (pages === 0) return standing("empty", "find");
  const { ok24h, downSince, due, perDayMax } = health;
  const isDown = downSince !== null;
  if (isDown || (most !== null && failing >= pages * FAILING)) {
    return standing(isDown ? "down" : "partly", remedyOf(most));
  }
  // Even a single page that robots.txt forbids is a problem, because a person must remove its link.
  const forbidden = groups.find(({ cause }) => cause === "robots");
  if (forbidden) return standing("partly", "forbidden", forbidden);
  if (due > perDayMax) return standing("slow", "slower");
  const state = ok24h === 0 ? "idle" : "well";
  return standing(state, pages < products * FEW ? "find" : null);
}

function remedyOf(worst: Group | null): ShopNeed {
  if (worst === null) return "repair";
  if (worst.cause === "robots") return "forbidden";
  return isTeachable(worst) ? "teach" : "repair";
}

const WATCH_MS = 60_000;

export function useRepairs(everyMs = WATCH_MS) {
  return useList<Wire<"RepairGroup">, Pick<Wire<"RepairGroups">, "pages" | "shops">>(
    (query) => get("/api/repairs", where(query)),
    { limit: PAGE_SIZE_MAX, everyMs },
  );
}

export function useFreshness() {
  return useDocument(get("/api/overview/shops"), { everyMs: WATCH_MS });
}

/** Maximum age of compared prices. By default, rules and market data ignore older prices. */
export const FRESH_HOURS = 48;

/**
 * Returns two texts about a shop with outdated prices: when the shop was last read, and until when
 * rules used its prices. Returns undefined if the prices are fresh, or if the shop was never read.
 */
export function useCountedUntil(competitorId: string) {
  const app = useApp();
  const shop = useFreshness().data?.items.find((one) => one.competitorId === competitorId);
  return countedUntil(app, shop?.lastSeenAt ?? null, Date.now());
}

export function countedUntil(
  { words: { shops: texts }, show }: Speaker,
  lastSeenAt: string | null,
  nowMs: number,
) {
  if (lastSeenAt === null) return undefined;
  const untilMs = Date.parse(lastSeenAt) + FRESH_HOURS * HOUR_MS;
  if (untilMs >= nowMs) return undefined;
  return {
    read: texts.lastRead(momentText(show, lastSeenAt, nowMs)),
    until: texts.countedUntil(momentText(show, new Date(untilMs).toISOString(), nowMs)),
  };
}

export function useOutages(): ReadonlyMap<string, string> {
  const items = useFreshness().data?.items ?? [];
  return new Map(
    items.flatMap(({ competitorId, downSince }) =>
      downSince === null ? [] : [[competitorId, downSince]]
    ),
  );
}

export function nextText(
  { shops }: Pick<Words, "shops">,
  show: Parameters<typeof momentText>[0],
  nextAt: string | null | undefined,
): string {
  const nowMs = Date.now();
  if (!nextAt) return "–";
  return Date.parse(nextAt) <= nowMs ? shops.now : momentText(show, nextAt, nowMs);
}

export function useHeldPrices() {
  return useList((page) => get("/api/quarantine", where(page)));
}

export function useHeldText(): string | null {
  const { words, show } = useApp();
  const { rows, hasMore } = useHeldPrices();
  if (rows.length === 0) return null;
  return words.quarantine.count(`${show.number(rows.length)}${hasMore ? "+" : ""}`);
}

export function useShopsInNeed(): number | null {
  const shops = useShops();
  const products = useProductCount({});
  const { rows, isPending } = useRepairs();
  if (shops === null || products === null || isPending) return null;
  const groups = Map.groupBy(rows, ({ competitorId }) => competitorId);
  return shops.filter((shop) => standingOf(shop, groups.get(shop.id) ?? [], products).need !== null)
    .length;
}
