/** Starts the scrape runs that are due, and waits until they have ended. */
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../composition/config.ts";
import type { Tools } from "../../platform/store/context.ts";
import { JobRunner } from "../../platform/jobs/job_runner.ts";
import { createForeignReader, createScraper } from "../composition/scraper.ts";
import { createRunKind } from "../../scraping/runs/run_kind.ts";
import { enqueueDue } from "../../scraping/runs/scrape_runs.ts";
import { hasRunsInFlight } from "../../scraping/runs/run.ts";
import type { ScrapeDeps } from "../../scraping/page/visit_tools.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

/** A running server may carry out some of the started runs. */
export async function tick(): Promise<void> {
  const config = readConfig();
  using reader = createForeignReader();
  const scraper = createScraper(config, reader);
  await withTools(async (tools) => {
    const made = await enqueueDue({ ...tools, delayMs: scraper.delayMs });
    print(`Runs made: ${made}`);
    await workOff(tools, scraper);
    print("Nothing is left to fetch");
  });
}

/** Does not call `runner.start`, which would take over jobs of a running server. */
async function workOff({ store, clock }: Tools, scraper: ScrapeDeps): Promise<void> {
  const runner = new JobRunner({ store, clock, kinds: [createRunKind(scraper)] });
  for (;;) {
    await runner.drain();
    if (!await hasRunsInFlight(store)) break;
    await pause(250);
  }
  await runner.stop();
}
