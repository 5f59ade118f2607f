/** The workspace of a retailer in the morning: a varied catalogue, changed prices, a full inbox. */
import { createClock } from "../../src/platform/store/context.ts";
import { alerts as alertRows } from "../../src/messages/alerts/alert.ts";
import type { Product } from "../../src/catalogue/products/product.ts";
import { listWorkspaces } from "../../src/accounts/workspace_store.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import type { Trace } from "../../src/engine/pricing/trace.ts";
import { openProposal } from "../../src/rules/proposals/proposal.ts";
import { saveProposal } from "../../src/rules/proposals/proposal_store.ts";
import { seedOffersOf } from "./seed_offers.ts";
import {
  applianceOf,
  inCommits,
  type SeedPlace,
  seedPriceMoves,
  seedProducts,
} from "./seed_catalogue.ts";

const BUSY_MS = 30_000;
const MOVED = 6_000;
const PROPOSED = 5_000;
const ALERTED = 2_000;
const RARE = 10;
const SHOPS = 5;

const KINDS = ["Kühlschrank", "Waschmaschine", "Wasserkocher", "Akkuschrauber", "Rasenmäher"];
const SERIES = ["NoFrost", "Cyclone", "Barista", "Silent", "Pro", "Slim", "Aroma", "Öko"];
const SYLLABLES = ["bo", "sch", "mie", "le", "kra", "tec", "nor", "wall", "gro", "mann", "ü", "xa"];
const GROUPS = ["Kühlen", "Waschen", "Kaffee", "Werkzeug", "Garten", "Audio", "Büro", "Spielzeug"];

export async function seedTable(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ kvUrl: null, dataDir }, BUSY_MS);
  try {
    const [workspace] = await listWorkspaces(store);
    if (!workspace) throw new Error("The store has no workspace");
    const clock = await createClock(store, () => new Date());
    const place = { store, workspaceId: workspace.id, clock };
    const some: Product[] = [];
    const all: Pick<Product, "id" | "sku">[] = [];
    await seedProducts(place, count, (n) => {
      const product = articleOf(clock, n, count);
      all.push({ id: product.id, sku: product.sku });
      if (n % Math.ceil(count / MOVED) === 0) some.push(product);
      return product;
    });
    await seedPriceMoves(place, some, moved);
    await seedOffersOf({ ...clock, ...place }, all, SHOPS);
    await seedProposals(place, some.slice(0, PROPOSED).map(moved));
    await seedAlerts(place, some.slice(0, ALERTED));
  } finally {
    store.kv.close();
  }
}

/** A few brands have many products, many brands have few, and a rare brand has ten. */
function articleOf(clock: SeedPlace["clock"], n: number, count: number): Product {
  const pick = <T>(list: readonly T[], at: number) => list[at % list.length];
  const brandNumber = Math.floor(400 * ((n * 7_919 % 10_007) / 10_007) ** 2);
  const brand = n % Math.ceil(count / RARE) === 7 ? "Rarität" : brandOf(brandNumber);
  const kind = `${pick(KINDS, n * 3)} ${pick(SERIES, n >> 3)}`;
  return {
    ...applianceOf(clock, n),
    brand,
    title: `${brand} ${kind} ${1_000 + n % 9_000}, ${50 + n % 300} Liter, weiß`,
    category: `${pick(GROUPS, n)} > ${pick(KINDS, n * 3)} > Gruppe ${n % 15}`,
    tier: n % 10 < 7 ? "STANDARD" : "B2B",
    ean: String(4_000_000_000_000 + n * 97),
    costPriceCents: 7_000 + n,
  };
}

function brandOf(n: number): string {
  const [first, second] = [n % SYLLABLES.length, Math.floor(n / SYLLABLES.length)];
  const name = `${SYLLABLES[first]}${SYLLABLES[second % SYLLABLES.length]}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${second}`;
}

function moved(product: Product): Product {
  const at = new Date(Date.parse(product.updatedAt) + 1).toISOString();
  const ourPriceCents = (product.ourPriceCents ?? 0) + 100;
  return { ...product, ourPriceCents, ourPriceUpdatedAt: at, updatedAt: at };
}

async function seedProposals(place: SeedPlace, products: readonly Product[]): Promise<void> {
  const { newId, now } = place.clock;
  const rule = { id: newId(), name: "Undercut the cheapest" };
  await inCommits(place, products, (write, product) => {
    const currentCents = product.ourPriceCents ?? 0;
    const proposal = openProposal({
      id: newId(),
      rule,
      product,
      currentCents,
      proposedCents: currentCents - 150,
      reason: "shop-3 asks 97.49 EUR",
      marketThen: null,
      now: now(),
    });
    saveProposal(write, place.workspaceId, null, proposal, traceOf(place, rule.id, product));
  });
}

function traceOf({ clock: { newId, now } }: SeedPlace, ruleId: string, product: Product): Trace {
  const at = now().toISOString();
  const { currency, ourPriceCents, costPriceCents } = product;
  const references = Array.from({ length: 8 }, (_, n) => ({
    matchId: newId(),
    competitorId: newId(),
    competitor: `shop-${n}`,
    priceCents: 9_700 + n,
    currency,
    packFactor: 1,
    inStock: true,
    confidence: 1,
    observedAt: at,
    pricesIncludeVat: true,
    unitCents: 9_700 + n,
    exact: `${9_700 + n}`,
    isUsed: n === 0,
  }));
  return {
    at,
    mode: "live",
    ruleId,
    inputs: {
      currency,
      ourPriceCents,
      costPriceCents,
      pricesIncludeVat: true,
      vatRatePct: 19,
      priceLocked: false,
      dayAgoCents: ourPriceCents,
      setByPersonAt: null,
      lastFiredAt: null,
      lastRank: 2,
    },
    trigger: {
      value: "competitor_undercut",
      reference: "cheapest",
      comparedWith: references.slice(0, 1).map(({ matchId }) => matchId),
      fires: true,
      said: {
        code: "competitor_undercut",
        facts: {
          kind: "cheapest",
          competitor: "shop-0",
          count: 8,
          priceCents: 9_700,
          ourPriceCents: ourPriceCents ?? 0,
          currency,
          deltaPct: 0,
          fires: true,
        },
      },
    },
    references,
    leftOut: [],
    price: null,
    guards: [],
    bindingGuard: null,
  };
}

async function seedAlerts(place: SeedPlace, products: readonly Product[]): Promise<void> {
  const { newId, now } = place.clock;
  await inCommits(place, products, (write, { id, sku }) => {
    alertRows.put(write, place, {
      id: newId(),
      severity: "high",
      ruleId: null,
      productId: id,
      title: `${sku}: a competitor is cheaper`,
      body: "shop-0 asks 97.00 EUR, we ask 98.50 EUR",
      createdAt: now().toISOString(),
      readAt: null,
      mailId: null,
      isMailOff: false,
      facts: null,
    });
  });
}
