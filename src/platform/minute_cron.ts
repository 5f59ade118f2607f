/**
 * The one cron entry of a process. Deno Deploy evaluates the module before a server listens, so the
 * entry is registered first, and its work attached when the store is open.
 */
import { roomLog } from "./log.ts";

const log = roomLog("schedule");

export class MinuteCron {
  readonly #stopping = new AbortController();
  readonly #attached = Promise.withResolvers<() => Promise<void>>();

  /** Fires at the beginning of each minute; skips a minute while the work still runs. */
  register(): void {
    const { signal } = this.#stopping;
    const fire = async () => await (await this.#attached.promise)();
    Deno.cron("every minute", "* * * * *", { signal }, fire).catch((error: unknown) => {
      log.warning("the minutes are no longer called", { error });
    });
  }

  /** Sets the work, which must not throw. A minute that began earlier waits for this call. */
  attach(work: () => Promise<void>): void {
    this.#attached.resolve(work);
  }

  stop(): void {
    this.#stopping.abort();
  }
}
