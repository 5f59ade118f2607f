/** Versions and folders of the peers. */
import { env } from "node:process";

/** The newest version that Go 1.26 can build. */
export const POCKETBASE_VERSION = "v0.36.8";
export const DIRECTUS_VERSION = "12.4.0";
/** Directus needs Node 22 or later. */
export const NODE_VERSION = "22.23.3";

interface PeerPlaces {
  readonly cache: string;
  readonly pocketBase: string;
  /** The folder whose `node_modules` contains Directus. */
  readonly directus: string;
  /** The folder in which `NODE_VERSION` is installed. */
  readonly nodeFolder: string;
  readonly nodePackage: string;
  readonly node: string;
}

/** `KURANT_PEERS` names another folder, and `DIRECTUS_NODE` another Node. */
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
