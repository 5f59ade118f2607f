/**
 * The interface of sources of a shop's pages (sitemaps, feeds, search and the pages themselves),
 * and the step that processes any of them.
 */
import type { Asked } from "../page/fetch_page.ts";
import { askPermit } from "../page/take_permit.ts";
import { awaitPermit, type Brought, PermitCache, readingOf, usePermit } from "../page/visit.ts";
import { delayOf, type ShopStep, type Step } from "./shop_step.ts";

export type Next<Item> = { readonly item: Item } | { readonly step: Step };

export interface PageSource<Item extends { readonly url: string }, Answer> {
  /** True if processing an answer takes a while, during which others may use the shop. */
  readonly isLong?: boolean;
  next(step: ShopStep): Promise<Next<Item>>;
  ask(step: ShopStep, item: Item, signal: AbortSignal): Promise<Asked<Answer>>;
  /** Processes the answer and continues; the permit was returned. */
  take(step: ShopStep, item: Item, answer: Answer): Promise<Step>;
  /** Continues without an answer, because robots.txt or the address guard forbids the request. */
  refused(step: ShopStep, item: Item, errorCode: string): Step | Promise<Step>;
}

export interface Walk {
  step(step: ShopStep): Promise<Step>;
  forget(jobId: string): void;
}

/** Default time after which a resting shop is tried again. */
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

/**
 * Takes a permit for an address in this step's commit; all others who wait for the shop have
 * precedence.
 */
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
