/**
 * Reads both OpenAPI documents against a server of its own on 127.0.0.1, by a schemathesis that is
 * there already: `deno run -A scripts/schemathesis.ts PATH_OF_SCHEMATHESIS`, or without a path by the
 * one that `.ci/run` has installed. The server may reach nothing but 127.0.0.1, whatever addresses it
 * is sent. Ends with 1 when a document does not hold.
 *
 * The short form calls every operation of both documents with a few drawn inputs, good and bad, always
 * the same ones, and goes along the links between them. The long form (`LONG_PROOFS=1`) draws as many
 * as the configuration says, and adds an input for each bound of each schema, some hundred for each
 * operation: 51,000 calls instead of 1,800.
 */
import { IS_LONG } from "../tests/proof.ts";
import { startOwnService } from "./own_service.ts";

const CONFIG = new URL("../tests/api/schemathesis.toml", import.meta.url).pathname;
const SHORT = ["--phases", "examples,fuzzing,stateful", "--max-examples", "4"];
const INSTALLED = `${Deno.env.get("HOME") ?? "/tmp"}/.cache/kurant`;

const [program = await findInstalled()] = Deno.args;
await using service = await startOwnService();
for (const path of ["/api/public/v1/openapi.json", "/api/openapi.json"]) {
  const { code } = await new Deno.Command(program, {
    args: ["--config-file", CONFIG, "run", service.base + path, "--no-color"]
      .concat(IS_LONG ? [] : SHORT),
    env: { KURANT_SESSION: await service.signIn(), KURANT_KEY: service.key },
    // It keeps notes where it runs.
    cwd: service.folder,
    stdin: "null",
  }).spawn().status;
  if (code !== 0) Deno.exitCode = 1;
}

/** The newest one that is there; else whichever the path of programs has. */
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
