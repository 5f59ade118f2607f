/**
 * Reads both OpenAPI documents against a server of its own on 127.0.0.1, by a schemathesis that is
 * there already: `deno run -A scripts/schemathesis.ts PATH_OF_SCHEMATHESIS`. The server may reach
 * nothing but 127.0.0.1, whatever addresses it is sent. Ends with 1 when a document does not hold.
 */
import { startOwnService } from "./own_service.ts";

const CONFIG = new URL("../tests/api/schemathesis.toml", import.meta.url).pathname;

const [program = "schemathesis"] = Deno.args;
await using service = await startOwnService();
for (const path of ["/api/public/v1/openapi.json", "/api/openapi.json"]) {
  const { code } = await new Deno.Command(program, {
    args: ["--config-file", CONFIG, "run", service.base + path, "--no-color"],
    env: { KURANT_SESSION: service.session, KURANT_KEY: service.key },
    // It keeps notes where it runs.
    cwd: service.folder,
    stdin: "null",
  }).spawn().status;
  if (code !== 0) Deno.exitCode = 1;
}
