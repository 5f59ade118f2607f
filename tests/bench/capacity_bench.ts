/**
 * The figures that the plan in docs/scale.md is made of: bytes of what is stored, and what a file and
 * a KV Connect server take in a second. Absolute, so of this machine alone; about five minutes.
 * `deno run -A tests/bench/capacity_bench.ts`
 */
import { STORE_KINDS } from "../stores.ts";
import { measureRates } from "./capacity_rates.ts";
import { measureSizes } from "./capacity_sizes.ts";
import { measureVisits } from "./capacity_visits.ts";

await measureSizes();
for (const { kind, missing, open } of STORE_KINDS) {
  if (kind === "memory" || missing !== null) continue;
  {
    await using opened = await open();
    await measureRates(opened.store);
  }
  for (const pages of ["small", "saved"] as const) {
    await using opened = kind === "remote" ? await open() : null;
    await measureVisits(opened?.store ?? null, pages);
  }
}
