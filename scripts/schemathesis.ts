/**
 * Tests the OpenAPI document of the public API against a temporary server: `deno run -A
 * scripts/schemathesis.ts PATH_OF_SCHEMATHESIS`. `LONG_PROOFS=1` also tests the web client's
 * document, and makes 51,000 calls.
 */
import { IS_LONG } from "../tests/proof.ts";
import { startOwnService } from "./own_service.ts";

const CONFIG = new URL("../tests/api/schemathesis.toml", import.meta.url).pathname;
const SHORT = ["--phases", "examples,fuzzing,stateful", "--max-examples", "1"];
const DOCUMENTS = ["/api/public/v1/openapi.json", ...IS_LONG ? ["/api/openapi.json"] : []];
const INSTALLED = `${Deno.env.get("HOME") ?? "/tmp"}/.cache/kurant`;

const [program = await findInstalled()] = Deno.args;
await using service = await startOwnService();
for (const path of DOCUMENTS) {
  const { code } = await new Deno.Command(program, {
    args: ["--config-file", CONFIG, "run", service.base + path, "--no-color"]
      .concat(IS_LONG ? [] : SHORT),
    env: { KURANT_SESSION: await service.signIn(), KURANT_KEY: service.key },
    // A temporary folder, because Schemathesis writes files to its working directory.
    cwd: service.folder,
    stdin: "null",
  }).spawn().status;
  if (code !== 0) Deno.exitCode = 1;
}

async function findInstalled(): Promise<string> {
  const found: string[] = [];
  try {
    for await (const { name } of Deno.readDir(INSTALLED)) {
      if (name.startsWith("schemathesis-")) found.push(`${INSTALLED}/${name}/bin/schemathesis`);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return found.sort().at(-1) ?? "schemathesis";
}
