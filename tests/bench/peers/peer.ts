/** A service in its own process, to which products are written and from which they are listed. */
import type { Article } from "./article.ts";

export interface Peer extends AsyncDisposable {
  readonly name: string;
  /** Describes the requests in the table. */
  readonly way: string;
  readonly pid: number;
  /** The SQLite file that contains the products. */
  readonly storePath: string;
  /** Creates new and changes known SKUs. Resolves when all articles are stored and readable. */
  upsert(articles: readonly Article[]): Promise<void>;
  /** Up to 100 products after `after`, in the service's own order. */
  page(after: string | null): Promise<Page>;
  priceOf(sku: string): Promise<number>;
}

interface Page {
  readonly skus: readonly string[];
  /** Cursor of the next page; null after the last page. */
  readonly next: string | null;
}

export const PAGE_ROWS = 100;
export const OWNER = { email: "owner@example.com", password: "sechs-blaue-kuehlschraenke" };
export const TEXTS = ["title", "brand", "category", "mpn", "tier", "currency"] as const;
export const NUMBERS = ["priceCents", "costCents", "targetCents"] as const;
const PATIENCE_MS = 120_000;
const POLL_MS = 50;

/** The JSON of an answer. Throws with the answer's text if the request fails. */
export async function askJson(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text.slice(0, 500)}`);
  return text === "" ? null : JSON.parse(text);
}

export function jsonInit(method: string, body: unknown, authorization?: string): RequestInit {
  const headers = new Headers({ "Content-Type": "application/json" });
  if (authorization !== undefined) headers.set("Authorization", authorization);
  return { method, headers, body: JSON.stringify(body) };
}

export function skusOf(records: readonly { readonly sku: string }[]): string[] {
  return records.map(({ sku }) => sku);
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** A program that runs until it is disposed of. Its output goes to a file next to its data. */
interface Program extends AsyncDisposable {
  readonly pid: number;
  untilUp(url: string): Promise<void>;
}

export function startProgram(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Record<string, string>; readonly cwd: string },
): Program {
  const child = new Deno.Command(command, {
    args: [...args],
    env,
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let end: Deno.CommandStatus | null = null;
  const ended = child.status.then((status) => end = status);
  const logs = Promise.all([
    child.stdout.pipeTo(logFile(`${cwd}/out.log`)),
    child.stderr.pipeTo(logFile(`${cwd}/err.log`)),
  ]);
  return {
    pid: child.pid,
    async untilUp(url) {
      const giveUpAt = performance.now() + PATIENCE_MS;
      while (!await isUp(url)) {
        if (end || performance.now() > giveUpAt) {
          throw new Error(
            `${command} does not serve: ${await Deno.readTextFile(`${cwd}/err.log`)}`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    async [Symbol.asyncDispose]() {
      if (!end) child.kill("SIGTERM");
      await ended;
      await logs;
    },
  };
}

function logFile(path: string): WritableStream<Uint8Array> {
  return Deno.openSync(path, { write: true, create: true, append: true }).writable;
}

async function isUp(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    // The program does not listen yet, so the caller tries again.
    return false;
  }
}

/** Runs a command and returns its output. Throws with the command's messages if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Record<string, string>; readonly cwd?: string },
): Promise<string> {
  const options = { args: [...args], env, ...(cwd !== undefined && { cwd }) };
  const { success, stdout, stderr } = await new Deno.Command(command, options).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (success) return out ?? "";
  throw new Error(`${command} ${args.join(" ")} failed: ${`${out}\n${err}`.slice(-2_000)}`);
}

export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
