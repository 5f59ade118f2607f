import { ApiError } from "./api_error.ts";
import type { Ask, Call } from "./call.ts";

/**
 * Thrown if another person has saved meanwhile, so that the stored version is not the displayed
 * one.
 */
export class Overtaken<Document> extends Error {
  constructor(readonly latest: Document) {
    super("The document has changed since it was read");
  }
}

interface SaveOptions<Document, Saved> {
  readonly read: Ask<Document>;
  /** The request that replaces or deletes the document. */
  readonly write: Ask<Saved>;
  /** True if everything that the person could change is the same as they have seen it. */
  isSeen(latest: Document): boolean;
}

const ATTEMPTS_MAX = 5;

/**
 * Changes a document if it is still as it was seen. If another person has changed it since, throws
 * `Overtaken` with the newer one. Changes of automatic fields, such as the time of the last fetch,
 * also change the version, but cause no question.
 */
export async function saveOver<Document, Saved>(
  call: Call,
  { read, write, isSeen }: SaveOptions<Document, Saved>,
): Promise<Saved> {
  for (let attempt = 1;; attempt++) {
    let version: string | null = null;
    const latest = await call(read, { onVersion: (now) => version = now });
    if (!isSeen(latest)) throw new Overtaken(latest);
    try {
      return await call(write, { ifMatch: version });
    } catch (error) {
      const isOld = error instanceof ApiError && error.code === "version_conflict";
      if (!isOld || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
