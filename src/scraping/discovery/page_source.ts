/** The sources of a shop's pages (its sitemaps, feeds, search and the pages themselves), and the step that walks any of them. */
import type { Asked } from "../page/fetch_page.ts";
import { askPermit } from "../page/take_permit.ts";
import { awaitPermit, type Brought, PermitCache, readingOf, usePermit } from "../page/visit.ts";
import { delayOf, type ShopStep, type Step } from "./shop_step.ts";

export type Next<Item> = { readonly item: Item } | { readonly step: Step };

export interface PageSource<Item extends { readonly url: string }, Answer> {
  /** True if keeping an answer takes a while, in which others may ask the shop. */
  readonly isLong?: boolean;
  next(step: ShopStep): Promise<Next<Item>>;
  ask(step: ShopStep, item: Item, signal: AbortSignal): Promise<Asked<Answer>>;
  /** Keeps what came, and goes on; the permit is given back. */
  take(step: ShopStep, item: Item, answer: Answer): Promise<Step>;
  /** Goes on without an answer: the shop's robots.txt or the guard of addresses keeps us out. */
  refused(step: ShopStep, item: Item, errorCode: string): Step | Promise<Step>;
}

export interface Walk {
  step(step: ShopStep): Promise<Step>;
  forget(jobId: string): void;
}

/** A shop that says nothing of it is looked for again after so long. */
const RESTING_MS = 10 * 60_000;

export function walkSource<Item extends { readonly url: string }, Answer>(
  source: PageSource<Item, Answer>,
): Walk {
  const cache = new PermitCache<Brought<Answer>>();
  return {
    forget: (jobId) => cache.forget(jobId),
    async step(step) {
      const next = await source.next(step);
      if ("step" in next) return next.step;
      const { item, item: { url } } = next;
      const { deps, tools, cursor } = step;
      if (cursor.turn === null) {
        return await seekPermit(step, url, (errorCode) => source.refused(step, item, errorCode));
      }
      const { isLong = false } = source;
      const { visit, askedAtMs, committed } = await usePermit(
        { ...deps.scraper, delayMs: delayOf(step) },
        tools,
        { cache, turn: cursor.turn, url, isLong },
        (signal) => source.ask(step, item, signal),
      );
      const after = { ...cursor, turn: null, askedAtMs: askedAtMs ?? cursor.askedAtMs };
      if (visit === null) return { cursor: after, committed };
      return { ...await source.take({ ...step, cursor: after }, item, visit.answer), committed };
    },
  };
}

/** Takes a permit for an address in this step's commit, behind everybody else who waits for the shop. */
async function seekPermit(
  { deps, tools, job, cursor }: ShopStep,
  url: string,
  refused: (errorCode: string) => Step | Promise<Step>,
): Promise<Step> {
  const nowMs = tools.now().getTime();
  const delayMs = delayOf({ deps, cursor });
  const restMs = cursor.askedAtMs + delayMs - nowMs;
  if (restMs > 0 && restMs <= delayMs && delayMs > deps.scraper.delayMs) {
    return { cursor, notBefore: new Date(nowMs + restMs) };
  }
  const scraper = { ...deps.scraper, delayMs };
  const orderMs = Date.parse(job.createdAt);
  const asking = { lane: 2, orderMs, id: job.jobId, reading: readingOf(tools) } as const;
  const next = await awaitPermit<never>(
    scraper,
    tools,
    () => askPermit(scraper, tools, url, asking),
  );
  if (next.kind === "taken") return { cursor: { ...cursor, turn: next.turn } };
  if (next.kind === "parked") {
    return { cursor, ...(next.notBefore && { notBefore: next.notBefore }) };
  }
  if (next.errorCode !== "backing_off") return await refused(next.errorCode);
  return { cursor, notBefore: new Date(nowMs + RESTING_MS) };
}
