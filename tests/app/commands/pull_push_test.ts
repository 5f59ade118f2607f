import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { startTestApp, type TestApp } from "../../harness.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { serveHere } from "../../local_server.ts";
import { testWith } from "../../opened.ts";
import { kurant } from "../../program.ts";
import { namesIn, temporaryFolder } from "../../temporary_folder.ts";

const SCOPES = ["products:write", "proposals:read"];

async function openOffice() {
  const app = await startTestApp({ holdsPrices: true });
  const folder = await temporaryFolder();
  const settings = { KURANT_URL: app.base, KURANT_KEY: (await app.newKey(SCOPES)).text };
  return {
    app,
    settings,
    forward({ url, headers }: Request) {
      const { pathname, search } = new URL(url);
      return fetch(app.base + pathname + search, { headers });
    },
    path: (name: string) => `${folder.path}/${name}`,
    async pushProduct(price = "10,00") {
      const file = `${folder.path}/products.csv`;
      await Deno.writeTextFile(file, `sku;title;price\nA;Anker;${price}\n`);
      await succeeds(kurantHere(["push", "catalogue", file], settings));
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const pullTo = (
  path: (name: string) => string,
) => ["pull", "prices", "--since-file", path("since"), "--to", path("prices.csv")];

async function setPrice({ owner }: TestApp, sku: string, price: number): Promise<void> {
  const { items } = await owner.read(`/api/products?sku=${sku}`);
  await owner.change(`/api/products/${items[0].id}`, { ourPrice: price });
}

const skusOf = (csv: string) =>
  csv.trim().split("\r\n").slice(1).map((line) => line.split(",")[0]?.replaceAll('"', ""));

const withOffice = testWith(openOffice);

withOffice.test("pull prices exports each change in one file, and refuses while that file is still there", async ({ app, settings, path }) => {
  await Deno.writeTextFile(path("products.csv"), "sku;title;price\nA;Anker;10,00\nB;Boje;20,00\n");
  await succeeds(
    kurant(["push", "catalogue", path("products.csv")], settings),
    /succeeded: 2 new, 0 changed, 0 as they were, 0 deleted, 0 refused/,
  );
  const pull = pullTo(path);
  const nothing = await kurantHere(pull, settings);
  assertEquals(nothing.code, 0, nothing.err);
  await Deno.remove(path("prices.csv"));

  await setPrice(app, "A", 11);
  assertEquals((await kurantHere(pull, settings)).code, 0);
  await setPrice(app, "B", 21);
  await fails(kurantHere(pull, settings), 1, /prices.csv" is still there/);
  assertEquals(skusOf(await Deno.readTextFile(path("prices.csv"))), ["A"]);
  await Deno.remove(path("prices.csv"));

  // Even if the prices are only printed, `since` advances, so the next call finds no changed price.
  const shown = await kurantHere(pull.slice(0, 4), settings);
  assertEquals(skusOf(shown.out), ["B"]);
  const none = await kurantHere([...pull, "--format", "xlsx"], settings);
  assertEquals([none.code, none.err], [0, "No price has changed\n"]);
  assertEquals(namesIn(path(".")), ["products.csv", "since", "since.lock"]);
});

withOffice.test("pull prices exports each change once, wherever it is killed", async ({ app, settings, path, pushProduct }) => {
  await pushProduct();
  const pull = pullTo(path);
  const taken: (string | undefined)[] = [];
  const take = async () => {
    if (!namesIn(path(".")).includes("prices.csv")) return;
    taken.push(...skusOf(await Deno.readTextFile(path("prices.csv"))));
    await Deno.remove(path("prices.csv"));
  };
  await kurantHere(pull, settings);
  await take();
  taken.length = 0;
  let rounds = 0;
  for (let isStopped = true; isStopped; rounds++) {
    await setPrice(app, "A", 12 + rounds);
    isStopped = await stopAt(rounds + 1, () => kurantHere(pull, settings));
    await take();
    await kurantHere(pull, settings);
    await take();
    assertEquals(taken.length, rounds + 1, `stopped before step ${rounds + 1}`);
  }
  ok(rounds > 8, `${rounds} steps`);
});

const STEPS = ["open", "rename", "remove"] as const;

/**
 * Fails the n-th call of `Deno.open`, `rename` or `remove`, and every later one, like a kill.
 * Returns false if `work` has fewer operations.
 */
async function stopAt(n: number, work: () => Promise<unknown>): Promise<boolean> {
  using restored = new DisposableStack();
  let left = n;
  for (const step of STEPS) {
    const real = Object.getOwnPropertyDescriptor(Deno, step);
    const call: unknown = real?.value;
    if (real === undefined || typeof call !== "function") throw new Error(`no Deno.${step}`);
    const value = (...args: unknown[]) => {
      if (--left <= 0) throw new Error("stopped");
      return Reflect.apply(call, Deno, args);
    };
    Object.defineProperty(Deno, step, { ...real, value });
    restored.defer(() => Object.defineProperty(Deno, step, real));
  }
  await work();
  return left <= 0;
}

withOffice.test("pull prices starts again when the connection breaks within the file", async ({ app, settings, path, forward, pushProduct }) => {
  await pushProduct();
  await setPrice(app, "A", 11);
  let asked = 0;
  await using proxy = serveHere(async (request) => {
    const answer = await forward(request);
    if (++asked > 1) return answer;
    const half = (await answer.bytes()).subarray(0, 20);
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(half),
      pull: (controller) => controller.error(new Error("broken")),
    });
    return new Response(broken, { headers: answer.headers });
  }, { onError: () => new Response(null, { status: 500 }) });
  const pull = pullTo(path);
  const pulled = await kurantHere(pull, { ...settings, KURANT_URL: proxy.url });
  assertEquals([pulled.code, asked], [0, 2], pulled.err);
  assertEquals(skusOf(await Deno.readTextFile(path("prices.csv"))), ["A"]);
});

withOffice.test("pull prices repeats a call at the date that Retry-After names", async ({ settings, path, forward }) => {
  // Without `Retry-After`, `pull prices` would repeat the call after two seconds.
  const atMs = 1_000 * Math.ceil(Date.now() / 1_000 + 2.5);
  const askedMs: number[] = [];
  await using proxy = serveHere(async (request) => {
    if (askedMs.push(Date.now()) === 1) {
      const headers = { "Retry-After": new Date(atMs).toUTCString() };
      return new Response("busy", { status: 503, headers });
    }
    return await forward(request);
  });
  const pulled = await kurantHere(pullTo(path), { ...settings, KURANT_URL: proxy.url });
  assertEquals([pulled.code, askedMs.length], [0, 2], pulled.err);
  ok(askedMs[1]! >= atMs - 5, `asked ${atMs - askedMs[1]!} ms too early`);
});

withOffice.test("push catalogue imports each written file once, and keeps refused records in a file", async ({ settings, path }) => {
  const file = path("products.csv");
  await Deno.writeTextFile(file, "sku;title;price\nA;Anker;10,00\n;Boje;20,00\n");
  const first = await kurantHere(["push", "catalogue", file], settings);
  assertEquals(first.code, 3);
  match(first.out, /1 new, .* 1 refused/);
  match(await Deno.readTextFile(`${file}.refused.csv`), /^"";"Boje";"20,00";"3";/m);
  const again = await kurantHere(["push", "catalogue", file], settings);
  assertEquals(again.out, first.out);
  const other = await kurantHere(["push", "catalogue", file, "--attempt", "2"], settings);
  match(other.out, /0 new, 0 changed, 1 as they were, 0 deleted, 1 refused/);
});

withOffice.test("push catalogue imports a price that was changed back on the same day", async ({ app, pushProduct }) => {
  for (const price of ["10,00", "11,00", "10,00"]) await pushProduct(price);
  const { items } = await app.owner.read("/api/products?sku=A");
  assertEquals(items[0].ourPrice, 1_000);
});

withOffice.test("pull and push name what is missing or refused, and change nothing", async ({ settings, path }) => {
  const pull = ["pull", "prices", "--since-file", path("since")];
  await fails(kurantHere(pull, {}), 2, /KURANT_URL and KURANT_KEY must be set/);
  const wrong = kurantHere(pull, { ...settings, KURANT_KEY: "pk_live_wrong" });
  await fails(wrong, 1, /401 invalid_api_key/);
  await Deno.writeTextFile(path("note.pdf"), "%PDF-1.4");
  const refused = await kurantHere(["push", "catalogue", path("note.pdf")], settings);
  assertEquals([refused.code, /PDF/.test(refused.err)], [1, true]);
});
