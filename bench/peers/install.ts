/**
 * Puts the peers into a folder of the cache, outside of this checkout: PocketBase needs Go, Directus
 * a Node of at least version 22 (`DIRECTUS_NODE` names one that is not on the PATH). What cannot be
 * installed is told and left out. `deno task bench:peers:install`
 */
import { env, stdout } from "node:process";
import { dirname } from "node:path";
import { run } from "./peer.ts";
import { DIRECTUS_VERSION, peerPlaces, POCKETBASE_VERSION } from "./places.ts";

const places = peerPlaces();
await Deno.mkdir(places.cache, { recursive: true });
await attempt(
  `PocketBase ${POCKETBASE_VERSION}`,
  () =>
    run("go", ["install", `github.com/pocketbase/pocketbase/examples/base@${POCKETBASE_VERSION}`], {
      cwd: places.cache,
      env: { GOBIN: dirname(places.pocketBase) },
    }),
);
await attempt(`Directus ${DIRECTUS_VERSION}`, async () => {
  await Deno.mkdir(places.directus, { recursive: true });
  await run("npm", ["install", "--no-audit", "--no-fund", `directus@${DIRECTUS_VERSION}`], {
    cwd: places.directus,
    ...(places.node.includes("/") && { env: { PATH: `${dirname(places.node)}:${env.PATH}` } }),
  });
});

async function attempt(what: string, install: () => Promise<void>): Promise<void> {
  try {
    await install();
    stdout.write(`${what} is installed in ${places.cache}\n`);
  } catch (error) {
    // The other one can be measured all the same.
    stdout.write(
      `${what} cannot be installed: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}
