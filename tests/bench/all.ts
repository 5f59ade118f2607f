/**
 * Every measurement of the project, one after the other, each in a process of its own. What compares
 * with a floor prints ratios with their budgets; absolute times are of this machine alone.
 * `deno task bench`, or `deno task bench catalogue import` for some of them.
 */
import { argv } from "node:process";

/** `run` prints ratios itself; `bench` leaves the printing to `deno bench`. */
const BENCHES = [
  ["http", "run"],
  ["catalogue", "run"],
  ["table", "run"],
  ["read", "run"],
  ["import", "run"],
  ["import_memory", "run"],
  ["observation", "run"],
  ["extract", "run"],
  ["sandbox", "run"],
  ["capacity", "run"],
  ["evaluation", "run"],
  ["decide", "bench"],
  ["numbers", "bench"],
] as const;

const folder = new URL(".", import.meta.url).pathname;
const wanted = argv.slice(2);
const failed: string[] = [];
for (const [name, how] of BENCHES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const file = `${folder}${name}_bench.ts`;
  await Deno.stdout.write(new TextEncoder().encode(`\n== ${name}\n`));
  const command = new Deno.Command(Deno.execPath(), { args: [how, "--allow-all", file] });
  if (!(await command.spawn().status).success) failed.push(name);
}
if (failed.length > 0) {
  await Deno.stderr.write(new TextEncoder().encode(`broken off: ${failed.join(", ")}\n`));
  Deno.exit(1);
}
