/** What the last turn of each job brought, kept until its commit succeeds: a lost race never fetches again. */
export class TurnMemory<Brought> {
  readonly #kept = new Map<string, { readonly token: string; readonly brought: Brought }>();

  broughtBy(jobId: string, token: string): Brought | null {
    const known = this.#kept.get(jobId);
    return known?.token === token ? known.brought : null;
  }

  note(jobId: string, token: string, brought: Brought): void {
    this.#kept.set(jobId, { token, brought });
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}
