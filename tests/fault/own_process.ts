/**
 * The real server as a direct child of the test, for faults that need its process: to be stopped
 * and continued, to share a KV Connect store, to run under other permissions than those of the task.
 */
import type { Caller } from "../harness.ts";
import { readText } from "../process_text.ts";
import { EMAIL, PASSWORD, signIn } from "./live_server.ts";

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
  const url = (await out.until(/Kurant listens on (\S+)/))?.[1];
  if (url === undefined) throw new Error(`The server did not start: ${await ended} ${err.text()}`);
  const { owner, cookie } = await signIn(url);
  return {
    pid: child.pid,
    url,
    owner,
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
