/** A real server in a process of its own, with an owner who is signed in. */
import { kurant, type Server, startServer } from "../commands/kurant.ts";
import { type Caller, createCaller } from "../harness.ts";

export const EMAIL = "owner@shop.example";
export const PASSWORD = "sechs blaue Kühlschränke";

export interface LiveServer extends AsyncDisposable {
  readonly server: Server;
  readonly owner: Caller;
  readonly anyone: Caller;
  /** `pr_session=…` of the owner. */
  readonly cookie: string;
}

/** On a folder that has a store already the owner of that store signs in. */
export async function startLiveServer(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<LiveServer> {
  const server = await startServer({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    ...settings,
  });
  return {
    server,
    ...await signIn(server.url),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The owner of the server, and somebody without a credential. */
export async function signIn(
  url: string,
): Promise<Pick<LiveServer, "owner" | "anyone" | "cookie">> {
  const anyone = createCaller(url, {});
  const login = await anyone.post("/api/auth/login", { email: EMAIL, password: PASSWORD });
  const cookie = /^pr_session=[^;]+/.exec(login.headers.get("Set-Cookie") ?? "")?.[0];
  await login.body?.cancel();
  if (!cookie) throw new Error(`The owner cannot sign in: ${login.status}`);
  return { owner: createCaller(url, { Cookie: cookie }), anyone, cookie };
}

/** What `check-store` says about the store of the folder; empty when it finds nothing. */
export async function findingsOf(dataDir: string): Promise<string> {
  const { code, out, err } = await kurant(["check-store"], { DATA_DIR: dataDir });
  return code === 0 ? "" : out + err;
}
