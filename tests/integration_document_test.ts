/*
 * docs/integration.md works as written: its code blocks are extracted and run against the real program
 * with the tools they are written for. docs/integration.de.md has the same blocks.
 */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { type Caller, createCaller } from "./caller.ts";
import { serveApp } from "./harness.ts";
import { serveHere } from "./local_server.ts";
import { testNeeding } from "./needing.ts";
import { newOwnerSession } from "./owner_session.ts";
import { until } from "./patience.ts";
import { extent } from "./proof.ts";
import { type Finished, type LiveServer, startLiveServer } from "./program.ts";
import { freePort } from "./stores.ts";
import { V8_FLAGS } from "./task_flags.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const document = await Deno.readTextFile("docs/integration.md");
const german = await Deno.readTextFile("docs/integration.de.md");
const fencesOf = (text: string) => [...text.matchAll(/^```(\S*) ?(\S*)\n([\s\S]*?)^```$/gm)];
const fences = fencesOf(document);
const blocks = new Map(fences.map(([, , name, text]) => [name!, text!]));

/** Names of all blocks, which are run below. The block "-" has no name and creates the key. */
const RUN = `vat.sh - set-up.sh kurant.sh check.sh source.sh products.csv send.sh changed.csv
  delta.sh changed.ndjson lines.sh batch.sh foreign.csv profile.sh seen.ndjson observe.sh rule.sh
  approve.sh prices.sh arrivals.sh night.sh cron.sh webhook.sh webhook.ts webhook.py webhook.php
  webhook.cs webhook.csproj events.sh`.split(/\s+/);

async function isThere(program: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: [...args], stdout: "null", stderr: "null" })
      .output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

const TOOLS = ["bash", "curl", "jq", "sha256sum", "flock"];
const lacking = (await Promise.all(
  [...TOOLS, "python3", "php", "dotnet"].map(async (tool) =>
    await isThere(tool, ["--version"]) ? [] : [tool]
  ),
)).flat();
const without = (...tools: string[]) => {
  const [tool] = lacking.filter((one) => [...TOOLS, ...tools].includes(one));
  return tool === undefined ? null : `there is no ${tool}`;
};

/** The command that runs a file; `port` is for receivers. */
function commandOf(name: string, args: readonly string[], port = 0): [string, string[]] {
  if (name.endsWith(".py")) return ["python3", [name, ...args]];
  if (name.endsWith(".php")) return ["php", ["-S", `127.0.0.1:${port}`, name]];
  if (name.endsWith(".cs")) return ["dotnet", [name.replace(/^(.*)\.cs$/, "built/$1.dll")]];
  if (name.endsWith(".ts")) {
    return [Deno.execPath(), ["run", "--quiet", "--no-config", "--allow-all", name, ...args]];
  }
  return ["bash", [name, ...args]];
}

interface Office extends AsyncDisposable {
  readonly server: Pick<LiveServer, "url" | "owner">;
  /** A caller with the document's key. */
  readonly caller: Caller;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  run(name: string, args?: readonly string[], env?: Record<string, string>): Promise<Finished>;
  write(name: string, text: string): Promise<void>;
}

const decoder = new TextDecoder();

const SCOPES = /--scopes (\S+)\)/.exec(blocks.get("") ?? "")?.[1]?.split(",") ?? [];

interface Opened extends AsyncDisposable {
  readonly server: Office["server"];
  readonly key: string;
}

/** The real program, with a key that the document's block creates. */
async function openProgram(
  dataDir: string,
  start: (command: [string, string[]], env: Record<string, string>) => Promise<Finished>,
): Promise<Opened> {
  const server = await startLiveServer(dataDir);
  const maker = [
    "set -euo pipefail",
    // Replaces `task kurant`, which starts four processes and is run by `readme_test.ts`.
    `npx() { [ "$3 $4" = "task kurant" ]; shift 4; deno run --quiet ${V8_FLAGS} -A main.ts "$@"; }`,
    `vat() { ${blocks.get("vat.sh")} }`,
    "vat >&2",
    blocks.get("")!,
    'printf %s "$KEY"',
  ].join("\n");
  const { out: key, err } = await start(["bash", ["-c", maker]], { DATA_DIR: dataDir });
  ok(key !== "", err);
  return { server, key, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The app in this process, as most blocks do not depend on how the program starts. */
async function openApp(env: Record<string, string>): Promise<Opened> {
  const app = await serveApp({ env, now: () => new Date() });
  const owner = createCaller(app.base, { Cookie: await newOwnerSession(app.store) });
  const vat = { pricesIncludeVat: true, vatRatePct: 19 };
  await owner.change("/api/settings", vat);
  const { key } = await owner.create("/api/keys", { name: "ERP", scopes: SCOPES });
  const server = { url: app.base, owner };
  return { server, key, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Opens a server, a key and a source as in the document, with its blocks as files. */
async function openOffice(
  settings: Record<string, string> = {},
  { isProgram = false } = {},
): Promise<Office> {
  const home = await temporaryFolder();
  const dataDir = `${home.path}/data`;
  const folder = `${home.path}/night`;
  await Deno.mkdir(folder);
  const base: Record<string, string> = { POLL_SECONDS: "0.2", NO_COLOR: "1" };
  const start = async (
    [program, args]: [string, string[]],
    env: Record<string, string>,
    cwd = folder,
  ): Promise<Finished> => {
    const command = new Deno.Command(program, { args, cwd, env: { ...base, ...env } });
    const { code, signal, stdout, stderr } = await command.output();
    return { code, signal, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  };
  const opened = isProgram
    ? await openProgram(dataDir, (command, env) => start(command, env, "."))
    : await openApp(settings);
  const { server, key } = opened;
  for (const [name, text] of blocks) {
    if (name === "") continue;
    await Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o700 });
  }
  // The executable that the document names.
  await Deno.mkdir(`${home.path}/bin`);
  const program =
    `#!/bin/sh\nexec deno run --quiet ${V8_FLAGS} --allow-all ${Deno.cwd()}/main.ts "$@"\n`;
  await Deno.writeTextFile(`${home.path}/bin/kurant`, program, { mode: 0o700 });
  base.PATH = `${home.path}/bin:${Deno.env.get("PATH") ?? ""}`;
  base.KURANT = server.url;
  const env = { ...base, KEY: key };
  const run: Office["run"] = (name, args = [], more = {}) =>
    start(commandOf(name, args), { ...env, ...more });
  for (const name of ["set-up.sh", "source.sh"]) {
    const made = await run(name);
    assertEquals(made.code, 0, made.err + made.out);
  }
  return {
    server,
    folder,
    env,
    run,
    caller: createCaller(server.url, { Authorization: `Bearer ${key}` }),
    write: (name, text) => Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o700 }),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function productsOf({ caller }: Office): Promise<Record<string, number | null>> {
  const { data } = await caller.read("/api/public/v1/products");
  return Object.fromEntries(
    data.map(({ sku, ourPrice }: { sku: string; ourPrice: number | null }) => [sku, ourPrice]),
  );
}

async function countImports({ caller }: Office): Promise<number> {
  return (await caller.read("/api/public/v1/imports")).count;
}

function assertDone({ code, out, err }: Finished): void {
  assertEquals(code, 0, out + err);
}

/** What happens to a request: it passes, or fails in one of four ways. */
type Passage = "pass" | "busy" | "lost" | "torn" | "killed";

/** A proxy to the server, which treats requests as `passages` says, in order. */
function startWay(to: string, passages: Passage[]) {
  const requests: string[] = [];
  const way = serveHere(async (request) => {
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    const passage = passages.shift() ?? "pass";
    if (passage === "busy") {
      await request.body?.cancel();
      return new Response("{}", { status: 429, headers: { "Retry-After": "1" } });
    }
    if (passage === "killed") {
      await request.body?.cancel();
      const details = { startedAt: new Date().toISOString(), retryAfterSeconds: 1 };
      const error = { code: "conflict", details };
      return Response.json({ error }, { status: 409, headers: { "Retry-After": "1" } });
    }
    const answer = await fetch(to + pathname + search, {
      method: request.method,
      headers: request.headers,
      body: request.body && await request.bytes(),
    });
    if (passage === "pass") return answer;
    await answer.body?.cancel();
    if (passage === "lost") return new Response("{}", { status: 503 });
    const torn = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"data":'));
        controller.error(new Error("the line breaks off"));
      },
    });
    return new Response(torn, { status: 200 });
  }, { onError: () => new Response(null, { status: 500 }) });
  return { url: way.url, requests, [Symbol.asyncDispose]: () => way[Symbol.asyncDispose]() };
}

Deno.test("the integration guide: every block is named and run, and every link leads somewhere", async () => {
  assertEquals(fences.map(([, , name]) => name || "-"), RUN);
  for (const text of [document, german]) {
    assertEquals(fencesOf(text).map(([block]) => block), fences.map(([block]) => block));
    const shown = text.replaceAll(/^```.*$/gm, "");
    assertEquals(RUN.filter((name) => !shown.includes(name)), []);
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
    ok(targets.length > 1);
    for (const target of targets) ok((await Deno.stat(`docs/${target}`)).isFile, target);
  }
});

testNeeding(without(), {
  name:
    "a nightly file is imported, reported record by record, and applied once however often it is sent",
  async fn() {
    await using office = await openOffice({}, { isProgram: true });
    const { run, write, folder } = office;
    const checked = await run("check.sh");
    assertDone(checked);
    match(checked.out, /"products:write"/);
    match(checked.out, /"pricesIncludeVat": true,[^}]*"vatRatePct": 19/);
    // A file with net prices is applied, too. Rounding moves a price by at most a cent.
    const netto = blocks.get("products.csv")!.replace("VK brutto", "VK netto")
      .replace("1.234,56", "1.037,44").replace("39,90", "33,53");
    await write("netto.csv", netto);
    assertDone(await run("send.sh", ["netto.csv"]));
    assertEquals(await productsOf(office), { "4711-A": 123_455, "4712": 3_990 });
    assertDone(await run("send.sh", ["products.csv"]));
    assertEquals(await productsOf(office), { "4711-A": 123_456, "4712": 3_990 });

    await write("products.csv", blocks.get("products.csv")!);
    const first = await run("send.sh", ["products.csv"]);
    assertDone(first);
    const { status, stats, removed, errorCount, warnings } = JSON.parse(first.out);
    assertEquals([status, removed, errorCount, warnings], ["succeeded", 0, 0, []]);
    assertEquals([stats.inserted, stats.updated, stats.skipped], [0, 0, 2]);
    assertEquals((await run("send.sh", ["products.csv"])).out, first.out);
    assertEquals(await countImports(office), 3);
    await write("products.csv", blocks.get("products.csv")!);
    const anew = await run("send.sh", ["products.csv"]);
    assertDone(anew);
    ok(JSON.parse(anew.out).jobId !== JSON.parse(first.out).jobId);

    await write("mixed.csv", `${blocks.get("products.csv")};Ohne Nummer;;;5,00;;\n`);
    const mixed = await run("send.sh", ["mixed.csv"]);
    assertEquals(mixed.code, 3, mixed.err);
    const refused = await Deno.readTextFile(`${folder}/mixed.csv.refused.csv`);
    match(refused, /Fehler/);
    match(refused, /Ohne Nummer/);
    ok(!refused.includes("Wasserkocher"), refused);
    await write("mended.csv", refused.replace(/(?:"")?([;,]"?Ohne Nummer)/, "4799$1"));
    assertDone(await run("send.sh", ["mended.csv", "source=erp&mode=upsert"]));
    assertEquals((await productsOf(office))["4799"], 500);

    assertDone(await run("delta.sh"));
    const after = { "4711-A": 119_900, "4712": 3_990, "4799": 500 };
    assertEquals(await productsOf(office), after);

    await write("more.csv", "Artikelnummer;Bezeichnung;VK brutto\n4713;Toaster;49,00\n");
    const merged = "source=erp&mode=upsert";
    const rehearsed = await run("send.sh", ["more.csv", `${merged}&dryRun=true`]);
    assertDone(rehearsed);
    const { dryRun, stats: planned } = JSON.parse(rehearsed.out);
    assertEquals([dryRun, planned.inserted], [true, 1]);
    assertEquals(await productsOf(office), after);
    const forced = await run("send.sh", ["more.csv", `${merged}&dryRun=true&force=true`]);
    assertDone(forced);
    ok(JSON.parse(forced.out).jobId !== JSON.parse(rehearsed.out).jobId);
    assertDone(await run("send.sh", ["more.csv", merged]));
    assertEquals(await productsOf(office), { ...after, "4713": 4_900 });
  },
});

testNeeding(without(), {
  name: "a refused or held file changes nothing, and the exit code says so",
  async fn() {
    await using office = await openOffice();
    const { run, write } = office;
    assertDone(await run("send.sh", ["products.csv"]));
    const before = await productsOf(office);
    const good = blocks.get("products.csv")!;

    await write("cut.xml", '<?xml version="1.0"?><ITEMS><ITEM><SKU>1</SKU><TITLE>Ei');
    const cut = await run("send.sh", ["cut.xml"]);
    assertEquals(cut.code, 1, cut.out);
    match(cut.out, /"malformed_xml"/);

    const rows = `${good}${"4712;Wasserkocher;;;1,00;;\n".repeat(1_000)}`;
    const packed = new Response(rows).body!.pipeThrough(new CompressionStream("gzip"));
    const gzip = await new Response(packed).bytes();
    await Deno.writeFile(`${office.folder}/cut.csv.gz`, gzip.subarray(0, gzip.length - 9));
    const cutPack = await run("send.sh", ["cut.csv.gz"]);
    assertEquals(cutPack.code, 1, cutPack.out);
    match(cutPack.out, /"bad_gzip"/);

    await write("odd.csv", good.replace("39,90", "39,9o"));
    const odd = await run("send.sh", ["odd.csv"]);
    assertDone(odd);
    const { warningCount, warnings: [warning] } = JSON.parse(odd.out);
    assertEquals([warningCount, warning.line, warning.code], [1, 3, "invalid_number"]);
    assertEquals(await productsOf(office), before);

    await write("tenfold.csv", good.replace("1.234,56", "12.345,60").replace("39,90", "399,00"));
    const held = await run("send.sh", ["tenfold.csv"]);
    assertEquals(held.code, 1, held.out);
    match(held.out, /"price_guard"/);

    const unknown = await run("send.sh", ["tenfold.csv", "source=nobody"]);
    assertEquals(unknown.code, 1);
    match(unknown.err, /There is no import source/);
    assertEquals(await productsOf(office), before);
  },
});

testNeeding(without(), {
  name: "a file whose response is lost or interrupted is still one import",
  async fn() {
    await using office = await openOffice();
    await using way = startWay(office.server.url, ["busy", "lost", "pass", "lost"]);
    assertDone(await office.run("send.sh", ["products.csv"], { KURANT: way.url }));
    assertEquals(way.requests.filter((request) => request.startsWith("POST")).length, 3);
    assertEquals(await countImports(office), 1);

    await using torn = startWay(office.server.url, ["torn"]);
    assertDone(await office.run("delta.sh", [], { KURANT: torn.url }));
    assertEquals(torn.requests.filter((request) => request.startsWith("POST")).length, 2);
    assertEquals(await countImports(office), 2);

    // A price that changes and changes back within a day is three imports.
    for (const price of ["1.199,00", "1.189,00", "1.199,00"]) {
      await office.write("changed.csv", blocks.get("changed.csv")!.replace("1.199,00", price));
      assertDone(await office.run("delta.sh"));
    }
    assertEquals((await productsOf(office))["4711-A"], 119_900);

    await office.write("products.csv", blocks.get("products.csv")!);
    await using killed = startWay(office.server.url, ["killed", "pass"]);
    assertDone(await office.run("send.sh", ["products.csv"], { KURANT: killed.url }));
    assertEquals(killed.requests.filter((request) => request.startsWith("POST")).length, 2);
    assertEquals(await countImports(office), 6);
  },
});

testNeeding(without(), {
  name: "products are sent as lines, repeated where a line fails, and each refused one is kept",
  async fn() {
    await using office = await openOffice();
    const { run, write, folder } = office;
    assertDone(await run("send.sh", ["products.csv"]));
    await using way = startWay(office.server.url, ["busy", "torn", "pass"]);
    assertDone(await run("batch.sh", [], { KURANT: way.url }));
    assertEquals(way.requests.length, 3);
    const after = { "4711-A": 118_900, "4712": 3_990, "4713": 4_990 };
    assertEquals(await productsOf(office), after);

    const many = Array.from({ length: 1_010 }, (_, n) => `{"sku":"N-${n}","title":"${n}"}\n`);
    many[1_005] = '{"sku":"4712","ourPrice":-1}\n';
    await write("many.ndjson", many.join(""));
    const mixed = await run("lines.sh", ["many.ndjson", "products/batch", "items"]);
    assertEquals(mixed.code, 3, mixed.err);
    const refused = await Deno.readTextFile(`${folder}/many.ndjson.refused.ndjson`);
    const { code, line } = JSON.parse(refused);
    assertEquals([code, line], ["validation_failed", { sku: "4712", ourPrice: -1 }]);
    const { data } = await office.caller.read("/api/public/v1/products?sku=N-1009");
    assertEquals(data.length, 1);

    await write("broken.ndjson", '{"sku":"4712","stock":5}\n{"sku":\n');
    ok((await run("lines.sh", ["broken.ndjson", "products/batch", "items"])).code !== 0);
    await write("kurant.header", "Authorization: Bearer pr_wrong\n");
    const stranger = await run("batch.sh");
    assertEquals(stranger.code, 1);
    match(stranger.err, /HTTP 401/);
  },
});

testNeeding(without(), {
  name: "a scraper's prices become proposals of a rule, are approved and go into the ERP",
  async fn() {
    await using office = await openOffice();
    const { run, write, folder } = office;
    assertDone(await run("send.sh", ["products.csv"]));
    const rule = await run("rule.sh");
    assertDone(rule);
    assertDone(await run("observe.sh"));
    await write("odd.ndjson", `${blocks.get("seen.ndjson")}{"sku":"NONE","price":1}\n`);
    const odd = await run("lines.sh", ["odd.ndjson", "observations", "observations"]);
    assertEquals(odd.code, 3, odd.err);
    match(odd.err, /^\{"code":"\w+","message":".*","line":\{"sku":"NONE","price":1\}\}$/m);
    await until("a price is approved", async () => {
      const approved = await run("approve.sh", [rule.out.trim()]);
      assertDone(approved);
      return /^[0-9a-f]{24}\tapproved$/m.test(approved.out);
    });
    assertEquals(await productsOf(office), { "4711-A": 114_900, "4712": 3_990 });
    await write("set_erp_prices", '#!/bin/sh\ncp "$1" erp.csv\n');
    assertDone(await run("prices.sh"));
    const rows = (await Deno.readTextFile(`${folder}/erp.csv`)).trim().split("\r\n");
    assertEquals(rows.length, 2);
    match(rows[0]!, /"id"$/);
    match(rows[1]!, /^"4711-A",.*"123456","114900","EUR"/);
  },
});

testNeeding(without(), {
  name: "the service's own program fetches prices and sends the catalogue, as often as it is run",
  async fn() {
    await using office = await openOffice();
    const { run, write, folder, env, caller, server } = office;
    await write("export_erp_catalogue", '#!/bin/sh\ncp all.csv "$1"\n');
    await write("set_erp_prices", '#!/bin/sh\ncat "$1" >>erp.csv\n');
    await write("all.csv", blocks.get("products.csv")!);
    const there = { KURANT_URL: env.KURANT!, KURANT_KEY: env.KEY! };
    const first = await run("cron.sh", [], there);
    assertDone(first);
    match(first.out, /succeeded: 2 new/);
    const { data: [product] } = await caller.read("/api/public/v1/products");
    await server.owner.change(`/api/products/${product.id}`, { ourPrice: 1_199 });
    await write("all.csv", blocks.get("products.csv")!.replace("1.234,56", "1.199,00"));
    for (let night = 0; night < 2; night++) assertDone(await run("cron.sh", [], there));
    const taken = await Deno.readTextFile(`${folder}/erp.csv`);
    assertEquals(taken.match(/"119900"/g)?.length, 1, taken);
    assertEquals((await productsOf(office))["4711-A"], 119_900);
  },
});

testNeeding(without(), {
  name: "a foreign file is previewed, and saved as a profile that reads the next one",
  async fn() {
    await using office = await openOffice();
    const looked = await office.run("profile.sh");
    assertDone(looked);
    match(looked.out, /^Art\.-Nr\.\tsku\t[\d.]+\t4711-A$/m);
    const sent = await office.run("send.sh", ["foreign.csv"]);
    assertDone(sent);
    assertEquals(await productsOf(office), { "4711-A": 123_456, "4714": 8_900 });
  },
});

/** More than a page of the list. */
const ARRIVALS = 201;

testNeeding(without(), {
  name: "all prices that did not arrive are named, however many",
  async fn() {
    await using office = await openOffice();
    const { run, write } = office;
    const lines = (ourPrice: number) =>
      Array.from(
        { length: ARRIVALS },
        (_, n) => JSON.stringify({ sku: `N-${n}`, title: "T", ourPrice }),
      )
        .join("\n");
    await write("set_erp_prices", "#!/bin/sh\n");
    await write("new.ndjson", lines(11));
    await write("old.ndjson", lines(10));
    assertDone(await run("send.sh", ["old.ndjson", "source=erp&mode=upsert"]));
    assertDone(await run("lines.sh", ["new.ndjson", "products/batch", "items"]));
    assertDone(await run("prices.sh"));
    await write("old.ndjson", lines(10));
    assertDone(await run("send.sh", ["old.ndjson", "source=erp&mode=upsert"]));
    const waiting = "/api/public/v1/price-arrivals?status=waiting";
    await until(
      "all are judged",
      async () => (await office.caller.read(waiting)).count === 0,
    );
    const { out, err } = await run("arrivals.sh");
    assertEquals(out.trim().split("\n").length, ARRIVALS);
    match(err, new RegExp(`^${ARRIVALS} prices did not arrive$`, "m"));
  },
});

testNeeding(without(), {
  name: "prices are sent to the ERP until it has them, and missing ones are named",
  async fn() {
    await using office = await openOffice();
    const { run, write, folder, server, caller } = office;
    assertDone(await run("send.sh", ["products.csv"]));
    const { data } = await caller.read("/api/public/v1/products?sku=4711-A");
    await server.owner.change(`/api/products/${data[0].id}`, { ourPrice: 1_199 });

    await write("set_erp_prices", '#!/bin/sh\ncp "$1" erp.csv\nexit 1\n');
    assertEquals((await run("prices.sh")).code, 1);
    const told = await Deno.readTextFile(`${folder}/erp.csv`);
    match(told, /"4711-A",.*"123456","119900","EUR"/);
    await write("set_erp_prices", '#!/bin/sh\ncp "$1" erp.csv\n');
    assertDone(await run("prices.sh"));
    assertEquals(await Deno.readTextFile(`${folder}/erp.csv`), told);
    assertDone(await run("prices.sh"));
    const nothing = await Deno.readTextFile(`${folder}/erp.csv`);
    assertEquals(nothing.trim().split("\n").length, 1, nothing);
    assertDone(await run("arrivals.sh"));

    // The file brings the old price, as if the ERP had forgotten the change.
    await write("products.csv", blocks.get("products.csv")!);
    assertDone(await run("send.sh", ["products.csv"]));
    const isMissed = async () => {
      const { data } = await caller.read("/api/public/v1/price-arrivals");
      return data.some(({ status }: { status: string }) => status === "not_arrived");
    };
    await until("a price is missed", isMissed);
    const missed = await run("arrivals.sh");
    assertEquals(missed.code, 1);
    match(missed.out, /^4711-A\tnot_arrived\t119900\t123456$/m);
    match(missed.err, /1 prices did not arrive/);

    await write("export_erp_catalogue", '#!/bin/sh\nsed "s/1.234,56/1.199,00/" all.csv >"$1"\n');
    await write("all.csv", blocks.get("products.csv")!);
    // The list of arrivals is complete some time after the import.
    await run("night.sh");
    await until("nothing is missed", async () => !await isMissed());
    assertDone(await run("night.sh"));
    assertEquals((await productsOf(office))["4711-A"], 119_900);

    // All changes are fetched again until the catalogue confirms them, so no night misses one.
    const waiting = async () => (await caller.read("/api/public/v1/price-arrivals")).count;
    await until("each price has arrived", async () => await waiting() === 0);
    await Deno.remove(`${folder}/since.txt`);
    for (let night = 0; night < extent(3, 2); night++) {
      assertDone(await run("night.sh"));
      assertEquals(await waiting(), 0);
    }

    await write("all.csv", `${blocks.get("products.csv")};Ohne Nummer;;;5,00;;\n`);
    const mixed = await run("night.sh");
    assertEquals(mixed.code, 3, mixed.err);
    match(mixed.out, /"errorCount": 1,/);
    match(mixed.err, /refused: see products\.csv\.refused\.csv$/m);
    match(await Deno.readTextFile(`${folder}/products.csv.refused.csv`), /Ohne Nummer/);
    // After refused rows, `arrivals.sh` still runs, and its exit code takes precedence.
    await write("arrivals.sh", "#!/bin/sh\ntouch arrived\nexit 1\n");
    await write("all.csv", `${blocks.get("products.csv")};Ohne Titel;;;6,00;;\n`);
    assertEquals((await run("night.sh")).code, 1);
    ok((await Deno.stat(`${folder}/arrived`)).isFile);

    await write("set_erp_prices", "#!/bin/sh\nexit 7\n");
    await Deno.remove(`${folder}/products.csv`);
    assertEquals((await run("night.sh")).code, 7);
    ok(
      !await Array.fromAsync(Deno.readDir(folder)).then((files) =>
        files.some(({ name }) => name === "products.csv")
      ),
    );
  },
});

for (
  const [language, name, missing] of [
    ["TypeScript", "webhook.ts", without()],
    ["Python", "webhook.py", without("python3")],
    ["PHP", "webhook.php", without("php")],
    ["C#", "webhook.cs", without("dotnet")],
  ] as const
) {
  testNeeding(missing, {
    name: `${language}: a receiver accepts each event of the service once, and nothing else`,
    async fn() {
      const port = freePort();
      await using office = await openOffice({
        SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
        SCRAPE_ALLOW_PORTS: String(port),
      });
      const { run, folder, env, caller } = office;
      const receiverUrl = `http://127.0.0.1:${port}/`;
      const made = await run("webhook.sh", [], { RECEIVER: receiverUrl });
      assertDone(made);
      const secret = made.out.trim();
      match(secret, /^whsec_/);
      if (name.endsWith(".cs")) {
        await office.write("build.sh", `dotnet build ${name}proj --output built\n`);
        assertDone(await run("build.sh"));
      }
      const [program, args] = commandOf(name, [], port);
      await using _receiver = startProcess(program, args, folder, {
        ...env,
        PORT: String(port),
        WEBHOOK_SECRET: secret,
      });
      await until("the receiver listens", () => isListening(port));

      assertDone(await run("send.sh", ["products.csv"]));
      await until("an event is kept", async () => (await inboxOf(folder)).length > 0);
      const files = await inboxOf(folder);
      assertEquals(files.length, 1);
      const kept = await Deno.readTextFile(`${folder}/inbox/${files[0]}`);
      assertEquals(JSON.parse(kept).type, "import.finished");
      const { data: [{ id }] } = await caller.read("/api/public/v1/webhooks");
      const deliveries = async () =>
        (await caller.read(`/api/public/v1/webhooks/${id}/deliveries`)).data;
      await until("it is delivered", async () => (await deliveries())[0].status === "delivered");
      const [{ attempts }] = await deliveries();
      assertEquals(attempts.map((attempt: { httpStatus: number }) => attempt.httpStatus), [204]);

      const send = async (seconds: number, body: string, key = secret) => {
        const eventId = "evt_again";
        const time = Math.floor(Date.now() / 1_000) + seconds;
        const signature = await sign(key, `${eventId}.${time}.${body}`);
        const answer = await fetch(receiverUrl, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            "webhook-id": eventId,
            "webhook-timestamp": String(time),
            "webhook-signature": `v1,bm90IGl0 v1,${signature}`,
          },
          body,
        });
        await answer.body?.cancel();
        return answer.status;
      };
      assertEquals(await send(0, "{}", `whsec_${btoa("another secret")}`), 401);
      assertEquals(await send(-400, "{}"), 401);
      assertEquals(await send(400, "{}"), 401);
      assertEquals((await inboxOf(folder)).length, 1);
      assertEquals(await send(0, '{"a":"ü"}'), 204);
      assertEquals(await send(1, '{"a":"ü"}'), 204);
      assertEquals((await inboxOf(folder)).length, 2);
      assertEquals(await Deno.readTextFile(`${folder}/inbox/evt_again.json`), '{"a":"ü"}');
      const bare = await fetch(receiverUrl, { method: "POST", body: "{}" });
      await bare.body?.cancel();
      assertEquals(bare.status, 401);

      const past = async () => {
        assertDone(await run("events.sh"));
        const lines = (await Deno.readTextFile(`${folder}/events.ndjson`)).trim().split("\n");
        return lines.map((line) => JSON.parse(line));
      };
      const events = await past();
      const isKept = ({ id }: { id: string }) => files.includes(`${id}.json`);
      assertEquals(events.filter(isKept).map(({ type }) => type), ["import.finished"]);
      assertEquals(await past(), events);
    },
  });
}

async function inboxOf(folder: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(`${folder}/inbox`));
    return entries.map(({ name }) => name).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** HMAC-SHA256 by Web Crypto, unlike the examples. */
async function sign(secret: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice("whsec_".length)), (one) => one.charCodeAt(0));
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, hash, false, ["sign"]);
  const made = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(made)));
}

async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

function startProcess(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): AsyncDisposable {
  const command = new Deno.Command(program, { args, cwd, env, stdout: "null", stderr: "null" });
  const child = command.spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
