/**
 * Measures the processor time of an import's first pass for the same catalogue as XML, CSV, NDJSON
 * and XLSX. `deno run -A tests/bench/read_tables_bench.ts [rows]`
 */
import { argv, memoryUsage } from "node:process";
import { readUpload } from "../../src/imports/upload/read_upload.ts";
import { partOf, SETTING } from "../imports/upload_reading.ts";
import { alternately, median, say, timed } from "./slices.ts";
import { workbookOf } from "../imports/workbook.ts";
import { articleOf, generateItems } from "./erp_items.ts";

const ROUNDS = 5;
const count = Number(argv[2] ?? 50_000);
const FLOORS = { csv: 0.8, ndjson: 0.8, xlsx: 0.35 } as const;

const HEADER = "Artikelnummer,Bezeichnung,Hersteller,Warengruppe,HAN,Währung,EK netto,VK brutto,UVP"
  .split(",");
const german = (value: string | number) => String(value).replace(/^(\d+)\.(\d+)$/, "$1,$2");
const bytesOf = (text: string) => new TextEncoder().encode(text);

const files = await catalogueFiles();

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

function rowOf(n: number): readonly (string | number)[] {
  const { sku, title, brand, category, mpn, currency, ...cents } = articleOf(n, 1);
  const prices = [cents.costCents, cents.priceCents, cents.targetCents].map((one) => one / 100);
  return [sku, title, brand, category, mpn, currency, ...prices];
}

async function catalogueFiles() {
  const rows = Array.from({ length: count }, (_, n) => rowOf(n));
  const objects = rows.map((row) =>
    JSON.stringify(Object.fromEntries(row.map((value, at) => [HEADER[at], value])))
  );
  const items = generateItems(count, 1, { hasFormer: false, hasTiers: false });
  return {
    xml: await new Response(ReadableStream.from(items)).bytes(),
    csv: bytesOf([HEADER, ...rows].map((row) => row.map(german).join(";")).join("\r\n")),
    ndjson: bytesOf(objects.join("\n")),
    xlsx: workbookOf([HEADER, ...rows]),
  };
}
