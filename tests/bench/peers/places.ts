/** Versions and folders of the peers. */
import { env } from "node:process";

/** The newest version that Go 1.26 builds. */
export const POCKETBASE_VERSION = "v0.36.8";
export const DIRECTUS_VERSION = "12.4.0";
/** Directus needs Node 22 or later, whatever is installed on the machine. */
export const NODE_VERSION = "22.23.3";

interface PeerPlaces {
  readonly cache: string;
  readonly pocketBase: string;
  /** The folder whose `node_modules` contain Directus. */
  readonly directus: string;
  /** The folder into which Node of `NODE_VERSION` is installed. */
  readonly nodeFolder: string;
  readonly nodePackage: string;
  readonly node: string;
}

/** `KURANT_PEERS` moves the folder; `DIRECTUS_NODE` names another Node than the installed package. */
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
