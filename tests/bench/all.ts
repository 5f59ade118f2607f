/**
 * Runs all benchmarks one after the other, each in its own process. Most print ratios with budgets;
 * absolute times are valid for this machine only. `deno task bench catalogue import` runs some of
 * them. Numbers after the names are passed on, as in `deno task bench million 20000`.
 */
import { argv } from "node:process";

/**
 * `run` prints its own ratios, `bench` is run by `deno bench`, `alone` runs only if it is named.
 */
const BENCHES = [
  ["http", "run"],
  ["catalogue", "run"],
  ["table", "run"],
  ["read_tables", "run"],
  ["import", "run"],
  ["import_reads", "run"],
  ["store_size", "run"],
  ["observation", "run"],
  ["extract", "run"],
  ["match", "run"],
  ["discovery", "run"],
  ["sandbox", "run"],
  ["capacity", "run"],
  ["evaluation", "run"],
  ["simulation", "run"],
  ["market", "run"],
  ["decide", "bench"],
  ["health", "alone"],
  ["million", "alone"],
] as const;

const folder = new URL(".", import.meta.url).pathname;
const [numbers = [], wanted = []] = [true, false].map((isNumber) =>
  argv.slice(2).filter((text) => /^\d+$/.test(text) === isNumber)
);
const failed: string[] = [];
for (const [name, how] of BENCHES) {
  if (wanted.length > 0 ? !wanted.includes(name) : how === "alone") continue;
  const file = `${folder}${name}_bench.ts`;
  await Deno.stdout.write(new TextEncoder().encode(`\n== ${name}\n`));
  const args = how === "bench"
    ? ["bench", "--allow-all", file]
    : ["run", "--allow-all", file, ...numbers];
  const command = new Deno.Command(Deno.execPath(), { args });
  if (!(await command.spawn().status).success) failed.push(name);
}
if (failed.length > 0) {
  await Deno.stderr.write(new TextEncoder().encode(`broken off: ${failed.join(", ")}\n`));
  Deno.exit(1);
}
