/**
 * Words that rule out an amount as a price or lower its confidence, such as words for a rent, a
 * deposit or a bid. Such a word applies only to the nearest amount in the same block of text.
 */

import { type PriceOfText, pricesInText } from "../../base/price_text.ts";
import {
  BETWEEN_AFTER,
  BETWEEN_BEFORE,
  FROM_BEFORE,
  RANGE_BETWEEN,
} from "../../base/price_mention.ts";
import { compareDecimals, plainDecimal, type Writing } from "./amount.ts";
import type { BuyArea } from "./buy_area.ts";
import { isLowest } from "./shown/old_prices.ts";
import { isOfAnother, type NearText, textsAfter, textsBefore } from "./shown/price_context.ts";
import type { HtmlElement } from "./page/html_element.ts";
import {
  type Feature,
  has,
  ranked,
  type ScoredPrice,
  type ShownReading,
  WELL_SHOWN,
  withFeature,
  withoutFeature,
  withRelated,
} from "./shown/scored_price.ts";
import { dividedBetween, hasMoney, namesMoney, SUBSCRIPTION } from "./shown/shown_prices.ts";
import { anyWord, oneOfWords } from "./shop_words.ts";

/** Amounts of these kinds are refused as prices, except that a bid only lowers the confidence. */
const NO_SALE = ["monthly", "rent", "deposit", "bid", "contract", "member"] as const;

const LABEL_CHARACTERS_MAX = 32;
const NO_SALE_WORDS = NO_SALE.map((kind) => ({
  kind,
  words: anyWord((language) => language[kind]),
  /** Texts about a deposit are often long: `Anzahlung, wird auf den Kaufpreis angerechnet`. */
  charactersMax: kind === "deposit" ? 160 : LABEL_CHARACTERS_MAX,
}));
const ANY_NO_SALE = anyWord((language) => NO_SALE.flatMap((kind) => language[kind]));
const NET = anyWord(({ net }) => net);
const GROSS = anyWord(({ gross }) => gross);
/** `plainly` removes `ohne Vertrag`, because the word `Vertrag` alone marks a contract price. */
const WITHOUT = new RegExp(
  `(?:(?<!\\p{L})${oneOfWords(({ without }) => without)}|\\+)\\.? (?:\\p{L}{1,24} )?` +
    `${
      oneOfWords(({ deposit, contract, rent, monthly }) => [
        ...deposit,
        ...contract,
        ...rent,
        ...monthly,
        "vertrag(?:sbindung)?",
        "contract",
        "engagement",
        "location",
      ])
    }(?!\\p{L})`,
  "gu",
);

const AFTER =
  "(?:nach|after|après|abzüglich) (?:\\p{L}{2,20} ){0,2}(?:cash ?back|remboursement|erstattung|rebate|refund|odr)(?!\\p{L})";
/** Matches the words after `449 €` in `449 € après remboursement de 50 €`. */
const AFTER_REFUND = new RegExp(`^\\P{L}*${AFTER}`, "u");
/** Matches the words before `449 €` in `Après remboursement différé de 50 € : 449 €`. */
const REFUND_AHEAD = new RegExp(
  `(?<!\\p{L})${AFTER}(?: \\p{L}{2,12}){0,2}(?: (?:de|von|of|d['’]))? ?(?:\\d[\\d.,]{0,8} ?\\p{Sc})?[^\\p{L}\\d]*$`,
  "u",
);
const FOR_ALL =
  /(?<!\p{L})(?:non[- ]members?|nicht[- ]?mitglieder|(?:ohne|without|sans|hors) (?:\p{L}{2,16} )?(?:mitgliedschaft|membership|club|karte|card|carte|adhésion)|non[- ](?:adhérents?|membres?))(?!\p{L})/u;
/** Matches the label of a price for several pieces: `Gesamtpreis für 4 Reifen`. */
const TOTAL =
  /^\P{L}*(?:gesamt(?:preis)?|total(?: price)?|prix total)(?: \p{L}{2,12})? (?:für|for|pour|of|de) (?:[2-9]|[1-9]\d)(?!\d)/u;
const DEPOSIT_ON_TOP = new RegExp(
  `(?:(?<!\\p{L})(?:zzgl|zuzügl(?:ich)?|exkl|plus|excl|hors)|\\+)\\.? ?[^\\p{L}]{0,12}` +
    `${oneOfWords(({ deposit }) => deposit)}(?!\\p{L})`,
  "u",
);

type Beside = ReturnType<typeof besideOf>;

const AROUND_CHARACTERS = 160;
const LEADING =
  /^[\s*(]*(?:\/|(?:pro|je|per|par|an|im|am|mtl|monatl|each|every|zzgl|exkl|excl|ex|plus|ht|netto|hors|mit|with|avec)(?!\p{L}))/u;
const LEADING_CHARACTERS = 60;

export function noSaleOf(places: readonly ScoredPrice[]) {
  const points = (place: ScoredPrice) => withoutFeature(place, ...NO_SALE).score;
  const [best] = places.toSorted((a, b) => points(b) - points(a));
  return best ? NO_SALE.find((kind) => has(best, kind)) ?? null : null;
}

/** Amounts that shops enter if they have no price: 0.01, 9999.99, 99999, 999999.99 … */
const PLACEHOLDER = /^(?:\.01|9{4}\.99|9{5,}\.(?:99|9)?)$/;
const WITH_CONTRACT = /^(?:1\.|\.01)$/;

export function vetoOf(decimal: string, places: readonly ScoredPrice[], area: BuyArea) {
  const none = (why: string) => ({ isNone: true, isNet: false, why });
  const doubt = (why: string, isNet = false) => ({ isNone: false, isNet, why });
  const kind = noSaleOf(places) ?? area.noSale;
  if (kind !== null && kind !== "bid") return none(`it is a ${kind} amount`);
  const isShown = places.some((place) => withoutFeature(place, "net").score >= WELL_SHOWN);
  const isNamed = places.some((place) => has(place, "named_price", "labelled", "marked_up"));
  if (!(isShown && isNamed) && area.isOnRequest()) return none("the price is told on request");
  if (WITH_CONTRACT.test(decimal) && area.isWithContract()) return none("it needs a contract");
  if (PLACEHOLDER.test(decimal)) {
    return isShown ? doubt("it looks like a placeholder") : none("it is a placeholder, not shown");
  }
  if (kind === "bid") return doubt("it is a bid");
  if (places.some((place) => has(place, "gross"))) return null;
  const isNet = places.some((place) => has(place, "net")) || area.isNet();
  return isNet ? doubt("it is without tax", true) : null;
}

export function isRangeShown(places: readonly ScoredPrice[]): boolean {
  return places.some((place) =>
    has(place, "range") && place.score >= WELL_SHOWN &&
    !has(place, "tile", "region", "link", "other_part")
  );
}

export function withVetoes(
  shown: ShownReading,
  counts: (price: ScoredPrice) => boolean,
  writing: Writing,
): ShownReading {
  let [examined, isChanged] = [0, false];
  const prices = shown.prices.map((price) => {
    if (!counts(price) || examined >= 10) return price;
    examined += 1;
    const features = featuresBeside(price, writing).filter((one) => !has(price, one));
    isChanged ||= features.length > 0;
    return features.length === 0 ? price : withFeature(price, ...features);
  });
  const spread = withRelated(prices);
  return isChanged || spread !== prices ? ranked(spread) : shown;
}

function featuresBeside(price: ScoredPrice, writing: Writing): Feature[] {
  if (isLowest(price)) return ["old"];
  const beside = besideOf(price, writing);
  const texts = [beside.own, beside.previous, beside.next];
  const mentionsNoSale = [...texts, beside.next.slice(0, LEADING_CHARACTERS)]
    .some((text) => ANY_NO_SALE.test(text));
  const kinds: Feature[] = !mentionsNoSale ? [] : NO_SALE_WORDS
    .filter(({ words, charactersMax }) => isBeside(words, beside, charactersMax))
    .map(({ kind }) => kind);
  const isGross = () => texts.some((text) => GROSS.test(text));
  if (!has(price, "gross") && isBeside(NET, beside) && !isGross()) kinds.push("net");
  if (labelsOf(beside).some((text) => TOTAL.test(text))) kinds.push("tier");
  if (SUBSCRIPTION.test(beside.own)) kinds.push("subscription");
  if (labelsOf(beside).some((text) => FOR_ALL.test(text))) kinds.push("for_all");
  if (
    [beside.rest, beside.after].some((text) => AFTER_REFUND.test(text)) ||
    REFUND_AHEAD.test(beside.ahead)
  ) kinds.push("coupon");
  if (isOfAnother(beside.lead) || isOfAnother(beside.previous)) kinds.push("extra");
  if (beside.isOfRange) kinds.push("range");
  if (beside.hasDepositOnTop) kinds.push("deposit_on_top");
  return kinds;
}

const OWN_LABEL = /(?:preis|price|prix)(?!\p{L})/iu;

function labelsOf({ own, lead, previous, next }: Beside): readonly string[] {
  return OWN_LABEL.test(lead) ? [own, next] : [own, previous, next];
}

function isBeside(
  words: RegExp,
  { own, lead, previous, next }: Beside,
  nextMax = LABEL_CHARACTERS_MAX,
): boolean {
  if (words.test(own)) return true;
  const hasLabel = OWN_LABEL.test(lead) || previous.length > LABEL_CHARACTERS_MAX;
  const label = hasLabel ? undefined : words.exec(previous)?.[0];
  if (label !== undefined && (label === previous || !LEADING.test(label))) return true;
  if (LEADING.test(next)) return words.test(next.slice(0, LEADING_CHARACTERS));
  const at = next.length <= nextMax ? words.exec(next)?.index : undefined;
  return at !== undefined && !/\p{L}/u.test(next.slice(0, at));
}

/**
 * Returns the texts around a price. All texts except `lead` are in lower case. `previous` and
 * `next` are the texts of the neighbouring blocks, without amounts.
 */
function besideOf(price: ScoredPrice, writing: Writing) {
  const after = textsAfter(price.whole, { characters: AROUND_CHARACTERS, blocks: 2 });
  const blocksBefore = (blocks: number) =>
    textsBefore(price.whole, { characters: AROUND_CHARACTERS, blocks });
  const before = blocksBefore(1);
  const block = after.own === null || before.own === null
    ? null
    : wordsOfAmount(`${before.own} ${after.own}`, price.decimal, writing);
  const [next, afterNext] = after.blocks;
  const [previous] = before.blocks;
  const isLabelOfNext = next !== undefined && !LEADING.test(next.text.toLowerCase()) &&
    afterNext !== undefined && /^\P{L}*\d/u.test(afterNext.text) && hasAmount(afterNext, writing);
  const own = `${before.own ?? ""} ${after.own ?? ""}`;
  const line = [previous, { text: own }, next, afterNext].map((block) => block?.text ?? "");
  const isAfterAmount = () =>
    blocksBefore(2).blocks.slice(1).some((one) => hasAmount(one, writing));
  const isHeading = ({ name, parent }: HtmlElement) => name === "h1" || parent?.name === "h1";
  const isOfPrevious = previous !== undefined && (previous.parts.some(isHeading) ||
    (LEADING.test(previous.text.toLowerCase()) && isAfterAmount()));
  return {
    own: plainly(`${price.beside} | ${block?.join(" | ") ?? ""}`),
    lead: block?.[0] ?? "",
    /** The text before the amount in the same block; it may contain other amounts. */
    ahead: (before.own ?? "").toLowerCase(),
    previous: isOfPrevious ? "" : textOfLabel(previous, writing),
    next: isLabelOfNext ? "" : textOfLabel(next, writing),
    /** The text after the amount in the same block; it may contain other amounts. */
    rest: (after.own ?? "").toLowerCase().replace(/^\P{L}*(?:eur|chf|gbp|usd)?(?!\p{L})/u, ""),
    after: (next?.text ?? "").toLowerCase(),
    isOfRange: isOfRange(line.join(" "), price.decimal, writing),
    hasDepositOnTop: DEPOSIT_ON_TOP.test(
      `${own} ${next?.text ?? ""} | ${afterNext?.text ?? ""}`.toLowerCase(),
    ),
  };
}

function isOfRange(text: string, decimal: string, { locale }: Writing): boolean {
  const prices = pricesInText(text, { locale });
  return prices.some((price, n) => {
    if (plainDecimal(price.decimal) !== decimal || price.isMarked) return false;
    return FROM_BEFORE.test(price.before.toLowerCase()) || areRange(price, prices[n + 1]) ||
      areRange(prices[n - 1], price);
  });
}

function areRange(low: PriceOfText | undefined, high: PriceOfText | undefined): boolean {
  if (low === undefined || high === undefined || low.isMarked || high.isMarked) return false;
  if (low.currency === null || high.currency === null) return false;
  const lead = low.before.toLowerCase();
  const between = high.before.toLowerCase();
  const isJoined = RANGE_BETWEEN.test(between) ||
    (BETWEEN_BEFORE.test(lead) && BETWEEN_AFTER.test(between));
  return isJoined && compareDecimals(low.decimal, high.decimal) < 0;
}

function textOfLabel(block: NearText | undefined, writing: Writing): string {
  if (block === undefined) return "";
  if (!hasAmount(block, writing)) return plainly(block.text);
  const end = block.text.search(/ (?:[|·•] |\()/);
  const first = block.text.slice(0, Math.max(end, 0));
  return /\d/.test(first.replace(/\d{1,2}(?:[.,]\d)? ?%/g, "")) ? "" : plainly(first);
}

function hasAmount({ text }: NearText, writing: Writing): boolean {
  return namesMoney(text) || hasMoney(text, writing);
}

function wordsOfAmount(
  text: string,
  decimal: string,
  { locale }: Writing,
): readonly [string, string] | null {
  const prices = pricesInText(text, { locale }).filter(({ currency }) => currency !== null);
  const at = prices.findIndex((price) => plainDecimal(price.decimal) === decimal);
  const price = prices[at];
  if (!price) return null;
  const before = at === 0 ? price.before : dividedBetween(price.before).right;
  const after = at === prices.length - 1 ? price.after : dividedBetween(price.after).left;
  return [before, after];
}

function plainly(text: string): string {
  return text.toLowerCase().replace(WITHOUT, " ");
}
