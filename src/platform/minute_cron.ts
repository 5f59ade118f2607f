/**
 * `register` adds a cron entry, which Deno Deploy reads while it loads the module. `attach` later
 * sets the work of the entry, when the store is open.
 */
import { roomLog } from "./log.ts";

const log = roomLog("schedule");

export class MinuteCron {
  readonly #stopping = new AbortController();
  readonly #attached = Promise.withResolvers<() => Promise<void>>();

  /**
   * Runs the attached work at the start of each minute, unless the previous run still continues.
   */
  register(): void {
    const { signal } = this.#stopping;
    const fire = async () => await (await this.#attached.promise)();
    Deno.cron("every minute", "* * * * *", { signal }, fire).catch((error: unknown) => {
      log.warning("the minutes are no longer called", { error });
    });
  }

  /** `work` must not throw. */
  attach(work: () => Promise<void>): void {
    this.#attached.resolve(work);
  }

  stop(): void {
    this.#stopping.abort();
  }
}
