/** What a trial says of a place that a person taught. Plain functions. */
import type { RecipeOutcome } from "../../engine/extraction/recipe/use_recipe.ts";
import type { RecipeTrial, TrialVerdict } from "./recipe_wire.ts";

const PLAUSIBLE_RATIO_MAX = 2;
const GOOD_SHARE_MIN = 0.6;
/** So many pages with one and the same amount are no prices of articles. */
const SAME_AMOUNT_MIN = 3;

/** Of one page: `price` and `wasPrice` in minor units of one currency, null where they are not known. */
export function verdictOnPage(
  outcome: RecipeOutcome | null,
  price: number | null,
  wasPrice: number | null,
): TrialVerdict {
  switch (outcome?.kind) {
    case undefined:
    case "misses":
      return "nothing";
    case "agrees":
      return "same";
    case "contradicts":
      return "differs";
    case "alone": {
      if (price === null || wasPrice === null) return "plausible";
      if (price === wasPrice) return "same";
      const ratio = price > wasPrice ? price / wasPrice : wasPrice / price;
      return ratio <= PLAUSIBLE_RATIO_MAX ? "plausible" : "differs";
    }
  }
}

/**
 * Of all pages. One that differs speaks for all; so do amounts that never change. Pages that could not
 * be read, or are no article's, say nothing either way.
 */
export function verdictOnAll(
  taughtPrice: number,
  trials: readonly Pick<RecipeTrial, "verdict" | "price" | "errorCode">[],
): TrialVerdict {
  const verdicts = trials.filter(({ verdict, errorCode }) =>
    verdict !== "nothing" || errorCode === null || UNREAD.has(errorCode)
  ).map(({ verdict }) => verdict);
  if (verdicts.includes("differs")) return "differs";
  const prices = trials.flatMap(({ price }) => price ?? []);
  if (prices.length >= SAME_AMOUNT_MIN && prices.every((price) => price === taughtPrice)) {
    return "differs";
  }
  const good = verdicts.filter((verdict) => verdict !== "nothing");
  if (good.length === 0 || good.length < GOOD_SHARE_MIN * verdicts.length) return "nothing";
  return good.every((verdict) => verdict === "same") ? "same" : "plausible";
}

/** Pages of articles whose price was not found. */
const UNREAD: ReadonlySet<string> = new Set(["no_price", "ambiguous_price", "variant_open"]);

/** True for a trial that lets a place be saved without more ado. */
export function isGood(verdict: TrialVerdict): boolean {
  return verdict === "same" || verdict === "plausible";
}
