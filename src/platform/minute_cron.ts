/**
 * The only cron entry of a process. Deno Deploy reads cron entries when it loads the module, before
 * a server listens. So the cron entry is registered first (`register`), and gets its work when the
 * store is open (`attach`).
 */
import { roomLog } from "./log.ts";

const log = roomLog("schedule");

export class MinuteCron {
  readonly #stopping = new AbortController();
  readonly #attached = Promise.withResolvers<() => Promise<void>>();

  /** Runs the work at the start of each minute, except while the previous run continues. */
  register(): void {
    const { signal } = this.#stopping;
    const fire = async () => await (await this.#attached.promise)();
    Deno.cron("every minute", "* * * * *", { signal }, fire).catch((error: unknown) => {
      log.warning("the minutes are no longer called", { error });
    });
  }

  /** Sets the work, which must not throw. A run that begins before this call waits for the work. */
  attach(work: () => Promise<void>): void {
    this.#attached.resolve(work);
  }

  stop(): void {
    this.#stopping.abort();
  }
}
