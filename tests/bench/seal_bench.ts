/**
 * What the seals of the audit log cost the processor, per change of a product with its commit. The
 * slices alternate: changes alone, and changes after which all new rows are sealed. In practice a
 * minute's rows are sealed together, as a slice's are here.
 * `deno run -A tests/bench/seal_bench.ts [changes] [rounds]`
 */
import { argv } from "node:process";
import { sealAuditRows } from "../../src/accounts/audit/seal_audit.ts";
import { provideWorkspace } from "../../src/accounts/choose_workspace.ts";
import { changeProduct, createProduct } from "../../src/catalogue/changes/change_product.ts";
import { createClock } from "../../src/platform/store/clock.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { processMs } from "../processor_time.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { say } from "./slices.ts";

const CHANGES = Number(argv[2] ?? 1_000);
const ROUNDS = Number(argv[3] ?? 7);

await using folder = await temporaryFolder();
const store = await openStore({ kvUrl: null, dataDir: folder.path }, 5_000);
const clock = await createClock(store, () => new Date());
const ctx = await provideWorkspace({ store, clock }, undefined);
const made = await createProduct(
  ctx,
  Object({ sku: "SKU-1", title: "Kühlschrank", ourPriceCents: 10_000 }),
);

let price = 10_000;
async function change(): Promise<number> {
  const before = processMs();
  for (let n = 0; n < CHANGES; n++) {
    price++;
    await changeProduct(ctx, made.id, { ourPriceCents: price }, {
      expected: null,
      allowsLargeChange: true,
      reason: "Aktion mit Hersteller",
    });
  }
  return processMs() - before;
}

async function seal(): Promise<number> {
  const before = processMs();
  await sealAuditRows({ store, clock });
  return processMs() - before;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

await change();
await seal();
const [changes, seals]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  changes.push(await change() / CHANGES);
  seals.push(await seal() / CHANGES);
}
store.kv.close();
const [each, sealed] = [median(changes), median(seals)];
say(
  `change ${each.toFixed(3)} ms of the processor, its seal ${sealed.toFixed(4)} ms: ` +
    `${(100 * sealed / each).toFixed(1)} %`,
);
