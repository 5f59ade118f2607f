/** After its last commit: an import may wait for its turn for so long. */
const ENDED_MS = 5_000;

/**
 * Which catalogues this process is writing anew, by an import or what takes one back. What is kept of
 * such a catalogue in memory would be thrown away at once, and takes it memory and time.
 */
export class Rewrites {
  /** When each workspace was written last; the one of longest ago stands first. */
  readonly #notedMs = new Map<string, number>();
  readonly #nowMs: () => number;

  /** `nowMs` is a clock that never goes back; tests set their own. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** To be called for every commit. */
  note(workspaceId: string): void {
    this.#notedMs.delete(workspaceId);
    this.#notedMs.set(workspaceId, this.#nowMs());
  }

  /** True until some seconds after the last commit. */
  isOngoing(workspaceId: string): boolean {
    for (const [id, notedMs] of this.#notedMs) {
      if (this.#nowMs() - notedMs < ENDED_MS) break;
      this.#notedMs.delete(id);
    }
    return this.#notedMs.has(workspaceId);
  }
}
