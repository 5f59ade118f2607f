/**
 * A gigabyte of XML, then the same as a ZIP archive, through a real server in a process of its own,
 * while somebody else reads lists. Budget: at most 400 MB of resident memory at any moment (VmHWM),
 * 99 of 100 lists within 250 ms. Neither file ever lies on a disk: they are made as they are sent.
 * `deno run -A tests/bench/import_memory_bench.ts [MiB]`
 */
import { request } from "node:http";
import { stdout } from "node:process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { bodyOf } from "../api/answers.ts";
import { type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { generateItems } from "./erp_items.ts";
import { zipStream } from "./zip_stream.ts";
import { memoryMib } from "../other_process.ts";
import { pause } from "../patience.ts";

const MIB = 2 ** 20;
const BYTES_PER_ITEM = 664;
const wantedMib = Number(Deno.args[0] ?? 1_024);
const items = Math.ceil(wantedMib * MIB / BYTES_PER_ITEM);
const POLL_MS = 250;

function say(line: string): void {
  stdout.write(`${line}\n`);
}

async function residentMb(dataDir: string, name: "VmHWM" | "VmRSS"): Promise<number> {
  return (await memoryMib(await serverPid(dataDir), name) ?? NaN) * 1.024;
}

async function peak(dataDir: string): Promise<string> {
  return `at most ${(await residentMb(dataDir, "VmHWM")).toFixed(0)} MB so far`;
}

interface Lists {
  stop(): Promise<number[]>;
}

/** Pages from random places, one after the other; answers the milliseconds of each. */
function readLists({ owner }: LiveServer): Lists {
  let isOver = false;
  const times: number[] = [];
  const reading = (async () => {
    let cursor = "";
    while (!isOver) {
      const beginAt = performance.now();
      const page = await bodyOf(owner.get(`/api/products?limit=50&cursor=${cursor}`), 200);
      times.push(performance.now() - beginAt);
      cursor = page.nextCursor ?? "";
      await pause(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await reading;
      return times.toSorted((a, b) => a - b);
    },
  };
}

/**
 * As curl sends a file, with its length: the runtime's own client sends streams in large chunks,
 * which its server reads ever slower.
 */
function send(
  { url, cookie }: LiveServer,
  type: string,
  bytes: number,
  body: AsyncIterable<Uint8Array>,
): Promise<string> {
  const headers = {
    "Content-Type": type,
    "Content-Length": bytes,
    Cookie: cookie,
    Prefer: "respond-async",
  };
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/api/imports`, { method: "POST", headers }, (answer) => {
      text(answer).then((json) => resolve(JSON.parse(json).jobId)).catch(reject);
    });
    sending.on("error", reject);
    Readable.from(body).pipe(sending);
  });
}

async function importStream(
  live: LiveServer,
  dataDir: string,
  type: string,
  make: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  let bytes = 0;
  for await (const chunk of make()) bytes += chunk.length;
  const beginAt = performance.now();
  const seconds = () => ((performance.now() - beginAt) / 1_000).toFixed(0);
  const lists = readLists(live);
  const jobId = await send(live, type, bytes, make());
  say(`${type}: ${(bytes / MIB).toFixed(0)} MiB sent after ${seconds()} s, ${await peak(dataDir)}`);
  let phase = "check";
  for (;;) {
    const job = await bodyOf(live.owner.get(`/api/imports/${jobId}`), 200);
    if (job.phase !== phase) say(`${phase} ended after ${seconds()} s, ${await peak(dataDir)}`);
    phase = job.phase;
    if (job.status === "succeeded") {
      const { inserted, updated, skipped } = job.stats;
      say(`ended after ${seconds()} s: ${inserted} new, ${updated} changed, ${skipped} unchanged`);
      break;
    }
    if (job.status === "failed") throw new Error(JSON.stringify(job.error));
    await pause(POLL_MS);
  }
  const times = await lists.stop();
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  say(`${times.length} lists meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (budget 250)`);
  say(
    `resident memory: at most ${(await residentMb(dataDir, "VmHWM")).toFixed(0)} MB (budget 400)`,
  );
}

await using folder = await temporaryFolder();
await using live = await startLiveServer(folder.path, {
  IMPORT_MAX_BODY_BYTES: String(4 * 2 ** 30),
  IMPORT_MAX_UNPACKED_BYTES: String(4 * 2 ** 30),
  IMPORT_MAX_ITEMS: "10000000",
  LOG_LEVEL: "warning",
});
say(
  `${items.toLocaleString("en")} items; the server begins with ${
    (await residentMb(folder.path, "VmRSS")).toFixed(0)
  } MB`,
);
await importStream(live, folder.path, "application/xml", () => generateItems(items, 1));
const zip = () => zipStream("items.xml", generateItems(items, 1));
await importStream(live, folder.path, "application/zip", zip);
