/**
 * A gigabyte of XML, then the same as a ZIP archive, through a real server in a process of its own,
 * while somebody else reads lists. Budget: at most 400 MB of resident memory at any moment (VmHWM),
 * 99 of 100 lists within 250 ms. Neither file ever lies on a disk: they are made as they are sent.
 * `deno run -A tests/bench/import_memory_bench.ts [MiB]`
 */
import { bodyOf } from "../api/answers.ts";
import { type LiveServer, serverPid, SMALL_HEAP, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { generateItems } from "./erp_items.ts";
import { sendImport, weighFile } from "./send_import.ts";
import { zipStream } from "./zip_stream.ts";
import { memoryMib } from "../other_process.ts";
import { pause } from "../patience.ts";
import { say } from "./slices.ts";

const MIB = 2 ** 20;
const BYTES_PER_ITEM = 664;
const wantedMib = Number(Deno.args[0] ?? 1_024);
const items = Math.ceil(wantedMib * MIB / BYTES_PER_ITEM);

async function residentMb(dataDir: string, name: "VmHWM" | "VmRSS"): Promise<number> {
  return (await memoryMib(await serverPid(dataDir), name) ?? NaN) * 1.024;
}

async function peak(dataDir: string): Promise<string> {
  return `at most ${(await residentMb(dataDir, "VmHWM")).toFixed(0)} MB so far`;
}

interface Lists {
  stop(): Promise<number[]>;
}

/** Pages from random places, one after the other; returns the milliseconds of each. */
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

async function importStream(
  live: LiveServer,
  dataDir: string,
  type: string,
  make: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await weighFile(type, make);
  const beginAt = performance.now();
  const seconds = () => ((performance.now() - beginAt) / 1_000).toFixed(0);
  const lists = readLists(live);
  const { inserted, updated, skipped } = await sendImport(live, file, {
    sent: async () => {
      const size = (file.bytes / MIB).toFixed(0);
      say(`${type}: ${size} MiB sent after ${seconds()} s, ${await peak(dataDir)}`);
    },
    ended: async (phase) => {
      say(`${phase} ended after ${seconds()} s, ${await peak(dataDir)}`);
    },
  });
  say(`ended after ${seconds()} s: ${inserted} new, ${updated} changed, ${skipped} unchanged`);
  const times = await lists.stop();
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  say(`${times.length} lists meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (budget 250)`);
  say(
    `resident memory: at most ${(await residentMb(dataDir, "VmHWM")).toFixed(0)} MB (budget 400)`,
  );
}

await using folder = await temporaryFolder();
await using live = await startLiveServer(folder.path, {
  ...SMALL_HEAP,
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
const zip = () => zipStream(["items.xml", generateItems(items, 1)]);
await importStream(live, folder.path, "application/zip", zip);
