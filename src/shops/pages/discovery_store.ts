/** Settings and progress of discovery, which finds the product pages of a shop. */
import { utf8Bytes } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { DISCOVERY_MODES, DISCOVERY_PHASES } from "../choices.ts";
import { z } from "@hono/zod-openapi";

const URL_BYTES_MAX = 2_048;
const PAGES_PER_DAY = { usual: 5_000, max: 100_000 };

const SitemapUrl = z.string().max(URL_BYTES_MAX)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), "Must be a web address")
  .refine((text) => utf8Bytes(text) <= URL_BYTES_MAX, `Must have at most ${URL_BYTES_MAX} bytes`);

export const SEARCH_PLACE = "{query}";

const FEED_FORMATS = ["merchant_xml", "csv"] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

export const ShopFeed = z.strictObject({
  url: SitemapUrl,
  format: z.enum(FEED_FORMATS)
    .describe("`merchant_xml`: Google Merchant Center; `csv`: a table, columns by their names"),
});
export type ShopFeed = Readonly<z.output<typeof ShopFeed>>;

const SearchTemplate = z.string().max(URL_BYTES_MAX).refine((text) => {
  const url = URL.parse(text.replace(SEARCH_PLACE, "0"));
  const [before = "", ...rest] = text.split(SEARCH_PLACE);
  return url !== null && ["http:", "https:"].includes(url.protocol) && rest.length === 1 &&
    url.hash === "" &&
    url.username === "" && url.password === "" && URL.parse(before)?.origin === url.origin;
}, `Must be a web address with ${SEARCH_PLACE} once in its path or its query`);

const Paths = z.array(z.string().max(200).regex(/^\//, "Must begin with /")).max(50);

export const DiscoverySettings = z.strictObject({
  mode: z.enum(DISCOVERY_MODES).describe(
    "`off`: nothing is fetched; `suggest`: pages are suggested for links; " +
      "`automatic`: pages that certainly show our products are also linked, until people have " +
      "undone more than 2 of the last 100 such links; then the mode becomes `suggest` again",
  ),
  sitemaps: z.union([z.literal("robots"), z.array(SitemapUrl).min(1).max(50)])
    .default("robots")
    .describe("Addresses of the shop's sitemaps; default: those in its robots.txt"),
  feeds: z.array(ShopFeed).max(10)
    .refine((feeds) => new Set(feeds.map(({ url }) => url)).size === feeds.length, "Each once")
    .default([]).describe("Product feeds of the shop; read daily, without visiting its pages"),
  searchTemplate: SearchTemplate.nullable().default(null).meta({
    description:
      "The address of the shop's search, which is used with GTINs and part numbers if robots.txt allows it",
    example: "https://shop.example/search?q={query}",
  }),
  include: Paths.default([]).meta({
    description: "Only pages whose path begins with one of these are visited; empty: all pages",
    example: ["/produkte/"],
  }),
  exclude: Paths.default([]).meta({
    description: "Pages whose path begins with one of these are not visited",
    example: ["/blog/"],
  }),
  pagesPerDay: z.int().min(1).max(PAGES_PER_DAY.max).default(PAGES_PER_DAY.usual)
    .describe("Maximum visits per day; never more than half of the visits that due fetches leave"),
}).meta({ id: "DiscoverySettings" });
export type DiscoverySettings = Readonly<z.output<typeof DiscoverySettings>>;

export const DISCOVERY_OFF: DiscoverySettings = DiscoverySettings.parse({ mode: "off" });

export const UrlCounts = z.object({
  urls: z.int().describe("Number of pages found in sitemaps, feeds and searches"),
  visited: z.int().describe("Number of pages that were visited or read in a feed"),
  products: z.int().describe("Number of pages that show a product"),
});
export type UrlCounts = Readonly<z.output<typeof UrlCounts>>;

export const FeedState = z.object({
  url: z.string(),
  readAt: z.iso.datetime().nullable()
    .describe("When the whole feed was last processed, even if unchanged; null: never"),
  entries: z.int().describe("Number of entries with a page of the shop"),
  foreign: z.int().describe("Number of entries with a page of another host"),
  isCut: z.boolean().describe("The feed broke off, or was longer than the maximum"),
  errorCode: z.string().nullable().describe("Why the last reading failed"),
}).meta({ id: "FeedState" });
export type FeedState = Readonly<z.output<typeof FeedState>>;

export const Discovery = DiscoverySettings.extend({
  state: UrlCounts.extend({
    phase: z.enum(DISCOVERY_PHASES).describe("The current phase"),
    foreign: z.int().describe("Number of pages of other hosts that sitemaps and feeds named last"),
    etaDays: z.int().nullable()
      .describe("Days until every page was visited once at the current pace; null: not known"),
    feeds: z.array(FeedState).describe("The state of each feed"),
    searched: z.int().describe("Number of our products that were looked up in its search"),
    lastReadAt: z.iso.datetime().nullable().describe("When the sitemaps were last read"),
    lastError: z.string().nullable().describe("Code of the last error, of scraping or of sitemaps"),
  }).describe("The progress of discovery"),
}).meta({ id: "Discovery" });
export type Discovery = Readonly<z.output<typeof Discovery>>;

export interface StoredFeed extends Omit<FeedState, "readAt"> {
  readonly format: FeedFormat;
  readonly askedMs: number;
  /** Time when entries of the feed were last processed; 0 for never. */
  readonly readMs: number;
  readonly sha256: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface StoredSearch {
  readonly after: string | null;
  readonly begunMs: number;
  readonly asked: number;
  /** Day to which `askedToday` belongs, in days since 1970. */
  readonly day: number;
  readonly askedToday: number;
}

const NOTHING_DONE = {
  isPaused: false,
  /** True from a change of the shop's domain until the old domain's pages are removed. */
  hasMoved: false,
  foreign: 0,
  crawlDelayMs: 0,
  /** Time when a job last went through all sitemaps, even if some were unreadable; 0 for never. */
  lastReadMs: 0,
  nextRunMs: 0,
  /** Day to which `visitedToday` belongs, in days since 1970. */
  day: 0,
  visitedToday: 0,
  orderedFor: 0,
};

export interface StoredDiscovery extends Readonly<typeof NOTHING_DONE> {
  readonly competitorId: string;
  readonly settings: DiscoverySettings;
  readonly jobId: string | null;
  readonly feeds: readonly StoredFeed[];
  readonly search: StoredSearch;
  readonly counts: UrlCounts;
  readonly lastError: string | null;
}

export const NOTHING_DISCOVERED: Omit<StoredDiscovery, "competitorId"> = {
  ...NOTHING_DONE,
  settings: DISCOVERY_OFF,
  jobId: null,
  feeds: [],
  search: { after: null, begunMs: 0, asked: 0, day: 0, askedToday: 0 },
  counts: { urls: 0, visited: 0, products: 0 },
  lastError: null,
};

export const discoveries = defineTable<StoredDiscovery, "competitorId">({
  prefix: "dsc",
  about: "the discovery of a shop's pages: settings and progress",
  key: { competitorId: "id" },
  codec: {
    decode: (stored: Partial<StoredDiscovery>) => {
      const discovery = { ...NOTHING_DISCOVERED, ...stored };
      return { ...discovery, settings: { ...DISCOVERY_OFF, ...discovery.settings } };
    },
  },
  check: belongsToShop("Discovery"),
});

export async function findDiscovery(workspace: WorkspaceStore, competitorId: string) {
  const found = await discoveries.find(workspace, { competitorId });
  const discovery: StoredDiscovery = found?.row ?? { ...NOTHING_DISCOVERED, competitorId };
  return { discovery, found };
}
