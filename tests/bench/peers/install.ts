/**
 * Installs PocketBase into a cache folder outside this repository, which needs Go.
 * `deno task bench:peers:install`
 */
import { dirname } from "node:path";
import { say } from "../slices.ts";
import { run } from "./peer.ts";
import { POCKETBASE, POCKETBASE_VERSION } from "./pocketbase.ts";

const folder = dirname(POCKETBASE);
await Deno.mkdir(folder, { recursive: true });
const program = `github.com/pocketbase/pocketbase/examples/base@${POCKETBASE_VERSION}`;
await run("go", ["install", program], { cwd: folder, env: { GOBIN: folder } });
say(`PocketBase ${POCKETBASE_VERSION} is ${POCKETBASE}`);
