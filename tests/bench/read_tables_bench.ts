/**
 * Processor time of the first pass of an import: the same catalogue as XML, CSV, NDJSON and XLSX,
 * in turn. `deno run -A tests/bench/read_tables_bench.ts [rows]`
 */
import { argv, memoryUsage } from "node:process";
import { readUpload } from "../../src/imports/upload/read_upload.ts";
import { partOf, SETTING } from "../imports/upload_reading.ts";
import { catalogueFiles } from "./catalogue_files.ts";
import { alternately, median, say, timed } from "./slices.ts";

const ROUNDS = 5;
const count = Number(argv[2] ?? 50_000);
const FLOORS = { csv: 0.8, ndjson: 0.8, xlsx: 0.35 } as const;

const files = await catalogueFiles(count);

const KINDS = ["xml", "csv", "ndjson", "xlsx"] as const;

async function readFile(name: (typeof KINDS)[number]): Promise<void> {
  let records = 0;
  for await (const event of readUpload([partOf(`bench.${name}`, files[name])], SETTING)) {
    if (event.kind === "refused") throw new Error(event.finding.message);
    if (event.kind !== "records") continue;
    for (const { patch } of event.records) records += JSON.stringify(patch).length > 0 ? 1 : 0;
  }
  if (records !== count) throw new Error(`${records} records of ${count} in ${name}`);
}

const costs = await alternately(
  KINDS,
  { rounds: ROUNDS },
  async (name) => (await timed(() => readFile(name))).cpuMs,
);
say(`xml ${Math.round(count / median(costs.xml) * 1000)} records/s`);
for (const name of ["csv", "ndjson", "xlsx"] as const) {
  const ratio = median(costs.xml.map((ms, round) => ms / (costs[name][round] ?? 0)));
  const rate = Math.round(count / median(costs[name]) * 1000);
  say(`${name} ${rate} records/s | ${ratio.toFixed(2)} of XML's rate, at least ${FLOORS[name]}`);
}
say(`${Math.round(memoryUsage().rss / 1e6)} MB at the end`);
