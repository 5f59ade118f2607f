/**
 * Pages of invented shops, with misleading amounts and without structured data for the price. Class
 * names and texts were not chosen to suit extraction: no class says "price".
 */
import { formatGerman } from "../../../../src/base/money.ts";
import { euro, extract } from "../reading_pages.ts";
import type { Extraction } from "../../../../src/engine/extraction/extract_price.ts";
import type { LearningPage } from "../../../../src/engine/extraction/recipe/learn_recipe.ts";
import {
  NO_LESSONS,
  pageRecipe,
  PAGES_KEPT,
  type ShopLessons,
  wantsPage,
  withOutcomeOf,
  withPagesKept,
} from "../../../../src/shops/pages/recipe_store.ts";

export interface MadePage {
  readonly url: string;
  readonly html: string;
  readonly priceCents: number;
  readonly ownCents: number;
}

export interface MadeShop {
  readonly name: string;
  readonly pages: readonly MadePage[];
  /** Number of the first page with a new layout; null if the layout never changes. */
  readonly changesAt: number | null;
}

interface Article {
  readonly title: string;
  readonly cents: number;
  readonly price: string;
  readonly words: string;
  readonly draw: Draw;
  readonly isNew: boolean;
}

type Template = (article: Article) => string;

type Draw = ReturnType<typeof drawFrom>;

/** Random choices that are the same for the same seed. */
function drawFrom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    next,
    below,
    of: <T>(values: readonly T[]) => values[below(values.length)]!,
    chance: (share: number) => next() < share,
  };
}

const KINDS = ("Stehlampe Wasserkocher Bohrhammer Rucksack Regalbrett Kopfhörer Blumentopf " +
  "Gartenschere Schreibtisch Teppich Kaffeemühle Zelt").split(" ");
const MAKERS = ["Norvik", "Halden", "Tolmer", "Brasso", "Keldon", "Vantor"];
const SENTENCES = [
  "Aus robustem Material gefertigt und für den täglichen Gebrauch gedacht.",
  "Die Oberfläche lässt sich mit einem feuchten Tuch reinigen.",
  "Im Lieferumfang sind alle Teile für den Aufbau enthalten.",
  "Der Hersteller gewährt zwei Jahre auf alle beweglichen Teile.",
  "Mit 3 Stufen, 240 Volt und einem Kabel von 1,8 m Länge.",
];

function page(title: string, body: string): string {
  return `<!doctype html><html lang="de"><head><title>${title} | Laden</title></head><body>
<header><a href="/">Laden</a><nav><a href="/a">Neu</a><a href="/b">Alles</a></nav></header>
<main>${body}</main><footer><p>© Laden, Musterweg 12</p></footer></body></html>`;
}

const other = (draw: Draw): number => (5 + draw.below(900)) * 100 + draw.of([95, 90, 99, 0, 49]);

function tiles(draw: Draw, heading: string, box: string, sum: string, count = 4): string {
  const one = () => {
    const href = `/w/${draw.below(999)}`;
    const name = `${draw.of(KINDS)} ${draw.of(MAKERS)}`;
    const price = euro(other(draw));
    return `<li class="${box}"><a href="${href}"><span>${name}</span>` +
      `<b class="${sum}">${price}</b></a></li>`;
  };
  const all = Array.from({ length: count }, one).join("");
  return `<section><h3>${heading}</h3><ul>${all}</ul></section>`;
}

/** Markup with the price of two pieces or of a set, on 30 % of the pages. */
function pair(draw: Draw, cents: number): string {
  if (!draw.chance(0.3)) return "";
  const box = (name: string, cents: number) =>
    `<div class="duo"><span class="duo-name">${name}</span> ` +
    `<span class="duo-geld">${euro(cents)}</span></div>`;
  return draw.chance(0.5)
    ? box("Doppelt", 2 * cents - 500)
    : box(`Mit ${draw.of(KINDS)}`, cents + other(draw));
}

const BUY = '<button type="button">In den Warenkorb</button>';

const twoLayouts: Template = ({ title, cents, price, words, draw }) =>
  draw.chance(0.5)
    ? `<h1>${title}</h1><div class="links"><p>${words}</p></div>` +
      `<div class="rechts"><span class="taler">${price}</span>${BUY}</div>`
    : `<section class="oben"><h1>${title}</h1>${pair(draw, cents)}` +
      `<em class="muenze">EUR ${formatGerman(cents, 2)}</em></section>` +
      `<section class="unten">${BUY}<p>${words}</p></section>`;

const redesigned: Template = ({ title, price, words, draw, isNew }) => {
  if (!isNew) {
    return `<table class="alt"><tr><td><h1>${title}</h1></td></tr>` +
      `<tr><td class="alt-geld">${price}</td></tr><tr><td>${BUY}</td></tr></table><p>${words}</p>`;
  }
  const popular = tiles(draw, "Beliebt", "neu-karte", "neu-geld-klein");
  return `<div class="hero"><h1>${title}</h1><div class="neu-spalte">` +
    `<div class="neu-geld">${price}</div>${BUY}</div></div>${popular}<p>${words}</p>`;
};

const farAway: Template = ({ title, cents, price, draw }) => {
  const sentences = () => `<p>${draw.of(SENTENCES)} ${draw.of(SENTENCES)}</p>`;
  const text = Array.from({ length: 24 }, sentences).join("");
  const together = tiles(draw, "Oft zusammen gekauft", "paar", "paar-geld", 3);
  return `<h1>${title}</h1><div class="text">${text}</div>${together}<div class="kasse">` +
    `${pair(draw, cents)}<p class="kasse-geld">${price}</p>${BUY}</div>`;
};

const TEMPLATES: Readonly<Record<string, readonly [Template, changesAt: number | null]>> = {
  "two layouts": [twoLayouts, null],
  "redesigned": [redesigned, 20],
  "far away": [farAway, null],
};

export function madeShops(seed: number): readonly MadeShop[] {
  return Object.entries(TEMPLATES).map(([name, [template, changesAt]]) => {
    const draw = drawFrom(seed + name.length * 7_919 + name.charCodeAt(0));
    const pages = Array.from({ length: 40 }, (_, n) => {
      const cents = other(draw) + 500;
      const title = `${draw.of(MAKERS)} ${draw.of(KINDS)} ${100 + draw.below(900)}`;
      const words = Array.from({ length: 3 }, () => draw.of(SENTENCES)).join(" ");
      const isNew = changesAt !== null && n >= changesAt;
      return {
        url: `https://${name.replaceAll(" ", "-")}.example/w/${n}`,
        html: page(title, template({ title, cents, price: euro(cents), words, draw, isNew })),
        priceCents: cents,
        ownCents: Math.round(cents * (0.9 + draw.next() * 0.2)),
      };
    });
    return { name, pages, changesAt };
  });
}

interface VisitedPage {
  readonly page: MadePage;
  readonly extraction: Extraction;
  readonly verdict: "right" | "wrong" | "none";
  readonly confidence: number;
  readonly lessons: ShopLessons;
  /** True if Kurant reports at this page that the shop's pages seem to have changed. */
  readonly isNew: boolean;
}

const STEP_MS = 60_000;

/** Visits all pages in order; if `learns` is false, Kurant learns no recipe. */
export function visit({ pages }: MadeShop, learns = true): readonly VisitedPage[] {
  let lessons = NO_LESSONS;
  let kept: LearningPage[] = [];
  return pages.map((page, n) => {
    const nowMs = n * STEP_MS;
    const isLearning = learns && wantsPage(lessons, nowMs);
    const options = { recipe: pageRecipe(lessons.recipe, nowMs), isLearning };
    const extraction = extract(page.html, options, page.url);
    const { result, recipe, digest } = extraction;
    const noted = recipe ? withOutcomeOf(lessons, recipe, nowMs) : { lessons, isNew: false };
    lessons = noted.lessons;
    if (digest) {
      kept = [{ digest, ownPrice: page.ownCents / 100 }, ...kept].slice(0, PAGES_KEPT);
      lessons = withPagesKept(lessons, kept, nowMs, () => "0".repeat(24));
    }
    const isRight = "price" in result && result.price === page.priceCents &&
      result.currency === "EUR";
    return {
      page,
      extraction,
      verdict: !("price" in result) ? "none" : isRight ? "right" : "wrong",
      confidence: "price" in result ? result.confidence : 0,
      lessons,
      isNew: noted.isNew,
    };
  });
}
