/** The settings and functions that the composition root gives to imports. */
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { UploadLimits } from "../upload/read_upload.ts";

export interface ImportDeps {
  readonly limits: UploadLimits;
  /** Addresses that links may lead to although they are not public. */
  readonly allowed: AddressAllowList;
  /**
   * A job that ends within this time is answered with its end (docs/decisions/imports.md,
   * "Answer").
   */
  readonly answerMs: number;
  /**
   * Looks for ready jobs of a kind at once: in the process that works on jobs, quicker than a bell.
   */
  wake(kind: string): void;
}
