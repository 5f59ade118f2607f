/** Decides the kind of a page: priced, sold out, gone, a list … (docs/decisions/scraping.md). */

import { mainAnchors, sellsAfter } from "./shown/price_context.ts";
import type { Availability } from "../../base/codes.ts";
import { textsAfter, textsBefore } from "./near_texts.ts";
import type { HtmlPage } from "./page/html_page.ts";
import type { ReadSoFar } from "./page_facts.ts";
import { absoluteUrl, describedProduct } from "./page_product.ts";
import type { PageStatus } from "./page_status.ts";
import { isRangeShown } from "./price_vetoes.ts";
import type { Reading } from "./reading.ts";
import { readAvailability } from "./shop_words.ts";
import { PlaceWordsOf } from "./shown/place_words.ts";
import { type ScoredPrice, WELL_SHOWN } from "./shown/scored_price.ts";

const BEFORE = { characters: 200, blocks: Infinity };
const AFTER = { characters: 1_500, blocks: Infinity };

function textsNear({ shown }: HtmlPage): readonly string[] {
  const [anchor] = mainAnchors(shown);
  if (!anchor) return [];
  const words = new PlaceWordsOf();
  const before = textsBefore(anchor.element, BEFORE, words);
  const after = textsAfter(anchor.element, AFTER, words);
  const texts = [...before.blocks.toReversed(), ...after.blocks].map(({ text }) => text);
  return [...texts, ...[before.own, after.own].flatMap((text) => text ?? [])];
}

export interface PageVerdict {
  readonly pageStatus: PageStatus;
  readonly availability: Availability;
}

/** `reading` is null if only the shown text contains the price. */
export function statusOfPrice(
  availability: Availability,
  reading: Reading | null,
  { variant, stated }: ReadSoFar,
): PageStatus {
  if (availability === "out_of_stock" || availability === "discontinued") return "sold_out";
  if (stated?.isNet ?? reading?.isNet) return "net_only";
  if (stated?.isThirdParty ?? reading?.sold?.isThirdParty) return "third_party";
  if (variant?.state === "unknown") return "variant_unknown";
  const isOpen = variant?.state === "open" || stated?.isOfRange ||
    (reading?.isUndecided && reading.sold?.isVariant);
  return isOpen ? "variant_open" : "priced";
}

export function verdictWithoutPrice(read: ReadSoFar): PageVerdict {
  const { page: { html } } = read;
  const stock = stockOf(read);
  const unread = { pageStatus: "unread", availability: stock } as const;
  const moved = movedTo(read);
  if (moved === "home") return GONE;
  if (!html) return stock === "out_of_stock" ? SOLD_OUT : unread;
  const isSelling = sellsAfter(html.shown);
  const near = readNear(html, isSelling);
  if (near.isMissing || near.stock === "discontinued" || stock === "discontinued") return GONE;
  if (stock === "out_of_stock" || (!isSelling && near.stock === "out_of_stock")) return SOLD_OUT;
  if (near.isOnRequest) return { pageStatus: "on_request", availability: stock };
  const goodPrices = read.shown?.prices.filter(({ score }) => score >= WELL_SHOWN) ?? [];
  if (isNetAlone(read.shown?.prices ?? [])) return { pageStatus: "net_only", availability: stock };
  if (read.variant?.state === "unknown") {
    return { pageStatus: "variant_unknown", availability: stock };
  }
  if (
    isOpenVariant(read) || isRangeShown(read.shown?.prices.slice(0, 1) ?? []) ||
    (near.asksForVariant && goodPrices.length !== 1)
  ) {
    return { pageStatus: "variant_open", availability: stock };
  }
  if (moved === "up" || isListing(read, isSelling)) {
    return { pageStatus: "listing", availability: "unknown" };
  }
  return unread;
}

const GONE = { pageStatus: "gone", availability: "discontinued" } as const;
const SOLD_OUT = { pageStatus: "sold_out", availability: "out_of_stock" } as const;

function stockOf({ methods, identity, wanted }: ReadSoFar): Availability {
  for (const { candidates } of methods) {
    const product = describedProduct(candidates, identity, wanted);
    if (product && product.availability !== "unknown") return product.availability;
  }
  return "unknown";
}

const MISSING =
  /^(?:(?:fehler|error|oops|ups)\W{0,3})?404(?![\d.,])|(?:artikel|produkt|angebot|seite|item|product|page|offer)[^.!?]{0,40}(?:nicht gefunden|existiert nicht|gibt es nicht|not found|(?:could not|cannot|can['’]t|couldn['’]t) be found|does(?: not|n['’]t) exist|no longer exists)/u;
const ON_REQUEST =
  /(?<!\p{L})preise?(?: nur| gerne)? (?:auf|per) (?:an|nach)frage|preis anfragen|^auf anfrage$|(?<!\p{L})prices? (?:up)?on (?:request|application|demand)|call (?:us )?for (?:a )?(?:price|quote|pricing)|request (?:a )?(?:price|quote)|prix sur demande|prezzo su richiesta|precio (?:a consultar|bajo pedido)|prijs op aanvraag/u;
const VARIANT =
  /(?<!\p{L})(?:bitte|please)[^.!?]{0,30}(?:wähl|auswähl|select|choose)|(?:variante|größe|farbe|ausführung|option) (?:aus)?wählen|(?:select|choose) (?:a |an |your )?(?:size|colou?r|option|variant|model)/u;

/** Words for discontinued articles whose last pieces a shop may still sell. */
const LAST_PIECES = /auslaufmodell|fin de série/;

function readNear(html: HtmlPage, isSelling: boolean) {
  const lower = (text: string) => text.slice(0, 200).toLowerCase();
  const texts = [...html.headings, ...textsNear(html)].map(lower);
  const has = (words: RegExp) => texts.some((text) => words.test(text));
  const stocks = new Set(
    texts.filter((text) => !isSelling || !LAST_PIECES.test(text)).map(readAvailability),
  );
  return {
    stock: (["discontinued", "out_of_stock"] as const).find((code) => stocks.has(code)) ?? null,
    isMissing: has(MISSING) || MISSING.test(lower(html.title ?? "")),
    isOnRequest: has(ON_REQUEST),
    asksForVariant: has(VARIANT),
  };
}

function movedTo({ urls: [url = "", askedUrl = ""] }: ReadSoFar): "home" | "up" | null {
  const asked = absoluteUrl(askedUrl, url);
  const path = absoluteUrl(url, url)?.pathname.toLowerCase();
  if (asked === null || path === undefined) return null;
  const askedPath = asked.pathname.toLowerCase();
  if (askedPath === path || HOME.test(askedPath) || asked.search.length > 1) return null;
  if (HOME.test(path)) return "home";
  return askedPath.startsWith(path.endsWith("/") ? path : `${path}/`) ? "up" : null;
}

const HOME = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:index\.[a-z]{3,5})?$/;

function isNetAlone(prices: readonly ScoredPrice[]): boolean {
  const [best] = prices;
  return best !== undefined && best.features.includes("net") && best.score >= 0;
}

function isOpenVariant({ methods, variant }: ReadSoFar): boolean {
  return variant?.state === "open" ||
    methods.some(({ outcome }) =>
      "decimal" in outcome && outcome.isUndecided && (outcome.sold?.isVariant ?? false)
    );
}

function isListing({ methods, shown }: ReadSoFar, isSelling: boolean): boolean {
  const isListed = methods.some(({ candidates }) => {
    const priced = candidates.filter(({ amount }) => "decimal" in amount);
    return new Set(priced.map(({ subject }) => subject)).size >= 3;
  });
  if (isListed) return true;
  if (isSelling || methods.some(({ candidates }) => candidates.length > 0)) return false;
  const prices = shown?.prices ?? [];
  const tiles = prices.filter(({ features }) =>
    features.includes("tile") || features.includes("one_of_many")
  );
  return tiles.length >= 6 && !prices.some(({ score }) => score >= WELL_SHOWN) &&
    new Set(tiles.map(({ decimal }) => decimal)).size >= 4;
}
