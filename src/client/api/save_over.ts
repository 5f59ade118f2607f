import { ApiError } from "./api_error.ts";
import type { Ask, Call } from "./call.ts";

/** Another person has changed the document since it was read. `latest` is the stored document. */
export class Overtaken<Document> extends Error {
  constructor(readonly latest: Document) {
    super("The document has changed since it was read");
  }
}

interface SaveOptions<Document, Saved> {
  readonly read: Ask<Document>;
  /** The request that replaces or deletes the document. */
  readonly write: Ask<Saved>;
  /** True if the fields that people edit still have the values that the person saw. */
  isSeen(latest: Document): boolean;
}

const ATTEMPTS_MAX = 5;

/**
 * Writes only if the fields that people edit are unchanged, else throws `Overtaken`. The write is
 * tried again if only other fields have changed, such as the time of the last fetch.
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
