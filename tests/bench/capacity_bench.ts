/**
 * Measures the figures of the plan in docs/scale.md: bytes per stored row, and the rates of a file
 * and of a KV Connect server. They are valid for this machine only. Takes about five minutes.
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
