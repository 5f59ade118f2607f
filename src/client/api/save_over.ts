import { ApiError } from "./api_error.ts";
import type { Call } from "./call.ts";

/** Somebody else has saved meanwhile: what was to be saved over is not what the person has seen. */
export class Overtaken<Document> extends Error {
  constructor(readonly latest: Document) {
    super("The document has changed since it was read");
  }
}

interface SaveOptions<Document> {
  readonly path: string;
  readonly body: unknown;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** True when the document says nothing else than what the person has seen, in what they could change. */
  isSeen(latest: Document): boolean;
}

const ATTEMPTS_MAX = 5;

/**
 * Changes a document as it was seen. One that somebody else has changed since is not written over:
 * throws `Overtaken` with the newer one. What changes by itself, such as the time of the last fetch,
 * moves its version too, and is no reason to ask anybody.
 */
export async function saveOver<Document>(
  call: Call,
  { path, body, query, isSeen }: SaveOptions<Document>,
): Promise<Document> {
  for (let attempt = 1;; attempt++) {
    let version: string | null = null;
    const latest = await call<Document>(path, { onVersion: (now) => version = now });
    if (!isSeen(latest)) throw new Overtaken(latest);
    try {
      return await call<Document>(path, {
        method: "PATCH",
        body,
        ...(query && { query }),
        ...(version !== null && { headers: { "If-Match": version } }),
      });
    } catch (error) {
      const isOld = error instanceof ApiError && error.code === "version_conflict";
      if (!isOld || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
