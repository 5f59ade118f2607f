/** Runs the service with a clock that can be set, so that the demo can act in the past. */
import { dateIn, DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import { type Actor, type Context, contextFor } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import type { App } from "../composition/app.ts";

export const PAST_DAYS = 90;

/** The day before the first file of the ERP. */
export function beginOf(now: Date): Date {
  return new Date(now.getTime() - (PAST_DAYS + 1) * DAY_MS);
}

/** Ten minutes before midnight, but less than 24 hours ago: earlier times are already played. */
export function lastNight(now: Date, timeZone: string): Date {
  const midnight = Temporal.PlainDate.from(dateIn(now, timeZone)).toZonedDateTime(timeZone);
  const nightMs = midnight.epochMilliseconds - 10 * MINUTE_MS;
  return new Date(Math.max(nightMs, now.getTime() - DAY_MS + 1_000));
}

/** A clock that stands still until it runs with the wall clock. */
export class DemoClock {
  #nowMs: number | null;

  constructor(start: Date) {
    this.#nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs ?? Date.now());
  }

  /** The clock never goes back, so that past events stay in the past. */
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

export function contextOf({ app, store, workspaceId }: DemoStage, actor: Actor): Context {
  const requestId = `demo_${app.clock.newId()}`;
  return contextFor({ store, clock: app.clock, requestId }, workspaceId, actor);
}

/** Resolves when all events are relayed and all products are evaluated. */
export async function untilIdle({ store, workspaceId }: DemoStage): Promise<void> {
  for (const queue of [outboxQueue, dirtyQueue]) {
    for (;;) {
      const { done } = await queue.list(store, [workspaceId]).next();
      if (done) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
