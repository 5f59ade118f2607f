/**
 * Tests with one workspace that has rows of every kind. List pages are full, and lists refuse
 * cursors of other lists. People and API keys see the same entries, and other workspaces see none.
 * A POST that creates an object records its `Idempotency-Key` in the same commit.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { KEY_SCOPE_NAMES } from "../../src/accounts/roles.ts";
import { isId } from "../../src/base/id.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { openMemoryStore } from "../memory_store.ts";
import { testWithOne } from "../opened.ts";
import { IS_LONG } from "../proof.ts";
import { addProduct } from "../rules/evaluation/market.ts";
import { watchedStore } from "../watched_store.ts";
import { bodyOf, everyItem, pagesOf, refuses, statusOf } from "./answers.ts";
import type { DocumentedOperation } from "./contract/document.ts";
import {
  asText,
  inputsOf,
  LIST_OF,
  SCENE_ENV,
  send,
  setScene,
  valuesOf,
} from "./contract/requests.ts";
import { callersOf, filled, listOperations, type Operation, UNKNOWN_ID } from "./operations.ts";

const V1 = "/api/public/v1";
const SEED = 1;
/** Number of values tried for each filter, because a single value may match every row. */
const VALUES_TRIED = 6;
const NO_FILTERS = ["limit", "cursor"];

interface List {
  readonly operation: DocumentedOperation;
  readonly caller: Caller;
}

interface Entry {
  readonly id?: string;
  readonly jobId?: string;
}

const entriesOf = ({ items, data }: { items?: Entry[]; data?: Entry[] }) => items ?? data ?? [];

const idsIn = (entries: readonly Entry[]) =>
  entries.map((one) => one.id ?? one.jobId ?? JSON.stringify(one));

const isExternal = ({ path }: Pick<Operation, "path">) => path.startsWith(V1);

const like = (one: object, other: object) =>
  Object.fromEntries(Object.entries(one).filter(([name]) => name in other));

async function openScene() {
  const memory = await openMemoryStore();
  /** States (`running`, `done`) of Idempotency-Keys, in the order in which they were stored. */
  const recorded: unknown[] = [];
  const store = watchedStore(memory, {
    setting: ([table], value) => {
      if (table === "idm") recorded.push(Object(value).state);
    },
  });
  const app = await startTestApp({ env: SCENE_ENV, store });
  const { operations, sceneNow } = await setScene(app);
  const scene = await sceneNow(new Set());
  const listOf = (operation: DocumentedOperation): List => {
    return { operation, caller: scene.callerOf(operation) };
  };
  const lists = operations.filter(({ method, path, parameters }) =>
    method === "GET" && !path.includes("{") && parameters.some(({ name }) => name === "cursor")
  ).map(listOf);
  return {
    app,
    lists,
    listOf,
    operations,
    scene,
    recorded,
    async idsNow() {
      const { ids } = await sceneNow(new Set());
      return new Map([...ids].map(([list, some]) => [list, some.filter(isId)]));
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      memory.kv.close();
    },
  };
}

type FullScene = Awaited<ReturnType<typeof openScene>>;

/** The tests must stay in this order, because each adds rows to the shared workspace. */
const onScene = testWithOne(openScene);

/**
 * Reads the list in three pages, in both orders if possible. Requires full pages, the right
 * `count`, and each entry exactly once.
 */
async function requirePages({ operation, caller }: List, all: readonly Entry[]) {
  const { path, parameters } = operation;
  const limit = Math.ceil(all.length / 3);
  const sizeOf = (_: unknown, page: number) => Math.min(limit, all.length - page * limit);
  const sizes = Array.from({ length: Math.ceil(all.length / limit) }, sizeOf);
  const paged = async (order: string) => {
    const pages = await Array.fromAsync(pagesOf(caller, `${path}?limit=${limit}${order}`));
    assertEquals(pages.map((page) => entriesOf(page).length), sizes, path);
    assertEquals(pages.map(({ count }) => count), sizes, path);
    return idsIn(pages.flatMap(entriesOf));
  };
  assertEquals(await paged(""), idsIn(all), path);
  const names = parameters.map(({ name }) => name);
  if (!names.includes("order") || names.includes("sort")) return;
  assertEquals(await paged("&order=asc"), (await paged("&order=desc")).reverse(), path);
}

/**
 * Requires that a cursor is refused in another workspace, in another list, and with another filter
 * or order.
 */
async function requireOwnCursor(
  { operation: { path, parameters, schemas }, caller }: List,
  other: string,
  stranger: Caller,
) {
  const { nextCursor } = await caller.read(`${path}?limit=1`);
  const cursor = `limit=1&cursor=${encodeURIComponent(nextCursor)}`;
  for (const foreign of [stranger.get(`${path}?${cursor}`), caller.get(`${other}?${cursor}`)]) {
    await refuses(foreign, "invalid_cursor", path);
  }
  const drawing = { schemas, bias: "anything" as const, known: () => [] };
  const taken: string[] = [];
  for (const { name, schema, in: place } of parameters) {
    if (place !== "query" || NO_FILTERS.includes(name)) continue;
    const tries = { seed: SEED, numRuns: VALUES_TRIED };
    const values = fc.sample(valuesOf(schema, drawing, name), tries);
    const codes = new Set<string>();
    for (const value of values) {
      const filter = new URLSearchParams({ [name]: asText(value).toWellFormed() });
      const { error } = await (await caller.get(`${path}?${cursor}&${filter}`)).json();
      codes.add(error?.code ?? "none");
      if (codes.has("invalid_cursor")) break;
    }
    if (!codes.has("invalid_cursor") && codes.has("none")) taken.push(name);
  }
  assertEquals(taken, [], path);
}

const inAppPath = ({ path }: Pick<Operation, "path">) => path.replace("/public/v1", "");

/** Requires that people and API keys get the same entries and documents. */
async function requireTwins(
  { operations, lists, listOf, scene: { ids } }: FullScene,
): Promise<number> {
  let compared = 0;
  for (const { operation, caller } of lists.filter(({ operation }) => isExternal(operation))) {
    const twin = lists.find(({ operation: { path } }) => path === inAppPath(operation));
    if (!twin) continue;
    const forKeys = await everyItem(caller, operation.path);
    const forPeople = await everyItem(twin.caller, twin.operation.path);
    assertEquals(forPeople.map((one, n) => like(one, forKeys[n] ?? {})), forKeys, operation.path);
    compared++;
  }
  for (const operation of operations.filter(isExternal)) {
    const [list, rest] = inAppPath(operation).split(/\/\{\w+\}/);
    const twin = operations.find(({ method, path }) => method === "GET" && path === `${list}/{id}`);
    if (operation.method !== "GET" || rest !== "" || !twin) continue;
    for (const id of ids.get(list ?? "") ?? []) {
      const at = (path: string) => path.replace(/\{\w+\}/, id);
      const { data } = await bodyOf(listOf(operation).caller.get(at(operation.path)), 200);
      assertEquals(await bodyOf(listOf(twin).caller.get(at(twin.path)), 200), data, twin.path);
      compared++;
    }
  }
  return compared;
}

async function strangersOf(app: TestApp) {
  const owner = await app.strangerOwner();
  const key = await app.strangerKey(KEY_SCOPE_NAMES);
  return (operation: Pick<Operation, "path">) => isExternal(operation) ? key : owner;
}

onScene.test("every list has full pages, cursors for itself alone, and the same entries for people and keys", async (scene) => {
  const strangerOf = await strangersOf(scene.app);
  const read = ({ operation, caller }: List) => everyItem(caller, `${operation.path}?limit=200`);
  const long: [List, Entry[]][] = [];
  // Reading price changes with an API key adds entries to another list, so read all lists once
  // first.
  for (const list of scene.lists) await read(list);
  for (const list of scene.lists) {
    const all = await read(list);
    if (all.length > 1) long.push([list, all]);
  }
  ok(long.length >= 20, `only ${long.length} of ${scene.lists.length} lists have several entries`);
  for (const [n, [list, all]] of long.entries()) {
    await requirePages(list, all);
    const { operation } = list;
    const [other] = [...long.slice(n + 1), ...long].map(([one]) => one.operation)
      .filter((one) => one.path !== operation.path && isExternal(one) === isExternal(operation));
    await requireOwnCursor(list, other?.path ?? "", strangerOf(operation));
  }
  ok(await requireTwins(scene) >= 20);
});

/** Returns existing ids for the parameters in the operation's path. */
function idsFor({ path }: Operation, ids: ReadonlyMap<string, string[]>): string[] {
  const own = inAppPath({ path }).replace("products/import", "imports").split("/{")[0];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => LIST_OF[name] ?? "");
  return [own ?? "", ...names].flatMap((list) => ids.get(list)?.slice(0, 2) ?? []);
}

onScene.test("access: the id of another workspace and a malformed one are answered exactly as an unknown id", async ({ app: other, idsNow }) => {
  const deleted = await addProduct(other.owner, "LOST");
  await other.owner.remove(`/api/products/${deleted}`);
  const { id: keyId } = await other.newKey([]);
  const foreign = await idsNow();
  const ids = [...foreign.values()].flat();
  ok(ids.length >= 30, `the other workspace has ids of ${[...foreign.keys()]}`);
  const { store, clock } = other;
  await using app = await startTestApp({ env: SCENE_ENV, store, now: clock.now });
  const callerOf = await callersOf(app);
  const operations = (await listOperations(app)).filter(({ path, credentials }) =>
    path.includes("{") && credentials.length > 0
  );
  ok(operations.length >= 100, "the documents list routes with ids");
  const [product = ""] = foreign.get("/api/products") ?? [];
  const ofOthers = [product, deleted, keyId];
  for (const [n, operation] of operations.entries()) {
    const caller = callerOf(operation);
    const body = operation.takesBody ? SOUND_BODIES[inAppPath(operation)] ?? {} : undefined;
    const ask = async (id: string) => {
      const answer = await caller.send(operation.method, filled(operation, id), body);
      const headers = [...answer.headers.keys()].filter((name) => name !== "date").sort();
      const text = (await answer.text()).replaceAll(id, "<id>").replace(/req_\w+/, "<req>");
      return { status: answer.status, headers, text };
    };
    const what = `${operation.method} ${operation.path}`;
    const unknown = await ask(UNKNOWN_ID);
    ok([404, 415].includes(unknown.status), `${what}: ${unknown.status} ${unknown.text}`);
    const asked = IS_LONG ? ofOthers : [ofOthers[n % ofOthers.length]!];
    for (const id of [...asked, ...idsFor(operation, foreign)]) {
      assertEquals(await ask(id), unknown, what);
    }
    assertEquals((await ask("malformed-id")).status, unknown.status, what);
  }
  const key = await app.key([]);
  for (const id of foreign.get("/api/products") ?? []) {
    assertEquals(await statusOf(key.get(`/api/public/v1/products/id:${id}`)), 404);
  }
  const lists = (await listOperations(app)).filter(({ method, path, credentials }) =>
    method === "GET" && !path.includes("{") && credentials.length > 0
  );
  ok(lists.length >= 50, "the documents list lists");
  // Both workspaces share the caches of one process, which could mix up their data.
  const strangerOf = await strangersOf(other);
  const words = ["Bosch", "Product B", "acme.example", "Muster Handel", "Too dear"];
  for (const operation of lists) {
    for (const caller of [callerOf(operation), strangerOf(operation)]) {
      const text = await (await caller.get(operation.path)).text();
      assertEquals([...ids, ...words].filter((one) => text.includes(one)), [], operation.path);
    }
  }
  await requireOwnProducts(other);
  assertEquals(await idsNow(), foreign);
});

/** Requires that searches and bulk changes reach only products of the own workspace. */
async function requireOwnProducts({ owner, strangerOwner }: TestApp): Promise<void> {
  const catalogueOf = () => everyItem(owner, "/api/products?limit=200");
  const catalogue = await catalogueOf();
  const stranger = await strangerOwner();
  const own = await stranger.create("/api/products", { sku: "A", title: "Own" });
  for (const [query, ...expected] of [["q=Product"], ["brand=bosch"], ["sku=A", own.id]]) {
    await owner.read(`/api/products?${query}`);
    const { items, total } = await stranger.read(`/api/products?${query}`);
    assertEquals([total, ...idsIn(items)], [expected.length, ...expected], query);
  }
  const set = { priceLocked: true };
  const bulk = { ids: catalogue.map(({ id }) => id), set };
  assertEquals((await stranger.act("/api/products/bulk", bulk)).changed, 0);
  assertEquals((await stranger.act("/api/products/bulk", { filter: {}, set })).changed, 1);
  assertEquals(await catalogueOf(), catalogue);
}

/** Bodies that are valid for any id, by path without `/public/v1`. */
const SOUND_BODIES: Record<string, unknown> = {
  "/api/users/{id}": { role: "viewer" },
  "/api/auth/passkeys/{id}": { name: "Laptop" },
  "/api/quarantine/shops/{competitorId}": { action: "drop" },
  "/api/competitors/{id}/discovery": { mode: "off" },
  "/api/competitors/{id}/recipe": { token: "none" },
  "/api/link-checks/{jobId}/accept": { outcomes: ["sure"] },
  "/api/link-checks/{jobId}/drop": { lines: [1] },
  "/api/competitors/{id}/recipe/teach": { url: "https://shop.example/p", price: "10.00" },
  "/api/products/{id}/price-history/{at}/mark": { isError: false },
  "/api/proposals/{id}/later": { until: null },
  "/api/rules/{id}/apply": { simulationId: "0".repeat(24) },
};

const TRIES_MAX = 12;

/** Repeating these POSTs is harmless, because a product has at most one unfinished scrape run. */
const REPEATABLE = ["/api/scrape-runs"];

// If the key were recorded in a later commit, a retry after a crash could act twice.
onScene.test("every POST that makes something records its Idempotency-Key in the same commit", async ({ operations, scene, recorded }) => {
  const making = operations.filter(({ method, path, responses }) =>
    method === "POST" && ("201" in responses || "202" in responses) && !REPEATABLE.includes(path)
  );
  const made = new Set<string>();
  const unrecorded = new Set<string>();
  for (const operation of making) {
    const inputs = inputsOf(operation, scene, "anything");
    for (const [at, input] of fc.sample(inputs, { seed: SEED, numRuns: TRIES_MAX }).entries()) {
      recorded.length = 0;
      const headers = { "Idempotency-Key": `${operation.path} ${at}` };
      const answer = await send(scene.callerOf(operation), operation, input, headers);
      await answer.body?.cancel();
      if (answer.status !== 201 && answer.status !== 202) continue;
      // The service records no key if the response contains a secret.
      if (!recorded.includes("running")) break;
      made.add(operation.path);
      if (!recorded.includes("done")) unrecorded.add(operation.path);
      break;
    }
  }
  assertEquals([...unrecorded], []);
  ok(made.size > 20, `only ${made.size} of ${making.length} operations made something`);
});
