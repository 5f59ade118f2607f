import type { TurnYield } from "../page/fetch_turn.ts";

/** What turns have brought, kept until their commit succeeds: a lost race never fetches again. */
export class VisitMemory {
  readonly #brought = new Map<string, { readonly token: string; readonly brought: TurnYield }>();

  broughtBy(jobId: string, token: string): TurnYield | null {
    const known = this.#brought.get(jobId);
    return known?.token === token ? known.brought : null;
  }

  note(jobId: string, token: string, brought: TurnYield): void {
    this.#brought.set(jobId, { token, brought });
  }

  forget(jobId: string): void {
    this.#brought.delete(jobId);
  }
}
