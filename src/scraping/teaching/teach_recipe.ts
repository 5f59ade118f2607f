/**
 * Learns where the pages of a shop show the price. A person names the price of one page, and the
 * places where this price stands are tested on other pages. Nothing is stored: the result contains
 * a sealed token, with which the person can save the recipe within 15 minutes.
 */
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { exponentOf } from "../../base/money.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { minorOfDecimal, readPriceText } from "../../base/price_text.ts";
import { plainDecimal } from "../../engine/extraction/amount.ts";
import {
  countedOn,
  hitRateOn,
  type RecipeOutcome,
  taughtBy,
} from "../../engine/extraction/recipe/learn_recipe.ts";
import {
  type DigestPrice,
  isOfRecipe,
  type PageDigest,
  type PageRecipe,
  placeText,
} from "../../engine/extraction/recipe/recipe.ts";
import type { Context } from "../../platform/store/context.ts";
import { type Competitor, requireCompetitor } from "../../shops/competitor_store.ts";
import { requireTarget } from "../../shops/matches/change_match.ts";
import type { Match } from "../../shops/matches/match.ts";
import { findMatchesAt, listPlaces } from "../../shops/matches/match_store.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import type { PageLearning, ScrapeDeps } from "../page/visit_tools.ts";
import { visit, type VisitedPage } from "./preview_page.ts";
import {
  type RecipeTrial,
  sealTeaching,
  type Teaching,
  type TeachRequest,
  type TrialVerdict,
} from "./change_recipe.ts";

const TRIALS_MAX = 5;
const PLACES_READ = 200;
const TOTAL_WAIT_MS_MAX = 45_000;
const NEAREST_SHOWN = 5;

type TaughtAmount = Pick<DigestPrice, "decimal" | "codes">;

type SeenPage = Extract<VisitedPage, { kind: "priced" | "failed" }>;

/**
 * Throws `conflict` if no other page of the shop is linked, or if the taught page or all others
 * cannot be read. Throws `validation_failed` if the input is invalid or the page lacks the price.
 */
export async function teachRecipe(
  ctx: Context,
  deps: ScrapeDeps,
  competitorId: string,
  input: TeachRequest,
): Promise<Teaching> {
  const { row: competitor } = await requireCompetitor(ctx, competitorId);
  const typed = typedAmount(input);
  const { url } = requireOwnPage(competitor, input.url, deps);
  const further = await furtherPages(ctx, competitorId, url);
  if (further.length === 0) {
    throw new Failure(
      "conflict",
      "The place is tested on other pages of the shop: link another page first",
    );
  }
  const waitUntilMs = performance.now() + TOTAL_WAIT_MS_MAX;
  const wanted = typed?.decimal ?? "";
  const look = async (at: string, asked: Pick<PageLearning, "recipe" | "wanted">) => {
    const learning = { ...asked, isLearning: true };
    const page = { url: at, extractor: null, product: null, learning };
    return await visit(ctx, deps, page, waitUntilMs);
  };
  const page = await look(url, { recipe: null, wanted });
  if (page.kind === "refused" || page.kind === "unchanged") {
    const message = page.kind === "refused" ? page.message : "The shop answers 304";
    throw new Failure("conflict", `The page cannot be read: ${message}`);
  }
  const amount = typed ?? chosenAmount(page, input.candidateId ?? "");
  const { digest } = page.lesson;
  const places = digest === null ? [] : taughtBy(digest, amount);
  if (digest === null || places.length === 0) throw notShown(page, digest, amount);
  const selectors = countedOn(places, []);
  const certainty = { confidenceMost: HIGH_CONFIDENCE, isDoubted: false };
  const recipe: PageRecipe = { source: "taught", selectors, ...certainty };
  const trials: { readonly trial: RecipeTrial; readonly digest: PageDigest | null }[] = [];
  for (const one of further) {
    const seen = await look(one.url, { recipe, wanted: null });
    if (seen.kind === "refused" || seen.kind === "unchanged") continue;
    trials.push({ trial: trialOf(seen, one), digest: seen.lesson.digest });
  }
  if (trials.length === 0) {
    throw new Failure("conflict", "No further page of the shop could be read: try again later");
  }
  const tests = trials.map(({ trial }) => trial);
  const verdict = verdictOnAll(minorOf(amount), tests);
  const own = { ...digest, reference: { ...amount, isMarked: false } };
  const pages = [own, ...trials.flatMap((one) => one.digest ?? [])]
    .map((each) => ({ digest: each, ownPrice: null }));
  const counted = countedOn(recipe.selectors, pages);
  const token = sealTeaching(ctx, competitorId, {
    selectors: counted,
    support: 1 + tests.filter((test) => test.verdict === "same").length,
    hitRate: hitRateOn(recipe.selectors, pages),
    taughtFrom: url,
    verdict,
  });
  return { token, selectors: places.map(placeText), tests, verdict };
}

function typedAmount({ price, candidateId, currency }: TeachRequest): TaughtAmount | null {
  if (Boolean(price) === Boolean(candidateId)) {
    throw refuseFields([{ path: "price", message: "Give either `price` or `candidateId`" }]);
  }
  if (!price) return null;
  const read = readPriceText(price, { locale: "de", currency: currency ?? null });
  if ("reason" in read) {
    throw refuseFields([{ path: "price", message: "Is not a price, or is ambiguous" }]);
  }
  const code = currency ?? read.currency;
  return { decimal: plainDecimal(read.decimal), codes: code === null ? [] : [code] };
}

function requireOwnPage({ domain }: Competitor, url: string, { limits }: ScrapeDeps) {
  const target = requireTarget(url, limits.allowed);
  if (target.domain === domain || target.domain.endsWith(`.${domain}`)) return target;
  throw refuseFields([{ path: "url", message: `Must be a page of ${domain}` }]);
}

interface FurtherPage {
  readonly url: string;
  readonly wasPrice: number | null;
}

/** Neighbours in the list of linked pages are often similar, so pages far apart are chosen. */
async function furtherPages(
  ctx: Context,
  competitorId: string,
  url: string,
): Promise<FurtherPage[]> {
  const places = await listPlaces(ctx, competitorId, null, PLACES_READ);
  const found = await findMatchesAt(ctx, places);
  const matches = found.map(({ match }) => match)
    .filter((match) => match.enabled && match.url !== url);
  const step = Math.max(1, matches.length / TRIALS_MAX);
  const chosen: Match[] = [];
  for (let n = 0; n < TRIALS_MAX; n++) {
    const match = matches[Math.floor(n * step)];
    if (match && !chosen.includes(match)) chosen.push(match);
  }
  const stored = await findOffersOf(ctx, chosen.map(({ productId }) => productId));
  return chosen.map((match, n) => {
    const offer = stored[n]?.offers.find(({ matchId }) => matchId === match.id);
    return { url: match.url, wasPrice: offer?.priceCents ?? null };
  });
}

function chosenAmount(page: SeenPage, candidateId: string): TaughtAmount {
  const candidate = page.facts.candidates.find(({ id }) => id === candidateId);
  if (!candidate) {
    const message = "The page no longer has this candidate: preview it again";
    throw refuseFields([{ path: "candidateId", message }]);
  }
  const { amount, currency } = candidate;
  const exponent = exponentOf(currency ?? "");
  const decimal = plainDecimal((amount / 10 ** exponent).toFixed(exponent));
  return { decimal, codes: currency === null ? [] : [currency] };
}

function trialOf(seen: SeenPage, { url, wasPrice }: FurtherPage): RecipeTrial {
  const outcome = seen.lesson.recipe;
  const find = outcome?.find ?? null;
  const found = seen.kind === "priced" ? seen.found : null;
  const price = find && minorOf(find);
  return {
    url,
    title: seen.facts.title,
    text: find?.text ?? null,
    price,
    currency: find && (find.codes[0] ?? found?.currency ?? null),
    wasPrice,
    otherwise: found && !isOfRecipe(found.method)
      ? { price: found.price, currency: found.currency, method: found.method }
      : null,
    errorCode: seen.kind === "failed" ? seen.errorCode : null,
    verdict: verdictOnPage(outcome, price, wasPrice),
  };
}

/** Returns the amount in minor units, or in hundredths if the currency is unknown. */
function minorOf({ decimal, codes }: TaughtAmount): number {
  const [code] = codes;
  return minorOfDecimal(decimal, exponentOf(code ?? "")) ?? 0;
}

function notShown(page: SeenPage, digest: PageDigest | null, amount: TaughtAmount): Failure {
  if (page.kind === "failed" && page.httpStatus !== 200) {
    return new Failure("conflict", `The page cannot be read: ${page.message}`);
  }
  const distance = ({ decimal }: TaughtAmount) =>
    Math.abs(Math.log(Number(decimal) / Number(amount.decimal)));
  const prices = (digest?.prices ?? []).toSorted((a, b) => distance(a) - distance(b));
  const nearest = new Map(prices.map((price) => [price.decimal, price]));
  const message = "The page has this price neither as a text with its currency nor in its data";
  return new Failure("validation_failed", `price: ${message}`, {
    fields: [{ path: "price", message }],
    nearest: [...nearest.values()].slice(0, NEAREST_SHOWN).map((price) => ({
      price: minorOf(price),
      currency: price.codes[0] ?? null,
    })),
  });
}

/** `price` and `wasPrice` are in minor units of the same currency. */
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
      return ratio <= 2 ? "plausible" : "differs";
    }
  }
}

export function verdictOnAll(
  taughtPrice: number,
  trials: readonly Pick<RecipeTrial, "verdict" | "price" | "errorCode">[],
): TrialVerdict {
  const verdicts = trials.filter(({ verdict, errorCode }) =>
    verdict !== "nothing" || errorCode === null || UNREAD.has(errorCode)
  ).map(({ verdict }) => verdict);
  if (verdicts.includes("differs")) return "differs";
  const prices = trials.flatMap(({ price }) => price ?? []);
  // If all of three or more pages show the taught amount, it is not a product price.
  if (prices.length >= 3 && prices.every((price) => price === taughtPrice)) return "differs";
  const good = verdicts.filter((verdict) => verdict !== "nothing");
  if (good.length === 0 || good.length < 0.6 * verdicts.length) return "nothing";
  return good.every((verdict) => verdict === "same") ? "same" : "plausible";
}

const UNREAD: ReadonlySet<string> = new Set([
  "no_price",
  "ambiguous_price",
  "variant_open",
  "variant_unknown",
]);
