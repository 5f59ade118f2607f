/** How a shop's pages are found without anybody typing them (docs/decisions/discovery.md). */
import { z } from "@hono/zod-openapi";
import { utf8Bytes } from "../../base/text.ts";
import { DISCOVERY_MODES, DISCOVERY_PHASES } from "./discovery_choices.ts";

const URL_BYTES_MAX = 2_048;
const SITEMAPS_MAX = 50;
const PATHS_MAX = 50;
const PATH_CHARACTERS_MAX = 200;
const PAGES_PER_DAY = { usual: 5_000, max: 100_000 };

const SitemapUrl = z.string().max(URL_BYTES_MAX)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), "Must be a web address")
  .refine((text) => utf8Bytes(text) <= URL_BYTES_MAX, `Must have at most ${URL_BYTES_MAX} bytes`);

const Paths = z.array(
  z.string().max(PATH_CHARACTERS_MAX).regex(/^\//, "Must begin with /"),
).max(PATHS_MAX);

/** What a person says of it. */
export const DiscoverySettings = z.strictObject({
  mode: z.enum(DISCOVERY_MODES).meta({
    description: "`off`: nothing is fetched; `suggest`: pages are suggested for links",
  }),
  sitemaps: z.union([z.literal("robots"), z.array(SitemapUrl).min(1).max(SITEMAPS_MAX)])
    .default("robots").meta({
      description: "Where the shop lists its pages: what its robots.txt names, or these addresses",
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

export const DISCOVERY_OFF: DiscoverySettings = {
  mode: "off",
  sitemaps: "robots",
  include: [],
  exclude: [],
  pagesPerDay: PAGES_PER_DAY.usual,
};

/** What is known of the pages of a shop. */
export const UrlCounts = z.object({
  urls: z.int().meta({ description: "Pages that the sitemaps name" }),
  visited: z.int().meta({ description: "Those of them that were visited" }),
  products: z.int().meta({ description: "Those of them that show a product" }),
});

export type UrlCounts = Readonly<z.output<typeof UrlCounts>>;

export const NO_URLS: UrlCounts = { urls: 0, visited: 0, products: 0 };

/** Discovery as people watch it. */
export const Discovery = DiscoverySettings.extend({
  state: UrlCounts.extend({
    phase: z.enum(DISCOVERY_PHASES).meta({ description: "What is going on" }),
    foreign: z.int().meta({ description: "Pages of other hosts that the sitemaps named last" }),
    etaDays: z.int().nullable().meta({
      description: "Until every page was visited once, at this pace; null while nothing is known",
    }),
    lastReadAt: z.iso.datetime().nullable().meta({ description: "When the sitemaps were read" }),
    lastError: z.string().nullable().meta({
      description: "What went wrong last, as a code of scrape errors or of sitemaps",
    }),
  }).meta({ description: "How far it has come" }),
}).meta({ id: "Discovery" });

export type Discovery = Readonly<z.output<typeof Discovery>>;

/** What is kept of a shop. */
export interface StoredDiscovery {
  readonly settings: DiscoverySettings;
  readonly isPaused: boolean;
  /** The job in hand. */
  readonly jobId: string | null;
  readonly counts: UrlCounts;
  readonly foreign: number;
  readonly lastError: string | null;
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

export const NOTHING_DISCOVERED: StoredDiscovery = {
  settings: DISCOVERY_OFF,
  isPaused: false,
  jobId: null,
  counts: NO_URLS,
  foreign: 0,
  lastError: null,
  lastReadMs: 0,
  nextRunMs: 0,
  day: 0,
  visitedToday: 0,
  orderedFor: 0,
};
