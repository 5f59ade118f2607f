import { ok } from "node:assert/strict";
import { type Caller, callerWithKey } from "../caller.ts";
import { HOSTILE_COST, HOSTILE_FILES, type HostileFile } from "../imports/hostile_files.ts";
import { importFile } from "../imports/import_calls.ts";
import { memoryMib, processorMs } from "../processor_time.ts";
import { AS_STARTED, serverPid, SMALL_HEAP, startLiveServer } from "../program.ts";
import { inFolder } from "../temporary_folder.ts";
import { termsDe } from "../../src/engine/wording/terms.ts";
import { staysAwake } from "./stays_awake.ts";

const TRIES = 3;

inFolder.test("hostile files each end with a clear finding within 2 s and 200 MiB of memory, and delay no other request", async (folder) => {
  await using live = await startLiveServer(folder.path, SMALL_HEAP, AS_STARTED);
  const pid = await serverPid(folder.path);
  const vat = { pricesIncludeVat: true, vatRatePct: 19 };
  await live.owner.change("/api/settings", vat);
  const asked = { name: "ERP", scopes: ["products:write"] };
  const made = await live.owner.create("/api/keys", asked);
  const key = callerWithKey(live.url, made.key);
  const faults: string[] = [];
  const mibBefore = await memoryMib(pid, "VmHWM") ?? 0;
  const costs = [`${mibBefore} MiB before`];
  await staysAwake({ base: live.url, dataDir: folder.path }, "files", async () => {
    for (const file of HOSTILE_FILES) {
      const content = file.make();
      let leastMs = Infinity;
      for (let n = 0; n < TRIES && leastMs > HOSTILE_COST.processorMs; n++) {
        const before = await processorMs(pid);
        faults.push(...await faultsOf(key, file, content));
        leastMs = Math.min(leastMs, await processorMs(pid) - before);
      }
      costs.push(`${file.what}: ${leastMs} ms, ${await memoryMib(pid, "VmHWM")} MiB so far`);
      if (leastMs > HOSTILE_COST.processorMs) {
        faults.push(`${file.what}: ${leastMs} ms of the processor`);
      }
    }
  });
  ok(faults.length === 0, faults.join("\n"));
  const mib = await memoryMib(pid, "VmHWM");
  if (mib !== null) ok(mib - mibBefore <= HOSTILE_COST.memoryMib, costs.join("\n"));
});

async function faultsOf(
  key: Caller,
  { what, type = "application/octet-stream", refused, told, products }: HostileFile,
  content: Uint8Array | string,
): Promise<string[]> {
  const before = await countOf(key);
  const { data } = await importFile(key, content, type);
  const code = data.error?.code ?? null;
  if (code !== refused) return [`${what}: ${code ?? data.status} instead of ${refused}`];
  const codes: string[] = [...data.errors, ...data.warnings].map((one) => one.code);
  const words: Readonly<Record<string, string>> = termsDe.findings;
  const speechless = [...data.errors, ...data.warnings]
    .filter((one) => !one.message || !words[one.code]);
  const made = await countOf(key) - before;
  const { inserted, updated, skipped } = data.stats;
  const isCounted = products === undefined || inserted + updated + skipped === products;
  return [
    speechless.length > 0 && `${what}: no words for ${speechless[0].code}`,
    refused !== null && made > 0 && `${what}: ${made} products of a refused file`,
    refused !== null && data.errors.length !== 1 && `${what}: ${data.errors.length} errors`,
    told !== undefined && !codes.includes(told) && `${what}: ${codes} instead of ${told}`,
    !isCounted && `${what}: ${JSON.stringify(data.stats)}`,
  ].filter((fault) => fault !== false);
}

async function countOf(key: Caller): Promise<number> {
  return (await key.read("/api/public/v1/products?limit=200")).count;
}
