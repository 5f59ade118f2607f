/** Which peers, of which version, and where they lie. */
import { env } from "node:process";

/** The newest that Go 1.26 builds. */
export const POCKETBASE_VERSION = "v0.36.8";
export const DIRECTUS_VERSION = "12.4.0";
/** Directus wants at least 22, whatever the machine has for others. */
export const NODE_VERSION = "22.23.3";

export interface PeerPlaces {
  readonly cache: string;
  readonly pocketBase: string;
  /** The folder that has Directus in its `node_modules`. */
  readonly directus: string;
  /** The folder that a Node of `NODE_VERSION` is installed into; its package. */
  readonly nodeFolder: string;
  readonly nodePackage: string;
  readonly node: string;
}

/** `KURANT_PEERS` moves the folder, `DIRECTUS_NODE` names another Node than the one that comes along. */
export function peerPlaces(): PeerPlaces {
  const cache = env.KURANT_PEERS ?? `${env.HOME}/.cache/kurant/peers`;
  const cpu = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  const nodePackage = `node-${Deno.build.os}-${cpu}`;
  const nodeFolder = `${cache}/node`;
  return {
    cache,
    pocketBase: `${cache}/bin/base`,
    directus: `${cache}/directus`,
    nodeFolder,
    nodePackage,
    node: env.DIRECTUS_NODE ?? `${nodeFolder}/node_modules/${nodePackage}/bin/node`,
  };
}
