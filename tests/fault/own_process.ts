/**
 * The real server as a direct child of the test, for faults that need its process: to be stopped
 * and continued, to share a KV Connect store, to run under other permissions than those of the task.
 */
import { type Caller, createCaller } from "../harness.ts";
import { EMAIL, PASSWORD } from "./live_server.ts";

export interface OwnProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly owner: Caller;
  /** `pr_session=…` of the owner. */
  readonly cookie: string;
  /** What it has logged so far. */
  log(): string;
  /** Resolves when the log matches; fails when the process ends before. */
  logged(pattern: RegExp): Promise<void>;
  /** Resolves with the exit code when the process has ended. */
  readonly ended: Promise<number>;
}

export interface OwnProgram {
  /** Of the runtime. */
  readonly flags?: readonly string[];
  readonly entry?: string;
  /** How many files and connections it may have open at once. */
  readonly descriptorsMax?: number;
}

/** Starts `serve` and signs the owner in. */
export async function startOwnProcess(
  settings: Record<string, string>,
  { flags = ["--allow-all"], entry = "main.ts", descriptorsMax }: OwnProgram = {},
): Promise<OwnProcess> {
  const program = [Deno.execPath(), "run", "--quiet", "--no-prompt", ...flags, entry, "serve"];
  const limit = descriptorsMax === undefined ? "" : `ulimit -n ${descriptorsMax} && `;
  const child = new Deno.Command("sh", {
    args: ["-c", `${limit}exec "$@"`, "sh", ...program],
    env: {
      PORT: "0",
      LOG_FORMAT: "json",
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      ...settings,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const out = readText(child.stdout);
  const err = readText(child.stderr);
  const ended = child.status.then(async ({ code }) => {
    await Promise.all([out.ended, err.ended]);
    return code;
  });
  const url = await out.until(/Kurant listens on (\S+)/);
  if (url === null) throw new Error(`The server did not start: ${await ended} ${err.text()}`);
  const cookie = await signIn(url);
  return {
    pid: child.pid,
    url,
    owner: createCaller(url, { Cookie: cookie }),
    cookie,
    log: err.text,
    async logged(pattern) {
      if (await err.until(pattern) === null) throw new Error(`Never logged: ${err.text()}`);
    },
    ended,
    async [Symbol.asyncDispose]() {
      // A process that is stopped takes no SIGTERM; one that has ended takes no signal at all.
      try {
        child.kill("SIGKILL");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await ended;
    },
  };
}

async function signIn(url: string): Promise<string> {
  const body = { email: EMAIL, password: PASSWORD };
  const login = await createCaller(url, {}).post("/api/auth/login", body);
  await login.body?.cancel();
  const cookie = /^pr_session=[^;]+/.exec(login.headers.get("Set-Cookie") ?? "")?.[0];
  if (!cookie) throw new Error(`The owner cannot sign in: ${login.status}`);
  return cookie;
}

/** A stream's text as it comes in; `until` answers the first group, null when the stream has ended. */
function readText(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const state = { text: "", isOver: false, notify: () => {} };
  const ended = (async () => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      state.text += text;
      state.notify();
    }
    state.isOver = true;
    state.notify();
  })();
  return {
    ended,
    text: () => state.text,
    async until(pattern: RegExp): Promise<string | null> {
      for (;;) {
        const found = pattern.exec(state.text);
        if (found) return found[1] ?? found[0];
        if (state.isOver) return null;
        await new Promise<void>((resolve) => state.notify = resolve);
      }
    },
  };
}
