/** Whether a shop reads well, and the one thing that a person can do about its worst finding. */
import type { Wire } from "../../api/call.ts";
import type { Tone } from "../../parts/controls.tsx";
import type { Cause } from "./affected_pages.tsx";
import type { Competitor } from "./competitor.ts";

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
    Competitor,
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
