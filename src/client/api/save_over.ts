import { ApiError } from "./api_error.ts";
import type { Ask, Call } from "./call.ts";

/** Another person has saved meanwhile: the stored version is not the one that was shown. */
export class Overtaken<Document> extends Error {
  constructor(readonly latest: Document) {
    super("The document has changed since it was read");
  }
}

interface SaveOptions<Document, Saved> {
  readonly read: Ask<Document>;
  /** The write that replaces or deletes it. */
  readonly write: Ask<Saved>;
  /** True when the document says nothing else than what the person has seen, in what they could change. */
  isSeen(latest: Document): boolean;
}

const ATTEMPTS_MAX = 5;

/**
 * Changes a document as it was seen. If another person has changed it since, it throws `Overtaken`
 * with the newer one. Fields that change automatically, such as the time of the last fetch, move
 * its version too, and need no question.
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
