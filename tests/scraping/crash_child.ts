/** Runs all scraping jobs of a store until none is left or a test kills this process. */
import { readConfig } from "../../src/app/composition/config.ts";
import {
  createForeignReader,
  createScraper,
  importDeps,
} from "../../src/app/composition/room_deps.ts";
import { createDiscoveryKind } from "../../src/scraping/discovery/discovery_kind.ts";
import { createCheckKind } from "../../src/scraping/link_checks/check_kind.ts";
import { createVisitKind } from "../../src/scraping/link_checks/visit_kind.ts";
import { createRunKind } from "../../src/scraping/runs/run_kind.ts";
import { ProductIndexes } from "../../src/scraping/suggestions/product_indexes.ts";
import { openLeashed, workOff } from "../killed_process.ts";

/**
 * `settings` contains environment variables as JSON. Unless `startsPath` is `-`, the start time of
 * each request is appended to that file.
 */
const [dataDir = "", settings = "{}", startsPath = "-"] = Deno.args;
const leashed = await openLeashed(dataDir, () => new Date());
const env: Record<string, string> = JSON.parse(settings);
const config = readConfig((name) => env[name]);
const reader = createForeignReader();
const plain = createScraper(config, reader);
// Times are recorded before sending, because a busy machine delays requests to the shop.
const safeFetch: typeof plain.safeFetch = (request) => {
  if (startsPath !== "-") Deno.writeTextFileSync(startsPath, `${Date.now()}\n`, { append: true });
  return plain.safeFetch(request);
};
const scraper = { ...plain, safeFetch };
const imports = importDeps(config, () => {});
const indexes = new ProductIndexes();
await workOff(leashed, [
  createRunKind(scraper),
  createCheckKind(scraper),
  createVisitKind(scraper, indexes),
  createDiscoveryKind({ scraper, reader, imports, indexes }),
]);
