/** Reads untrusted texts in a Worker: pages, robots.txt files, sitemaps and selectors. */
import { TooComplex } from "../../base/failure.ts";
import { roomLog } from "../../platform/log.ts";
import { Sandbox, type SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import type { DiscoveryReader } from "../../scraping/discovery/discovery_job.ts";
import type { ShopReader } from "../../scraping/page/visit_tools.ts";
import type { ExtractorCheck } from "../../shops/extractor.ts";
import type { ForeignInputs, ForeignWork } from "./foreign_work.ts";

/** The Worker starts with the first job. */
export interface ForeignReader extends ShopReader, DiscoveryReader, Disposable {
  readonly extractor: ExtractorCheck;
}

export function createForeignReader(): ForeignReader {
  let workHere: ForeignWork | null = null;
  const sandbox = new Sandbox({
    module: new URL("./foreign_worker.ts", import.meta.url),
    // The slowest known page takes 0.2 s.
    limitMs: 2_000,
    log: roomLog("sandbox"),
    // These functions are loaded late, because they would take a tenth of the start-up time.
    loadHere: async () => {
      workHere = (await import("./foreign_work.ts")).FOREIGN_WORK;
    },
  });
  const here = (): ForeignWork => {
    if (workHere === null) throw new Error("The readers were not loaded");
    return workHere;
  };
  const run = <Name extends keyof ForeignWork>(
    name: Name,
    input: ForeignInputs[Name],
    permit: SandboxPermit,
  ) => sandbox.run({ name, input }, permit, () => here()[name](input));
  return {
    page: (input, permit) => run("page", input, permit),
    robots: (input, permit) => run("robots", input, permit),
    // A sitemap of 5 MB takes 0.6 s on an idle machine.
    sitemap: (input, permit) => run("sitemap", input, { ...permit, limitMs: 10_000 }),
    links: (input, permit) => run("links", input, permit),
    extractor: async (partition, { priceSelector, stockSelector, jsonPath }) => {
      const input = { priceSelector, stockSelector, jsonPath };
      // While 100 checks of the workspace wait, further checks are refused with 503.
      const permit = { partition, waitingMax: 100 };
      try {
        return await run("extractor", input, permit);
      } catch (error) {
        if (!(error instanceof TooComplex)) throw error;
        const message = `Is too complex to check: ${error.message}`;
        const part = jsonPath === null ? "priceSelector" : "jsonPath";
        return [{ part, message }];
      }
    },
    [Symbol.dispose]: () => sandbox[Symbol.dispose](),
  };
}
