/**
 * Reads both OpenAPI documents against a server of its own on 127.0.0.1, by a schemathesis that is
 * there already: `deno run -A scripts/schemathesis.ts PATH_OF_SCHEMATHESIS`. The server may reach
 * nothing but 127.0.0.1, whatever addresses it is sent. Ends with 1 when a document does not hold.
 */
import { KEY_SCOPE_NAMES } from "../src/identity/key_scopes.ts";

const EMAIL = "owner@shop.example";
const PASSWORD = "sechs blaue Kühlschränke";
const CONFIG = new URL("../tests/api/schemathesis.toml", import.meta.url).pathname;

const [program = "schemathesis"] = Deno.args;
const dataDir = await Deno.makeTempDir({ prefix: "kurant-contract-" });
const server = startServer(dataDir);
try {
  const base = await addressOf(server);
  const credentials = await signIn(base);
  for (const path of ["/api/public/v1/openapi.json", "/api/openapi.json"]) {
    const { code } = await new Deno.Command(program, {
      args: ["--config-file", CONFIG, "run", base + path, "--no-color"],
      env: credentials,
      // It keeps notes where it runs.
      cwd: dataDir,
      stdin: "null",
    }).spawn().status;
    if (code !== 0) Deno.exitCode = 1;
  }
} finally {
  server.kill("SIGTERM");
  await server.status;
  await Deno.remove(dataDir, { recursive: true });
}

/** No port is open to the service and no address but this machine's, whatever it is asked to visit. */
function startServer(dataDir: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-env", "--allow-read"]
      .concat(`--allow-write=${dataDir}`, "main.ts", "serve"),
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      RATE_LIMIT_PER_MINUTE: "1000000",
      SCRAPE_ALLOW_PORTS: "9",
      LOG_LEVEL: "error",
    },
    stdin: "null",
    stdout: "piped",
  }).spawn();
}

async function addressOf({ stdout }: Deno.ChildProcess): Promise<string> {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The server did not start: ${text}`);
    text += value;
    const address = /Kurant listens on (\S+)/.exec(text)?.[1];
    if (!address) continue;
    // What it prints later is for nobody.
    reader.cancel().catch(() => {});
    return address;
  }
}

/** A session of the owner and a key that may do everything, as the configuration names them. */
async function signIn(base: string): Promise<Record<string, string>> {
  const login = await post(base, "/api/auth/login", { email: EMAIL, password: PASSWORD }, {});
  const session = /pr_session=([^;]+)/.exec(login.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  await login.body?.cancel();
  const cookie = { Cookie: `pr_session=${session}` };
  const answer = await post(
    base,
    "/api/keys",
    { name: "contract", scopes: KEY_SCOPE_NAMES },
    cookie,
  );
  const { key } = await answer.json();
  return { KURANT_SESSION: session, KURANT_KEY: key };
}

async function post(
  base: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Response> {
  const answer = await fetch(base + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  return answer;
}
