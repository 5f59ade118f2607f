/**
 * Runs benchmarks one after the other, each in its own process. `deno task bench catalogue import`
 * runs two of them, and `deno task bench server 20000` passes a number on. Most print ratios with
 * budgets, because absolute times are valid for one machine only.
 */
import { argv } from "node:process";

/** The benchmarks that run if none is named; `server` and `peers` run only if they are named. */
const BENCHES = [
  "catalogue",
  "table",
  "read_tables",
  "import",
  "observation",
  "extract",
  "match",
  "discovery",
  "evaluation",
];

const folder = new URL(".", import.meta.url).pathname;
const [numbers = [], wanted = []] = [true, false].map((isNumber) =>
  argv.slice(2).filter((text) => /^\d+$/.test(text) === isNumber)
);
const failed: string[] = [];
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  await Deno.stdout.write(new TextEncoder().encode(`\n== ${name}\n`));
  // The server runs with the same flag (deno.json).
  const flag = "--v8-flags=--no-allocation-site-pretenuring";
  const args = ["run", flag, "--allow-all", `${folder}${name}_bench.ts`, ...numbers];
  const command = new Deno.Command(Deno.execPath(), { args });
  if (!(await command.spawn().status).success) failed.push(name);
}
if (failed.length > 0) {
  await Deno.stderr.write(new TextEncoder().encode(`broken off: ${failed.join(", ")}\n`));
  Deno.exit(1);
}
