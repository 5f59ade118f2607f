import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import { numberText, readNumber } from "../../formats/number_text.ts";
import type { Show } from "../../../engine/wording/show.ts";

/** A match as its form holds it. */
export function matchValues(match: CompetitorProduct | null, show: Show) {
  return {
    url: match?.url ?? "",
    packFactor: numberText(match?.packFactor ?? 1, show.locale),
    matchType: match?.matchType ?? "exact",
    enabled: match?.enabled ?? true,
    priceSelector: match?.extractor?.priceSelector ?? "",
    stockSelector: match?.extractor?.stockSelector ?? "",
    jsonPath: match?.extractor?.jsonPath ?? "",
  };
}

type MatchValues = ReturnType<typeof matchValues>;

interface MatchInput {
  readonly values: MatchValues;
  /** Those that are sent: what others have changed meanwhile stays. */
  readonly sent: Partial<MatchValues>;
  readonly match: CompetitorProduct | null;
  readonly show: Show;
}

/** What the service is sent. The extractor goes whole, because it replaces the one that is there. */
export function matchBody({ values, sent, match, show }: MatchInput) {
  const { url, packFactor, priceSelector, stockSelector, jsonPath, ...plain } = sent;
  const isRead = [priceSelector, stockSelector, jsonPath].some((text) => text !== undefined);
  return {
    ...plain,
    ...(url !== undefined && { url: url.trim() }),
    ...(packFactor !== undefined && { packFactor: readNumber(packFactor, show.locale) }),
    ...(isRead && { extractor: extractorOf(values, match) }),
  };
}

/** How the page is read: as the form says, and with what it does not show. Null for nothing of both. */
export function extractorOf(
  { priceSelector, stockSelector, jsonPath }: MatchValues,
  match: CompetitorProduct | null,
): Readonly<Record<string, string>> | null {
  const { currency, locale } = match?.extractor ?? {};
  const given = Object.entries({ priceSelector, stockSelector, jsonPath, currency, locale })
    .flatMap(([name, text]): [string, string][] => text?.trim() ? [[name, text]] : []);
  return given.length === 0 ? null : Object.fromEntries(given);
}
