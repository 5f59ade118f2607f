/** What a sandbox and its Worker say to each other; everything in it is a value that is copied. */

/** Sent once, when the Worker's module has been loaded. */
export interface SandboxReady {
  /** False where this platform cannot end work in time. */
  readonly hasTimeLimit: boolean;
}

/** A piece of work, one at a time. */
export interface SandboxTask<J> {
  readonly job: J;
  readonly limitMs: number;
}

/** What came of it. */
export type SandboxAnswer<T> =
  | { readonly kind: "done"; readonly value: T }
  /** `isSpent`: the time was up, so that nobody knows what state the Worker is in. */
  | { readonly kind: "too_complex"; readonly message: string; readonly isSpent: boolean }
  /** A defect: the work threw something else. */
  | { readonly kind: "failed"; readonly stack: string };
