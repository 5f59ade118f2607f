/** Whether a shop reads well, and the one thing that a person can do about its worst finding. */
import type { Wire } from "../../api/call.ts";
import { useDocument, useList } from "../../app/queries.ts";
import { momentText } from "../../formats/moment.ts";
import type { Words } from "../../words/words.ts";
import { type KnownShop, useShops } from "../shops.tsx";
import { useProductCount } from "../use_product_count.ts";
import type { Tone } from "../controls.tsx";
import type { Cause } from "./read_again.tsx";

type Group = Pick<Wire<"RepairGroup">, "cause" | "pages" | "since">;

/** Of these the shop is the cause: no place on the page helps. */
const OF_THE_SHOP: readonly Cause[] = ["gone", "blocked", "no_answer", "robots", "unreadable"];

/** True if it helps to show where the price stands. */
export function isTeachable({ cause }: Pick<Group, "cause">): boolean {
  return !OF_THE_SHOP.includes(cause);
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

/** The action for the worst finding; null if there is nothing to do. */
export type ShopNeed = "repair" | "forbidden" | "teach" | "slower" | "find" | null;

export interface ShopStanding {
  readonly state: ShopState;
  readonly need: ShopNeed;
  /** The cause with most pages, if pages bring no price. */
  readonly worst: Group | null;
  /** Number of pages without a price. */
  readonly failing: number;
}

/** A smaller share of pages without a price is ordinary: articles go, shops have bad minutes. */
const FAILING = 0.05;
/** A shop with fewer of our products, and without a failure, has pages that nobody has looked for. */
const FEW = 0.1;

/** Judges a shop by its pages without a price, which are given most pages first. */
export function standingOf(
  { enabled, trackedProducts: pages, health }: Pick<
    KnownShop,
    "enabled" | "trackedProducts" | "health"
  >,
  groups: readonly Group[],
  products: number,
): ShopStanding {
  const worst = groups[0] ?? null;
  const failing = groups.reduce((sum, group) => sum + group.pages, 0);
  const told = (state: ShopState, need: ShopNeed): ShopStanding => ({
    state,
    need,
    worst,
    failing,
  });
  if (!enabled) return told("off", null);
  if (pages === 0) return told("empty", "find");
  const { ok24h, downSince, due, perDayMax } = health;
  const isDown = downSince !== null;
  if (isDown || (worst !== null && failing >= pages * FAILING)) {
    return told(isDown ? "down" : "partly", remedyOf(worst));
  }
  if (due > perDayMax) return told("slow", "slower");
  const state = ok24h === 0 ? "idle" : "well";
  return told(state, pages < products * FEW ? "find" : null);
}

function remedyOf(worst: Group | null): ShopNeed {
  if (worst === null) return "repair";
  if (worst.cause === "robots") return "forbidden";
  return isTeachable(worst) ? "teach" : "repair";
}

const WATCH_MS = 60_000;
/** Number of groups of pages without a price that are read at once. */
const GROUPS = 200;

/** Every group of pages without a price, most pages first, with the sums of all. */
export function useRepairs(everyMs = WATCH_MS) {
  return useList<Wire<"RepairGroup">, Pick<Wire<"RepairGroups">, "pages" | "shops">>({
    key: ["repairs", "all"],
    limit: GROUPS,
    read: (api, query) => api.GET("/api/repairs", { params: { query } }),
    everyMs,
  });
}

/** How fresh the prices of each shop are, since when it is down, and when it is fetched next. */
export function useFreshness() {
  return useDocument({
    key: ["overview", "shops"],
    read: (api) => api.GET("/api/overview/shops"),
    everyMs: () => WATCH_MS,
  });
}

/** The start of the outage of each shop that is down, by the shop's id. */
export function useOutages(): ReadonlyMap<string, string> {
  const items = useFreshness().data?.items ?? [];
  return new Map(
    items.flatMap(({ competitorId, downSince }) =>
      downSince === null ? [] : [[competitorId, downSince]]
    ),
  );
}

/** The time of the next fetch, `due now`, or a dash. */
export function nextText(
  { shops }: Pick<Words, "shops">,
  show: Parameters<typeof momentText>[0],
  nextAt: string | null | undefined,
): string {
  const nowMs = Date.now();
  if (!nextAt) return "–";
  return Date.parse(nextAt) <= nowMs ? shops.now : momentText(show, nextAt, nowMs);
}

/** The number of shops that need a person; null while it is unknown. */
export function useShopsInNeed(): number | null {
  const shops = useShops();
  const products = useProductCount({});
  const { rows, isPending } = useRepairs();
  if (shops === null || products === null || isPending) return null;
  const groups = Map.groupBy(rows, ({ competitorId }) => competitorId);
  return shops.filter((shop) => standingOf(shop, groups.get(shop.id) ?? [], products).need !== null)
    .length;
}
