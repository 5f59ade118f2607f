/** What a process needs to fetch from shops, made of its configuration. */
import type { Config } from "./config.ts";
import { createBodyRoom } from "./platform/fetch/body_room.ts";
import { createSafeFetch } from "./platform/fetch/safe_fetch.ts";
import { resolveBySystem } from "./platform/fetch/safe_fetch_address.ts";
import type { ScrapeDeps, ShopReader } from "./scraping/page/scrape_deps.ts";

export function createScraper(config: Config, reader: ShopReader): ScrapeDeps {
  const limits = { allowed: config.SCRAPE_ALLOW_PRIVATE, ports: config.SCRAPE_ALLOW_PORTS };
  const userAgent = config.SCRAPE_USER_AGENT;
  return {
    safeFetch: createSafeFetch({
      ...limits,
      userAgent,
      resolve: resolveBySystem,
      dial: (address, port) => ({ address, port }),
    }),
    reader,
    bodies: createBodyRoom(),
    limits,
    userAgent,
    timeoutMs: config.SCRAPE_TIMEOUT_MS,
    bytesMax: config.SCRAPE_MAX_BYTES,
    delayMs: config.SCRAPE_DOMAIN_DELAY_MS,
  };
}
