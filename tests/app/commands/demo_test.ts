import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { sumOf } from "../../../src/base/collections.ts";
import { signIn } from "../../caller.ts";
import { sizeOf } from "../../../src/platform/store/store_file.ts";
import { until } from "../../patience.ts";
import { kurantHere } from "../../kurant_here.ts";
import { startServer } from "../../program.ts";
import { tasks, V8_FLAGS } from "../../task_flags.ts";
import { extent, IS_LONG } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import { SMALL_DEMO } from "./small_demo_entry.ts";

const PRODUCTS = extent(2_000, SMALL_DEMO);

/** The task's command without its dependency `build`; short test runs start a small demo. */
function demoCommand(): string {
  const command: string = `${tasks.demo.command} --port 0`;
  const entry = IS_LONG ? "main.ts demo" : "tests/app/commands/small_demo_entry.ts";
  ok(command.includes("main.ts demo"), command);
  return command.replace("main.ts demo", entry);
}

inFolder.test("demo listens on loopback with proposals to decide, and leaves nothing behind", async (folder) => {
  await using server = await startServer({ TMPDIR: folder.path }, {
    task: ["--eval", demoCommand()],
  });
  assertEquals(new URL(server.url).hostname, "127.0.0.1");

  const told = await server.printed(/Sign in as .*\n/);
  const [, email, password] = /Sign in as (\S+) with the password: (.+)\n/.exec(told) ?? [];
  ok(email && password, told);
  const { caller: owner } = await signIn(server.url, { email, password });
  assertEquals((await owner.read("/api/auth/me")).role, "owner");

  const products = await owner.read("/api/products?limit=1");
  ok(products.total >= PRODUCTS, `${products.total} products`);
  await until(
    "proposals wait",
    async () => (await owner.read("/api/proposals?status=open")).count > 0,
  );
  const readRejections = async () =>
    (await owner.read("/api/audit-logs?action=proposal.reject")).items;
  await until("proposals are rejected", async () => (await readRejections()).length > 0);
  const reasons = (await readRejections()).map(({ reason }: { reason: string | null }) => reason);
  assertEquals([...new Set(reasons)], ["Ware läuft aus"]);
  type Counts = { ok: number; failed: number };
  type Shop = { lastHours: (Counts & { causes: { failed: number }[] })[]; days: Counts[] };
  const lostIn = ({ lastHours }: Shop) => sumOf(lastHours, ({ failed }) => failed);
  const readFetches = async () => (await owner.read("/api/fetches")).items;
  await until(
    "the shop that is down was visited",
    async () => (await readFetches()).some((shop: Shop) => lostIn(shop) > 0),
  );
  const fetches = await readFetches();
  const known = fetches.map(({ lastHours }: Shop) =>
    sumOf(lastHours.flatMap(({ causes }) => causes), ({ failed }) => failed)
  );
  assertEquals(known, fetches.map(lostIn), "every failed fetch has a cause");
  const freshness = async () => (await owner.read("/api/overview/shops")).items;
  const count = ({ ok, failed }: Counts) => ok + failed;
  for (const { competitorId, links } of await freshness()) {
    const { lastHours, days } = fetches.find((one: { competitorId: string }) =>
      one.competitorId === competitorId
    );
    ok(sumOf(lastHours, count) <= links, "24 hours contain one round");
    // Today may have no visits yet, so it is not checked.
    const empty = days.slice(0, -1).filter((day: Counts) => count(day) === 0);
    assertEquals(empty, [], "a round each day");
  }
  await until(
    "the next round is within 24 hours",
    async () =>
      (await freshness()).every(({ nextAt }: { nextAt: string | null }) =>
        nextAt !== null && Date.parse(nextAt) < Date.now() + 86_400_000
      ),
  );
  const { lastVisitAt } = await owner.read("/api/auth/me");
  const { items: [decided] } = await owner.read("/api/audit-logs?action=proposal.approve&limit=1");
  ok(decided.at <= lastVisitAt, `decided at ${decided.at}, left at ${lastVisitAt}`);
  const readPage = async () => {
    const { items } = await owner.read("/api/scrape-runs?status=succeeded");
    return items.find(({ results }: { results: { status: string; method: string }[] }) =>
      results.some(({ status, method }) => status === "ok" && method === "json_ld")
    );
  };
  await until("a page of a shop was read", async () => await readPage() !== undefined);
  const { productId } = await readPage();
  const seen = await owner.read(`/api/observations?productId=${productId}&order=asc&limit=1`);
  const ageDays = (Date.now() - Date.parse(seen.items[0].observedAt)) / 86_400_000;
  ok(ageDays > 80, `the first price is ${ageDays} days old`);

  // Kurant sends only a few requests per second to a shop, so the test waits for some pages only.
  await until("pages of the unlinked products were found", async () => {
    const { same } = await owner.read("/api/match-suggestions/counts");
    return same >= extent(60, 1);
  });
  const gaps = await owner.read("/api/coverage");
  ok(
    gaps.anywhere > PRODUCTS / 8 && gaps.anywhere < PRODUCTS / 6,
    `${gaps.anywhere} products are linked`,
  );

  const { code, err } = await server.stop("SIGTERM");
  assertEquals([code, err], [0, ""]);
  assertEquals(await Array.fromAsync(Deno.readDir(folder.path), ({ name }) => name), []);
});

inFolder.test("the command demo fills its store, and ends with 0 when it is stopped before", async (folder) => {
  const dir = `${folder.path}/demo`;
  const demo = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", V8_FLAGS, "main.ts", "demo", "--port", "0", "--dir", dir],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const isStored = until("there is a store", async () => await sizeOf(`${dir}/kurant.db`) !== null);
  if (await Promise.race([isStored, demo.status]) === undefined) demo.kill("SIGTERM");
  const { code, stderr } = await demo.output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
});

inFolder.test("demo refuses a folder that is not empty", async (folder) => {
  await Deno.writeTextFile(`${folder.path}/kurant.db`, "precious");
  const { code, out, err } = await kurantHere(["demo", "--dir", folder.path], {});
  assertEquals([code, out], [2, ""]);
  match(err, /Must be empty, but has "kurant\.db"/);
  assertEquals(await Deno.readTextFile(`${folder.path}/kurant.db`), "precious");
});
