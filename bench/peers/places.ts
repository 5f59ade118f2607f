/** Which peers, of which version, and where they lie. */
import { env } from "node:process";

/** The newest that Go 1.26 builds. */
export const POCKETBASE_VERSION = "v0.36.8";
export const DIRECTUS_VERSION = "12.4.0";

export interface PeerPlaces {
  readonly cache: string;
  readonly pocketBase: string;
  /** The folder that has Directus in its `node_modules`. */
  readonly directus: string;
  readonly node: string;
}

/** `KURANT_PEERS` moves the folder, `DIRECTUS_NODE` names another Node than the one on the PATH. */
export function peerPlaces(): PeerPlaces {
  const cache = env.KURANT_PEERS ?? `${env.HOME}/.cache/kurant/peers`;
  return {
    cache,
    pocketBase: `${cache}/bin/base`,
    directus: `${cache}/directus`,
    node: env.DIRECTUS_NODE ?? "node",
  };
}
