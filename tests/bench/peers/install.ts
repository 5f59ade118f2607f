/**
 * Installs the peers into a cache folder outside this repository. PocketBase needs Go. Directus
 * needs npm and a compiler, and gets Node as a package unless `DIRECTUS_NODE` names another one.
 * Programs that cannot be installed are reported and skipped. `deno task bench:peers:install`
 */
import { env, stdout } from "node:process";
import { dirname } from "node:path";
import { run } from "./peer.ts";
import { DIRECTUS_VERSION, NODE_VERSION, peerPlaces, POCKETBASE_VERSION } from "./places.ts";

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
  if (env.DIRECTUS_NODE === undefined) {
    await npmInstall(places.nodeFolder, `${places.nodePackage}@${NODE_VERSION}`);
  }
  const nodeBin = dirname(places.node);
  await npmInstall(places.directus, `directus@${DIRECTUS_VERSION}`, {
    PATH: `${nodeBin}:${env.PATH}`,
    // npm compiles for this Node version, whose headers are next to its program.
    npm_config_nodedir: dirname(nodeBin),
  });
});

async function npmInstall(
  folder: string,
  what: string,
  env: Record<string, string> = {},
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await run("npm", ["install", "--no-audit", "--no-fund", what], { cwd: folder, env });
}

async function attempt(what: string, install: () => Promise<unknown>): Promise<void> {
  try {
    await install();
    stdout.write(`${what} is installed in ${places.cache}\n`);
  } catch (error) {
    // The other peer can still be measured.
    stdout.write(
      `${what} cannot be installed: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}
