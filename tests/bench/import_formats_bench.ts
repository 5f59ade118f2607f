/**
 * How long lists take while the same catalogue comes as XML and as CSV, from the file's last byte to the
 * last product, on a real server, in turns. Budget: 99 of 100 lists beside CSV within 1.5 times what 99
 * of 100 take beside XML. `deno task bench import_formats`, or
 * `deno run -A tests/bench/import_formats_bench.ts [products] [rounds]`
 */
import { argv } from "node:process";
import { startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { catalogueFiles, catalogueSku } from "./catalogue_files.ts";
import { inTurns, medianP99, readBeside, type Times } from "./reads_beside.ts";
import { sendImport, weighFile } from "./send_import.ts";
import { say } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
const SEEDED = Math.ceil(PRODUCTS / 10);
const BUDGET = 1.5;
const SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000", LOG_LEVEL: "warning" };
/** A first file that replaces nothing waits for nobody. */
const QUERY = "?mode=upsert";
const TYPES = { xml: "application/xml", csv: "text/csv" } as const;

type Format = keyof typeof TYPES;

const [seed, all] = [catalogueFiles(SEEDED), catalogueFiles(PRODUCTS)];
const skus = Array.from({ length: SEEDED }, (_, n) => catalogueSku(n));
const found = await inTurns<Format>(["xml", "csv"], ROUNDS, measure);
const [xml, csv] = [medianP99(found.xml, "list"), medianP99(found.csv, "list")];
say(
  `list p99 beside CSV ${csv.toFixed(0)} ms, beside XML ${xml.toFixed(0)} ms, ratio ` +
    `${(csv / xml).toFixed(2)} (≤ ${BUDGET}: ${csv / xml <= BUDGET ? "reached" : "MISSED"}), ` +
    `medians of ${ROUNDS} rounds`,
);

async function measure(format: Format): Promise<Times> {
  await using folder = await temporaryFolder();
  await using live = await startLiveServer(folder.path, SETTINGS);
  const send = async (bytes: Uint8Array, sent: () => void = () => {}) =>
    await sendImport(live, await weighFile(TYPES[format], () => once(bytes)), { sent }, QUERY);
  await send(seed[format]);
  const told = { name: format, products: PRODUCTS, skus };
  return await readBeside(live, told, (begin) => send(all[format], begin));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
