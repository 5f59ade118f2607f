/** Runs the service with a clock that the demo sets while it fills the store. */
import { DAY_MS } from "../../base/time.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import { type Actor, type Context, contextFor } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import type { App } from "../composition/app.ts";
import type { DemoProduct } from "./demo_catalogue.ts";
import type { PlacedOffer } from "./start_neighbours.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";

export const PAST_DAYS = 90;

/** The demo's history begins one day before the ERP's first file. */
export function beginOf(now: Date): Date {
  return new Date(now.getTime() - (PAST_DAYS + 1) * DAY_MS);
}

export class DemoClock {
  #nowMs: number | null;

  constructor(start: Date) {
    this.#nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs ?? Date.now());
  }

  set(at: Date): void {
    this.#nowMs = Math.max(this.#nowMs ?? 0, at.getTime());
  }

  run(): void {
    this.#nowMs = null;
  }
}

export interface DemoStage {
  readonly app: App;
  readonly store: Store;
  readonly clock: DemoClock;
  readonly workspaceId: string;
  readonly owner: Actor;
  readonly erp: Actor;
}

export interface DemoPast {
  readonly stage: DemoStage;
  readonly products: readonly DemoProduct[];
  readonly offers: readonly PlacedOffer[];
  readonly now: Date;
  readonly allowed: AddressAllowList;
  passed(days: number): void;
}

export function contextOf({ app, store, workspaceId }: DemoStage, actor: Actor): Context {
  const requestId = `demo_${app.clock.newId()}`;
  return contextFor({ store, clock: app.clock, requestId }, workspaceId, actor);
}

export async function untilIdle({ store, workspaceId }: DemoStage): Promise<void> {
  for (const queue of [outboxQueue, dirtyQueue]) {
    for (;;) {
      const { done } = await queue.list(store, [workspaceId]).next();
      if (done) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

export function at({ stage, now, passed }: DemoPast, daysAgo: number): void {
  stage.clock.set(new Date(now.getTime() - daysAgo * DAY_MS));
  passed(Math.floor(PAST_DAYS - daysAgo));
}
