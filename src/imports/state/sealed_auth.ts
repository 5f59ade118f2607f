/** Credentials of pulled sources: in the store they are sealed by its secret, nobody reads them back. */
import { Failure, refuseFields } from "../../base/failure.ts";
import { openBytes, sealBytes } from "../../platform/store/sealed_bytes.ts";
import type { Store } from "../../platform/store/kv.ts";
import { requireStoreSecret } from "../../platform/store/store_secret_store.ts";
import { PullAuth, type SealedAuth } from "./import_source.ts";

/**
 * What is stored of credentials as they were sent. `kind` alone keeps `stored` where it is of that
 * kind; else it is refused with `validation_failed`, as half of a pair is.
 */
export async function sealedAuth(
  store: Store,
  auth: PullAuth | null,
  stored: SealedAuth | null,
): Promise<SealedAuth | null> {
  if (auth === null) return null;
  const { kind, ...rest } = auth;
  const given = Object.values(rest).filter((value) => value !== undefined).length;
  if (given === 0 && stored?.kind === kind) return stored;
  if (given < (kind === "bearer" ? 1 : 2)) {
    throw refuseFields([{
      path: "pull.auth",
      message: `Must hold all of what "${kind}" asks for`,
    }]);
  }
  const bytes = new TextEncoder().encode(JSON.stringify(auth));
  return { kind, sealed: sealBytes(await requireStoreSecret(store), bytes) };
}

/** The headers that the credentials are sent as. Refuses with `conflict` what another store sealed. */
export async function headersOf(
  store: Store,
  auth: SealedAuth | null,
): Promise<Readonly<Record<string, string>>> {
  if (auth === null) return {};
  const plain = opened(await requireStoreSecret(store), auth);
  switch (plain.kind) {
    case "basic": {
      const pair = new TextEncoder().encode(`${plain.user ?? ""}:${plain.password ?? ""}`);
      return { Authorization: `Basic ${pair.toBase64()}` };
    }
    case "bearer":
      return { Authorization: `Bearer ${plain.token ?? ""}` };
    case "header":
      return { [plain.name ?? ""]: plain.value ?? "" };
  }
}

function opened(secret: Uint8Array, { sealed }: SealedAuth): PullAuth {
  try {
    return PullAuth.parse(JSON.parse(new TextDecoder().decode(openBytes(secret, sealed))));
  } catch (cause) {
    const message = "The credentials were sealed by another store: enter them again";
    throw new Failure("conflict", message, undefined, { cause });
  }
}
