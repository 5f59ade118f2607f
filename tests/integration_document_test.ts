/*
 * Runs the code blocks of docs/integration.md against a real server, with the tools for which they
 * are written. docs/integration.de.md has the same blocks.
 */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { column, statusOf, valuesOf } from "./api/answers.ts";
import { callerWithKey, createCaller } from "./caller.ts";
import { serveApp } from "./harness.ts";
import { serveHere } from "./local_server.ts";
import { testNeeding } from "./needing.ts";
import { testWith } from "./opened.ts";
import { newOwnerSession } from "./owner_session.ts";
import { until } from "./patience.ts";
import { type Finished, outputOf, startLiveServer } from "./program.ts";
import { freePort, untilListening } from "./stores.ts";
import { V8_FLAGS } from "./task_flags.ts";
import { namesIn, temporaryFolder } from "./temporary_folder.ts";

const document = await Deno.readTextFile("docs/integration.md");
const german = await Deno.readTextFile("docs/integration.de.md");
const fencesOf = (text: string) => [...text.matchAll(/^```(\S*) ?(\S*)\n([\s\S]*?)^```$/gm)];
const fences = fencesOf(document);
const blocks = new Map(fences.map(([, , name, text]) => [name!, text!]));
const CATALOGUE = blocks.get("products.csv")!;

/** Names of the code blocks that tests run; `-` is the nameless block, which creates the key. */
const RUN = `vat.sh - set-up.sh kurant.sh check.sh source.sh products.csv send.sh changed.csv
  delta.sh changed.ndjson lines.sh batch.sh foreign.csv profile.sh seen.ndjson observe.sh rule.sh
  approve.sh prices.sh arrivals.sh night.sh cron.sh webhook.sh webhook.ts webhook.py webhook.php
  webhook.cs webhook.csproj events.sh`.split(/\s+/);

const TOOLS = ["bash", "curl", "jq", "sha256sum", "flock"];
const lacking: string[] = [];
for (const tool of [...TOOLS, "python3", "php", "dotnet"]) {
  const { code } = await outputOf("sh", ["-c", `${tool} --version`]);
  if (code !== 0) lacking.push(tool);
}
const without = (...tools: string[]) => {
  const tool = lacking.find((one) => [...TOOLS, ...tools].includes(one));
  return tool === undefined ? null : `there is no ${tool}`;
};

function commandOf(name: string, args: readonly string[], port = 0): [string, string[]] {
  if (name.endsWith(".py")) return ["python3", [name, ...args]];
  if (name.endsWith(".php")) return ["php", ["-S", `127.0.0.1:${port}`, name]];
  if (name.endsWith(".cs")) return ["dotnet", [name.replace(/^(.*)\.cs$/, "built/$1.dll")]];
  if (name.endsWith(".ts")) {
    return [Deno.execPath(), ["run", "--quiet", "--no-config", "--allow-all", name, ...args]];
  }
  return ["bash", [name, ...args]];
}

const SCOPES = /--scopes (\S+)\)/.exec(blocks.get("") ?? "")?.[1]?.split(",") ?? [];

/** Creates the API key with the commands of docs/integration.md. */
async function openProgram(
  opened: AsyncDisposableStack,
  dataDir: string,
  start: (command: [string, string[]], env: Record<string, string>) => Promise<Finished>,
) {
  const server = opened.use(await startLiveServer(dataDir));
  const maker = [
    "set -euo pipefail",
    // The document's `npx … task kurant` would start four processes; this shell function starts one.
    `npx() { [ "$3 $4" = "task kurant" ]; shift 4; deno run --quiet ${V8_FLAGS} -A main.ts "$@"; }`,
    `vat() { ${blocks.get("vat.sh")} }`,
    "vat >&2",
    blocks.get("")!,
    'printf %s "$KEY"',
  ].join("\n");
  const { out: key, err } = await start(["bash", ["-c", maker]], { DATA_DIR: dataDir });
  ok(key !== "", err);
  return { server, key };
}

async function openApp(opened: AsyncDisposableStack, env: Record<string, string>) {
  const app = opened.use(await serveApp({ env, now: () => new Date() }));
  const owner = createCaller(app.base, { Cookie: await newOwnerSession(app.store) });
  await owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 });
  const { key } = await owner.create("/api/keys", { name: "ERP", scopes: SCOPES });
  return { server: { url: app.base, owner }, key };
}

async function openOffice(settings: Record<string, string> = {}, { isProgram = false } = {}) {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await temporaryFolder());
  const folder = `${home.path}/night`;
  await Deno.mkdir(folder);
  const base: Record<string, string> = { POLL_SECONDS: "0.2", NO_COLOR: "1" };
  const start = (command: [string, string[]], env: Record<string, string>, cwd = folder) =>
    outputOf(...command, { ...base, ...env }, cwd);
  const { server, key } = isProgram
    ? await openProgram(opening, `${home.path}/data`, (command, env) => start(command, env, "."))
    : await openApp(opening, settings);
  const write = (name: string, text: string) =>
    Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o700 });
  for (const [name, text] of blocks) if (name !== "") await write(name, text);
  // Code blocks of the document call an executable `kurant`.
  await Deno.mkdir(`${home.path}/bin`);
  const program = `exec deno run --quiet ${V8_FLAGS} --allow-all ${Deno.cwd()}/main.ts "$@"`;
  await write("../bin/kurant", `#!/bin/sh\n${program}\n`);
  base.PATH = `${home.path}/bin:${Deno.env.get("PATH") ?? ""}`;
  base.KURANT = server.url;
  const env: Record<string, string> = { ...base, KEY: key };
  /** Runs a file and requires its exit code to be `code`; null allows any exit code. */
  const ends = async (
    code: number | null,
    name: string,
    args: readonly string[] = [],
    more: Record<string, string> = {},
  ) => {
    const finished = await start(commandOf(name, args), { ...env, ...more });
    if (code !== null) assertEquals(finished.code, code, finished.out + finished.err);
    return finished;
  };
  /** Runs a script that must succeed, and returns its standard output. */
  const done = async (name: string, args?: readonly string[], more?: Record<string, string>) =>
    (await ends(0, name, args, more)).out;
  for (const name of ["set-up.sh", "source.sh"]) await done(name);
  const caller = callerWithKey(server.url, key);
  const opened = opening.move();
  return {
    server,
    caller,
    folder,
    env,
    done,
    ends,
    read: (name: string) => Deno.readTextFile(`${folder}/${name}`),
    write,
    async prices(): Promise<Record<string, number | null>> {
      const { data } = await caller.read("/api/public/v1/products");
      return Object.fromEntries(valuesOf(data, "sku", "ourPrice"));
    },
    countImports: async () => (await caller.read("/api/public/v1/imports")).count,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const inOffice = testWith(openOffice, without());
const inOfficeOfProgram = testWith(() => openOffice({}, { isProgram: true }), without());

/** What the proxy does with a request: forward it, or fail in one of four ways. */
type Passage = "pass" | "busy" | "lost" | "torn" | "killed";

/** Starts a proxy in front of the server; `passages` has one entry per request, in order. */
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

Deno.test("the integration guide: every block is named and run, in both languages", () => {
  assertEquals(fences.map(([, , name]) => name || "-"), RUN);
  for (const text of [document, german]) {
    assertEquals(fencesOf(text).map(([block]) => block), fences.map(([block]) => block));
    const shown = text.replaceAll(/^```.*$/gm, "");
    assertEquals(RUN.filter((name) => !shown.includes(name)), []);
  }
});

inOfficeOfProgram.test("a nightly file is imported, reported record by record, and applied once however often it is sent", async ({ done, ends, read, write, prices, countImports }) => {
  const checked = await done("check.sh");
  match(checked, /"products:write"/);
  match(checked, /"pricesIncludeVat": true,[^}]*"vatRatePct": 19/);
  const first = await done("send.sh", ["products.csv"]);
  const { jobId, status, stats, removed, errorCount, warnings } = JSON.parse(first);
  assertEquals([status, removed, errorCount, warnings], ["succeeded", 0, 0, []]);
  assertEquals([stats.inserted, stats.updated, stats.skipped], [2, 0, 0]);
  assertEquals(await prices(), { "4711-A": 123_456, "4712": 3_990 });
  assertEquals(await done("send.sh", ["products.csv"]), first);
  assertEquals(await countImports(), 1);
  await write("products.csv", CATALOGUE);
  ok(JSON.parse(await done("send.sh", ["products.csv"])).jobId !== jobId);

  await write("mixed.csv", `${CATALOGUE};Ohne Nummer;;;5,00;;\n`);
  await ends(3, "send.sh", ["mixed.csv"]);
  const refused = await read("mixed.csv.refused.csv");
  match(refused, /Fehler/);
  match(refused, /Ohne Nummer/);
  ok(!refused.includes("Wasserkocher"), refused);
  await write("mended.csv", refused.replace(/(?:"")?([;,]"?Ohne Nummer)/, "4799$1"));
  await done("send.sh", ["mended.csv", "source=erp&mode=upsert"]);
  assertEquals((await prices())["4799"], 500);

  await done("delta.sh");
  const after = { "4711-A": 119_900, "4712": 3_990, "4799": 500 };
  assertEquals(await prices(), after);

  await write("more.csv", "Artikelnummer;Bezeichnung;VK brutto\n4713;Toaster;49,00\n");
  const merged = "source=erp&mode=upsert";
  const rehearsed = JSON.parse(await done("send.sh", ["more.csv", `${merged}&dryRun=true`]));
  assertEquals([rehearsed.dryRun, rehearsed.stats.inserted], [true, 1]);
  assertEquals(await prices(), after);
  const forced = await done("send.sh", ["more.csv", `${merged}&dryRun=true&force=true`]);
  ok(JSON.parse(forced).jobId !== rehearsed.jobId);
  await done("send.sh", ["more.csv", merged]);
  assertEquals(await prices(), { ...after, "4713": 4_900 });
});

inOffice.test("a refused or held file changes nothing, and the exit code says so", async ({ done, ends, write, prices }) => {
  await done("send.sh", ["products.csv"]);
  const before = await prices();

  await write("cut.xml", '<?xml version="1.0"?><ITEMS><ITEM><SKU>1</SKU><TITLE>Ei');
  match((await ends(1, "send.sh", ["cut.xml"])).out, /"malformed_xml"/);

  const tenfold = CATALOGUE.replace("1.234,56", "12.345,60").replace("39,90", "399,00");
  await write("tenfold.csv", tenfold);
  match((await ends(1, "send.sh", ["tenfold.csv"])).out, /"price_guard"/);

  const unknown = await ends(1, "send.sh", ["tenfold.csv", "source=nobody"]);
  match(unknown.err, /There is no import source/);
  assertEquals(await prices(), before);
});

inOffice.test("a foreign file is previewed, and saved as a profile that reads the next one", async ({ done, prices }) => {
  match(await done("profile.sh"), /^Art\.-Nr\.\tsku\t[\d.]+\t4711-A$/m);
  await done("send.sh", ["foreign.csv"]);
  assertEquals(await prices(), { "4711-A": 123_456, "4714": 8_900 });
});

inOffice.test("a file whose response is lost or interrupted is still one import", async ({ server, done, write, prices, countImports }) => {
  const sentBy = async (passages: Passage[], name: string, args: readonly string[] = []) => {
    await using way = startWay(server.url, passages);
    await done(name, args, { KURANT: way.url });
    return way.requests.filter((request) => request.startsWith("POST")).length;
  };
  const passages: Passage[] = ["busy", "lost", "pass", "lost"];
  assertEquals(await sentBy(passages, "send.sh", ["products.csv"]), 3);
  assertEquals(await countImports(), 1);
  assertEquals(await sentBy(["torn"], "delta.sh"), 2);
  assertEquals(await countImports(), 2);

  // If a price changes and then changes back, `delta.sh` must still send all three files.
  for (const price of ["1.199,00", "1.189,00", "1.199,00"]) {
    await write("changed.csv", blocks.get("changed.csv")!.replace("1.199,00", price));
    await done("delta.sh");
  }
  assertEquals((await prices())["4711-A"], 119_900);

  await write("products.csv", CATALOGUE);
  assertEquals(await sentBy(["killed", "pass"], "send.sh", ["products.csv"]), 2);
  assertEquals(await countImports(), 6);
});

inOffice.test("products are sent as lines, repeated where a line fails, and each refused one is kept", async ({ server, caller, done, ends, read, write, prices }) => {
  await done("send.sh", ["products.csv"]);
  await using way = startWay(server.url, ["busy", "torn", "pass"]);
  await done("batch.sh", [], { KURANT: way.url });
  assertEquals(way.requests.length, 3);
  const after = { "4711-A": 118_900, "4712": 3_990, "4713": 4_990 };
  assertEquals(await prices(), after);

  const many = Array.from({ length: 1_010 }, (_, n) => `{"sku":"N-${n}","title":"${n}"}\n`);
  many[1_005] = '{"sku":"4712","ourPrice":-1}\n';
  await write("many.ndjson", many.join(""));
  await ends(3, "lines.sh", ["many.ndjson", "products/batch", "items"]);
  const { code, line } = JSON.parse(await read("many.ndjson.refused.ndjson"));
  assertEquals([code, line], ["validation_failed", { sku: "4712", ourPrice: -1 }]);
  const { data } = await caller.read("/api/public/v1/products?sku=N-1009");
  assertEquals(data.length, 1);

  await write("broken.ndjson", '{"sku":"4712","stock":5}\n{"sku":\n');
  const broken = await ends(null, "lines.sh", ["broken.ndjson", "products/batch", "items"]);
  ok(broken.code !== 0);
  await write("kurant.header", "Authorization: Bearer pr_wrong\n");
  match((await ends(1, "batch.sh")).err, /HTTP 401/);
});

inOffice.test("a scraper's prices become proposals of a rule, are approved and go into the ERP", async ({ done, ends, read, write, prices }) => {
  await done("send.sh", ["products.csv"]);
  const ruleId = (await done("rule.sh")).trim();
  await done("observe.sh");
  await write("odd.ndjson", `${blocks.get("seen.ndjson")}{"sku":"NONE","price":1}\n`);
  const odd = await ends(3, "lines.sh", ["odd.ndjson", "observations", "observations"]);
  match(odd.err, /^\{"code":"\w+","message":".*","line":\{"sku":"NONE","price":1\}\}$/m);
  const isApproved = async () =>
    /^[0-9a-f]{24}\tapproved$/m.test(await done("approve.sh", [ruleId]));
  await until("a price is approved", isApproved);
  assertEquals(await prices(), { "4711-A": 114_900, "4712": 3_990 });
  await write("set_erp_prices", '#!/bin/sh\ncp "$1" erp.csv\n');
  await done("prices.sh");
  const rows = (await read("erp.csv")).trim().split("\r\n");
  assertEquals(rows.length, 2);
  match(rows[0]!, /"id"$/);
  match(rows[1]!, /^"4711-A",.*"123456","114900","EUR"/);
});

inOffice.test("the service's own program fetches prices and sends the catalogue, as often as it is run", async ({ server, caller, env, done, read, write, prices }) => {
  await write("export_erp_catalogue", '#!/bin/sh\ncp all.csv "$1"\n');
  await write("set_erp_prices", '#!/bin/sh\ncat "$1" >>erp.csv\n');
  await write("all.csv", CATALOGUE);
  const there = { KURANT_URL: env.KURANT!, KURANT_KEY: env.KEY! };
  match(await done("cron.sh", [], there), /succeeded: 2 new/);
  const { data: [product] } = await caller.read("/api/public/v1/products");
  await server.owner.change(`/api/products/${product.id}`, { ourPrice: 1_199 });
  await write("all.csv", CATALOGUE.replace("1.234,56", "1.199,00"));
  for (let night = 0; night < 2; night++) await done("cron.sh", [], there);
  const taken = await read("erp.csv");
  assertEquals(taken.match(/"119900"/g)?.length, 1, taken);
  assertEquals((await prices())["4711-A"], 119_900);
});

/** More prices than fit on one page of the list. */
const ARRIVALS = 201;

inOffice.test("all prices that did not arrive are named, however many", async ({ caller, done, ends, write }) => {
  const skus = Array.from({ length: ARRIVALS }, (_, n) => `N-${n}`);
  const writeLines = (name: string, ourPrice: number) =>
    write(name, skus.map((sku) => JSON.stringify({ sku, title: "T", ourPrice })).join("\n"));
  await write("set_erp_prices", "#!/bin/sh\n");
  await writeLines("new.ndjson", 11);
  await writeLines("old.ndjson", 10);
  await done("send.sh", ["old.ndjson", "source=erp&mode=upsert"]);
  await done("lines.sh", ["new.ndjson", "products/batch", "items"]);
  await done("prices.sh");
  await writeLines("old.ndjson", 10);
  await done("send.sh", ["old.ndjson", "source=erp&mode=upsert"]);
  const waiting = "/api/public/v1/price-arrivals?status=waiting";
  await until("all are judged", async () => (await caller.read(waiting)).count === 0);
  const { out, err } = await ends(1, "arrivals.sh");
  assertEquals(out.trim().split("\n").length, ARRIVALS);
  match(err, new RegExp(`^${ARRIVALS} prices did not arrive$`, "m"));
});

inOffice.test("prices are sent to the ERP until it has them, and missing ones are named", async ({ server, caller, folder, done, ends, read, write, prices }) => {
  await done("send.sh", ["products.csv"]);
  const { data } = await caller.read("/api/public/v1/products?sku=4711-A");
  await server.owner.change(`/api/products/${data[0].id}`, { ourPrice: 1_199 });

  await write("set_erp_prices", '#!/bin/sh\ncp "$1" erp.csv\nexit 1\n');
  await ends(1, "prices.sh");
  const told = await read("erp.csv");
  match(told, /"4711-A",.*"123456","119900","EUR"/);
  await write("set_erp_prices", '#!/bin/sh\ncp "$1" erp.csv\n');
  await done("prices.sh");
  assertEquals(await read("erp.csv"), told);
  await done("prices.sh");
  const nothing = await read("erp.csv");
  assertEquals(nothing.trim().split("\n").length, 1, nothing);
  await done("arrivals.sh");

  // The ERP still sends the old price, which is in `CATALOGUE`.
  await write("products.csv", CATALOGUE);
  await done("send.sh", ["products.csv"]);
  const isMissed = async () => {
    const { data } = await caller.read("/api/public/v1/price-arrivals");
    return column(data, "status").includes("not_arrived");
  };
  await until("a price is missed", isMissed);
  const missed = await ends(1, "arrivals.sh");
  match(missed.out, /^4711-A\tnot_arrived\t119900\t123456$/m);
  match(missed.err, /1 prices did not arrive/);

  await write("export_erp_catalogue", '#!/bin/sh\nsed "s/1.234,56/1.199,00/" all.csv >"$1"\n');
  await write("all.csv", CATALOGUE);
  // `night.sh` may fail here: Kurant checks the awaited prices in the background, after the import.
  await ends(null, "night.sh");
  await until("nothing is missed", async () => !await isMissed());
  await done("night.sh");
  assertEquals((await prices())["4711-A"], 119_900);

  await write("all.csv", `${CATALOGUE};Ohne Nummer;;;5,00;;\n`);
  const mixed = await ends(3, "night.sh");
  match(mixed.out, /"errorCount": 1,/);
  match(mixed.err, /refused: see products\.csv\.refused\.csv$/m);
  match(await read("products.csv.refused.csv"), /Ohne Nummer/);
  // After refused rows, `night.sh` still runs `arrivals.sh`, whose exit code it returns.
  await write("arrivals.sh", "#!/bin/sh\ntouch arrived\nexit 1\n");
  await write("all.csv", `${CATALOGUE};Ohne Titel;;;6,00;;\n`);
  await ends(1, "night.sh");
  ok(namesIn(folder).includes("arrived"));

  await write("set_erp_prices", "#!/bin/sh\nexit 7\n");
  await Deno.remove(`${folder}/products.csv`);
  await ends(7, "night.sh");
  ok(!namesIn(folder).includes("products.csv"));
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
      const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1", SCRAPE_ALLOW_PORTS: String(port) };
      await using office = await openOffice(settings);
      const { done, read, folder, env, caller } = office;
      const receiverUrl = `http://127.0.0.1:${port}/`;
      const secret = (await done("webhook.sh", [], { RECEIVER: receiverUrl })).trim();
      match(secret, /^whsec_/);
      if (name.endsWith(".cs")) {
        await office.write("build.sh", `dotnet build ${name}proj --output built\n`);
        await done("build.sh");
      }
      const [program, args] = commandOf(name, [], port);
      await using _receiver = new Deno.Command(program, {
        args,
        cwd: folder,
        env: { ...env, PORT: String(port), WEBHOOK_SECRET: secret },
        stdout: "null",
        stderr: "null",
      }).spawn();
      await untilListening(port);

      await done("send.sh", ["products.csv"]);
      const inbox = () =>
        existsSync(`${folder}/inbox`)
          ? namesIn(`${folder}/inbox`).filter((name) => name.endsWith(".json"))
          : [];
      await until("an event is kept", () => inbox().length > 0);
      const files = inbox();
      assertEquals(files.length, 1);
      assertEquals(JSON.parse(await read(`inbox/${files[0]}`)).type, "import.finished");
      const { data: [{ id }] } = await caller.read("/api/public/v1/webhooks");
      const deliveries = async () =>
        (await caller.read(`/api/public/v1/webhooks/${id}/deliveries`)).data;
      await until("it is delivered", async () => (await deliveries())[0].status === "delivered");
      const [{ attempts }] = await deliveries();
      assertEquals(column(attempts, "httpStatus"), [204]);

      const receiver = createCaller(receiverUrl);
      const send = async (seconds: number, body: string, key = secret) => {
        const eventId = "evt_again";
        const time = Math.floor(Date.now() / 1_000) + seconds;
        const signature = await sign(key, `${eventId}.${time}.${body}`);
        const headers = {
          "Content-Type": "application/json",
          "webhook-id": eventId,
          "webhook-timestamp": String(time),
          "webhook-signature": `v1,bm90IGl0 v1,${signature}`,
        };
        return await statusOf(receiver.post("", body, headers));
      };
      assertEquals(await send(0, "{}", `whsec_${btoa("another secret")}`), 401);
      for (const seconds of [-400, 400]) assertEquals(await send(seconds, "{}"), 401);
      assertEquals(inbox().length, 1);
      assertEquals(await send(0, '{"a":"ü"}'), 204);
      assertEquals(await send(1, '{"a":"ü"}'), 204);
      assertEquals(inbox().length, 2);
      assertEquals(await read("inbox/evt_again.json"), '{"a":"ü"}');
      assertEquals(await statusOf(receiver.post("", "{}")), 401);

      const past = async () => {
        await done("events.sh");
        const lines = (await read("events.ndjson")).trim().split("\n");
        return lines.map((line) => JSON.parse(line));
      };
      const events = await past();
      const isKept = ({ id }: { id: string }) => files.includes(`${id}.json`);
      assertEquals(events.filter(isKept).map(({ type }) => type), ["import.finished"]);
      assertEquals(await past(), events);
    },
  });
}

/** Signs with Web Crypto, which none of the document's examples uses. */
async function sign(secret: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice("whsec_".length)), (one) => one.charCodeAt(0));
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, hash, false, ["sign"]);
  const made = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(made)));
}
