/**
 * Requests per second, and processor time of the server's process per request, compared with
 * minimal servers in alternating rounds. Budgets on two cores, by requests per second with eight
 * clients: 401 at 0.35 of a constant answer, GET by SKU at half of one `kv.get`. `deno task bench
 * http`, or `deno run -A tests/bench/http_bench.ts [rounds]`
 */
import { argv, stdout } from "node:process";
import { startHelper } from "../helper_process.ts";
import { processorMs } from "../other_process.ts";
import type { Subject } from "./http_subject.ts";
import { median, startClient } from "./slices.ts";

const ROUNDS = Number(argv[2] ?? 7);
const SLICE_MS = 300;
const CONNECTIONS = [1, 8];
const LIST = "/api/public/v1/products";

/** A kind of request. `beside` names the kind of the minimal server with which it is compared. */
interface Form {
  readonly name: string;
  readonly at: "bare" | "kurant";
  readonly path: string;
  readonly status?: number;
  readonly key?: string;
  readonly beside?: string;
}

interface Measured {
  readonly rates: number[];
  /** Sum of all rounds: the kernel's clock may advance by as much as a hundred requests take. */
  cpuMs: number;
  answers: number;
}

await using bareProcess = await startHelper(new URL("http_subject.ts", import.meta.url), ["bare"]);
await using process = await startHelper(new URL("http_subject.ts", import.meta.url), ["kurant"]);
const subjects: Record<Form["at"], Subject> = {
  bare: JSON.parse(bareProcess.line),
  kurant: JSON.parse(process.line),
};

const [constant, row] = ["bare, constant", "bare, kv.get"];
const at = "kurant";
const FORMS: readonly Form[] = [
  { name: constant, at: "bare", path: "/" },
  { name: row, at: "bare", path: "/get" },
  { name: "401", at, path: `${LIST}/SKU-0`, status: 401, key: "none", beside: constant },
  { name: "GET by SKU", at, path: `${LIST}/SKU-0`, beside: row },
];

using client = startClient();
for (const connections of CONNECTIONS) {
  const measured = new Map<string, Measured>();
  for (const { name } of FORMS) measured.set(name, { rates: [], cpuMs: 0, answers: 0 });
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const form of FORMS) await measure(form, connections, round, measured);
  }
  report(connections, measured);
}

async function measure(
  { name, at, path, status, key }: Form,
  connections: number,
  round: number,
  all: Map<string, Measured>,
): Promise<void> {
  const { pid, port, key: own } = subjects[at];
  const slice = client.asks({
    port,
    path,
    connections,
    authorization: `Bearer ${key ?? own}`,
    ...(status !== undefined && { status }),
  });
  const cpuAtMs = await processorMs(pid);
  const rate = await slice(SLICE_MS);
  const cpuMs = await processorMs(pid) - cpuAtMs;
  const measured = all.get(name);
  if (round === 0 || !measured) return;
  measured.rates.push(rate);
  measured.cpuMs += cpuMs;
  measured.answers += rate * SLICE_MS / 1_000;
}

function report(connections: number, all: ReadonlyMap<string, Measured>): void {
  stdout.write(`\n${`${connections} at once`.padEnd(24)}       /s  processor µs  rate / bare\n`);
  for (const { name, beside } of FORMS) {
    const { rates, cpuMs, answers } = all.get(name) ?? { rates: [], cpuMs: 0, answers: 1 };
    const floor = all.get(beside ?? "");
    const rate = median(rates);
    const ratio = floor ? (rate / median(floor.rates)).toFixed(2) : "";
    const columns = [
      String(Math.round(rate)).padStart(9),
      (1_000 * cpuMs / answers).toFixed(0).padStart(14),
      ratio.padStart(13),
    ];
    stdout.write(`${name.padEnd(24)}${columns.join("")}  ${beside ?? ""}\n`);
  }
}
