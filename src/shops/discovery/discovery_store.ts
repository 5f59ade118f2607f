/** The discovery of a shop: its settings, and how far it has come. */

import { utf8Bytes } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";
import { DISCOVERY_MODES, DISCOVERY_PHASES } from "./discovery_choices.ts";
import { z } from "@hono/zod-openapi";

const URL_BYTES_MAX = 2_048;
const SITEMAPS_MAX = 50;
const PATHS_MAX = 50;
const PATH_CHARACTERS_MAX = 200;
const PAGES_PER_DAY = { usual: 5_000, max: 100_000 };

const SitemapUrl = z.string().max(URL_BYTES_MAX)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), "Must be a web address")
  .refine((text) => utf8Bytes(text) <= URL_BYTES_MAX, `Must have at most ${URL_BYTES_MAX} bytes`);

const FEEDS_MAX = 10;
/** Placeholder for the search text in a search address. */
export const SEARCH_PLACE = "{query}";

export const FEED_FORMATS = ["merchant_xml", "csv"] as const;

export type FeedFormat = (typeof FEED_FORMATS)[number];

/** A file in which a shop lists what it sells, with numbers and prices. */
export const ShopFeed = z.strictObject({
  url: SitemapUrl,
  format: z.enum(FEED_FORMATS).meta({
    description: "`merchant_xml`: Google Merchant Center; `csv`: a table, columns by their names",
  }),
});

export type ShopFeed = Readonly<z.output<typeof ShopFeed>>;

/** An address of the web with one place for what is looked for, behind its host. */
const SearchTemplate = z.string().max(URL_BYTES_MAX).refine((text) => {
  const url = URL.parse(text.replace(SEARCH_PLACE, "0"));
  const [before = "", ...rest] = text.split(SEARCH_PLACE);
  return url !== null && ["http:", "https:"].includes(url.protocol) && rest.length === 1 &&
    url.hash === "" &&
    url.username === "" && url.password === "" && URL.parse(before)?.origin === url.origin;
}, `Must be a web address with ${SEARCH_PLACE} once in its path or its query`);

const Paths = z.array(
  z.string().max(PATH_CHARACTERS_MAX).regex(/^\//, "Must begin with /"),
).max(PATHS_MAX);

export const DiscoverySettings = z.strictObject({
  mode: z.enum(DISCOVERY_MODES).meta({
    description: "`off`: nothing is fetched; `suggest`: pages are suggested for links; " +
      "`automatic`: those that are surely ours are linked besides, until people take more than 2 " +
      "of the last 100 such links back, which makes it `suggest` again",
  }),
  sitemaps: z.union([z.literal("robots"), z.array(SitemapUrl).min(1).max(SITEMAPS_MAX)])
    .default("robots").meta({
      description: "Where the shop lists its pages: what its robots.txt names, or these addresses",
    }),
  feeds: z.array(ShopFeed).max(FEEDS_MAX)
    .refine((feeds) => new Set(feeds.map(({ url }) => url)).size === feeds.length, "Each once")
    .default([]).meta({
      description: "Files in which the shop lists what it sells; read daily, without a visit",
    }),
  searchTemplate: SearchTemplate.nullable().default(null).meta({
    description: "The shop's search, where its robots.txt allows it, by GTIN and part number",
    example: "https://shop.example/search?q={query}",
  }),
  include: Paths.default([]).meta({
    description: "Pages whose path begins so are visited; none named: all",
    example: ["/produkte/"],
  }),
  exclude: Paths.default([]).meta({
    description: "Pages whose path begins so are not visited",
    example: ["/blog/"],
  }),
  pagesPerDay: z.int().min(1).max(PAGES_PER_DAY.max).default(PAGES_PER_DAY.usual).meta({
    description: "Visits a day at most; at most half of what the due fetches leave of the day",
  }),
}).meta({ id: "DiscoverySettings" });

export type DiscoverySettings = Readonly<z.output<typeof DiscoverySettings>>;

export const DISCOVERY_OFF: DiscoverySettings = DiscoverySettings.parse({ mode: "off" });

export const UrlCounts = z.object({
  urls: z.int().meta({ description: "Pages that sitemaps, feeds and searches name" }),
  visited: z.int().meta({ description: "Those of them that were visited, or read in a feed" }),
  products: z.int().meta({ description: "Those of them that show a product" }),
});

export type UrlCounts = Readonly<z.output<typeof UrlCounts>>;

export const NO_URLS: UrlCounts = { urls: 0, visited: 0, products: 0 };

export const FeedState = z.object({
  url: z.string(),
  readAt: z.iso.datetime().nullable().meta({
    description: "When all of it was taken in last, changed or not; null: never",
  }),
  entries: z.int().meta({ description: "Entries that name a page of the shop" }),
  foreign: z.int().meta({ description: "Entries that name a page of another host" }),
  isCut: z.boolean().meta({ description: "It broke off, or went on behind what is read" }),
  errorCode: z.string().nullable().meta({ description: "Why it could not be read last" }),
}).meta({ id: "FeedState" });

export type FeedState = Readonly<z.output<typeof FeedState>>;

export const Discovery = DiscoverySettings.extend({
  state: UrlCounts.extend({
    phase: z.enum(DISCOVERY_PHASES).meta({ description: "What is going on" }),
    foreign: z.int().meta({
      description: "Pages of other hosts that sitemaps and feeds named last",
    }),
    etaDays: z.int().nullable().meta({
      description: "Until every page was visited once, at this pace; null while nothing is known",
    }),
    feeds: z.array(FeedState).meta({ description: "What came of each feed" }),
    searched: z.int().meta({ description: "Products of ours that its search was asked for" }),
    lastReadAt: z.iso.datetime().nullable().meta({ description: "When the sitemaps were read" }),
    lastError: z.string().nullable().meta({
      description: "What went wrong last, as a code of scrape errors or of sitemaps",
    }),
  }).meta({ description: "How far it has come" }),
}).meta({ id: "Discovery" });

export type Discovery = Readonly<z.output<typeof Discovery>>;

export interface StoredFeed extends Omit<FeedState, "readAt"> {
  /** As it was read; in another form the same file says something else. */
  readonly format: FeedFormat;
  /** Entries of the last time that it was read to its end; a feed that shrinks is not believed at once. */
  readonly wholeEntries: number;
  readonly askedMs: number;
  /** When all of it was taken in last; 0: never. */
  readonly readMs: number;
  readonly sha256: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** How far the products without a page were looked for in the search of a shop. */
export interface StoredSearch {
  /** The last product that was looked at; null: none. */
  readonly after: string | null;
  /** When the round began. */
  readonly begunMs: number;
  /** Of all rounds. */
  readonly asked: number;
  /** The day of `askedToday`, in days since 1970. */
  readonly day: number;
  readonly askedToday: number;
}

export interface StoredDiscovery {
  readonly competitorId: string;
  readonly settings: DiscoverySettings;
  readonly isPaused: boolean;
  readonly jobId: string | null;
  readonly feeds: readonly StoredFeed[];
  readonly search: StoredSearch;
  readonly counts: UrlCounts;
  readonly foreign: number;
  readonly lastError: string | null;
  /** The crawl delay of its robots.txt when its sitemaps were last read. */
  readonly crawlDelayMs: number;
  /** When its sitemaps were read to the end; 0: never. */
  readonly lastReadMs: number;
  /** Nothing goes on by itself before then. */
  readonly nextRunMs: number;
  /** The day of `visitedToday`, in days since 1970. */
  readonly day: number;
  readonly visitedToday: number;
  /** With how many of our products the pages were put in order last. */
  readonly orderedFor: number;
}

export const NOTHING_DISCOVERED: Omit<StoredDiscovery, "competitorId"> = {
  settings: DISCOVERY_OFF,
  isPaused: false,
  jobId: null,
  feeds: [],
  search: { after: null, begunMs: 0, asked: 0, day: 0, askedToday: 0 },
  counts: NO_URLS,
  foreign: 0,
  lastError: null,
  crawlDelayMs: 0,
  lastReadMs: 0,
  nextRunMs: 0,
  day: 0,
  visitedToday: 0,
  orderedFor: 0,
};

export const discoveries = defineTable<StoredDiscovery, "competitorId">({
  prefix: "dsc",
  about: "how the pages of a shop are found: settings, and how far it has come",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
  codec: {
    /** Older rows lack later fields. */
    decode: (stored) => {
      const discovery = { ...NOTHING_DISCOVERED, ...Object(stored) };
      return { ...discovery, settings: { ...DISCOVERY_OFF, ...discovery.settings } };
    },
  },
  check: belongsToShop("Discovery"),
});

/** `found` is null when nothing was ever set. */
export async function findDiscovery(workspace: WorkspaceStore, competitorId: string) {
  const found = await discoveries.find(workspace, { competitorId });
  const discovery: StoredDiscovery = found?.row ?? { ...NOTHING_DISCOVERED, competitorId };
  return { discovery, found };
}
