import { ApiError } from "./api_error.ts";
import type { Ask, Call } from "./call.ts";

/** Another person has changed the document. `latest` is the stored document. */
export class Overtaken<Document> extends Error {
  constructor(readonly latest: Document) {
    super("The document has changed since it was read");
  }
}

interface SaveOptions<Document, Saved> {
  readonly read: Ask<Document>;
  readonly write: Ask<Saved>;
  /** True if the editable fields still have the values that the person saw. */
  isSeen(latest: Document): boolean;
}

const ATTEMPTS_MAX = 5;

/** Throws `Overtaken` if an editable field has changed since the person saw the document. */
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
