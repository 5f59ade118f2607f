/** Starts a temporary Kurant server for other scripts, with an API key that has all scopes. */
import { KEY_SCOPE_NAMES } from "../src/accounts/roles.ts";

const OWNER = { email: "owner@shop.example", password: "sechs blaue Kühlschränke" };

export interface OwnService extends AsyncDisposable {
  readonly base: string;
  readonly key: string;
  /** Value of the cookie `pr_session`; it allows sensitive requests for only ten minutes. */
  readonly session: string;
  signIn(): Promise<string>;
  readonly folder: string;
}

/** Uses a free port of 127.0.0.1; the server stops when the returned object is disposed of. */
export async function startOwnService(): Promise<OwnService> {
  const dataDir = await Deno.makeTempDir({ prefix: "kurant-contract-" });
  const server = startServer(dataDir);
  const end = async () => {
    server.kill("SIGTERM");
    await server.status;
    await Deno.remove(dataDir, { recursive: true });
  };
  try {
    const base = await addressOf(server);
    return {
      base,
      folder: dataDir,
      ...await letIn(base),
      signIn: () => signIn(base),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The server can connect only to 127.0.0.1, even if a request names another address. */
function startServer(dataDir: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-env", "--allow-read"]
      .concat(`--allow-write=${dataDir}`, "main.ts", "serve"),
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      RATE_LIMIT_PER_MINUTE: "1000000",
      SCRAPE_ALLOW_PORTS: "9",
      LOG_LEVEL: "error",
    },
    stdin: "null",
    stdout: "piped",
  }).spawn();
}

/** Keeps reading after the address, because the server could not print to a closed pipe. */
export async function addressOf({ stdout }: Deno.ChildProcess): Promise<string> {
  const [seen, rest] = stdout.tee();
  void rest.pipeTo(new WritableStream());
  let text = "";
  for await (const part of seen.pipeThrough(new TextDecoderStream())) {
    text += part;
    const address = /Kurant listens on (\S+)/.exec(text)?.[1];
    if (address) return address;
  }
  throw new Error(`The server did not start: ${text}`);
}

export async function signIn(base: string, login = OWNER): Promise<string> {
  const answer = await post(base, "/api/auth/login", login, {});
  await answer.body?.cancel();
  return /pr_session=([^;]+)/.exec(answer.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
}

async function letIn(base: string) {
  const session = await signIn(base);
  const made = { name: "contract", scopes: KEY_SCOPE_NAMES };
  const answer = await post(base, "/api/keys", made, { Cookie: `pr_session=${session}` });
  const { key } = await answer.json();
  return { session, key: String(key) };
}

export async function post(
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
