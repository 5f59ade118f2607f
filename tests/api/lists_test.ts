/**
 * Every list of both documents, in a workspace with rows of every kind: its pages, whom a cursor serves, and
 * the same entries for people and keys.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { KEY_SCOPE_NAMES } from "../../src/accounts/roles.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { bodyOf, everyItem, pagesOf, refusalOf } from "./answers.ts";
import type { DocumentedOperation } from "./contract/document.ts";
import { asText, valuesOf } from "./contract/inputs.ts";
import { SCENE_ENV, setScene } from "./contract/scene.ts";

const V1 = "/api/public/v1";
const SEED = 1;
/** Some values of a filter select the same entries as no filter. */
const VALUES_TRIED = 6;
const NO_FILTERS = ["limit", "cursor", "offers", "source", "format", "dialect"];

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

/** True for a list with its own order. Otherwise `order` is the order of `sort`. */
function isOrdered(parameters: DocumentedOperation["parameters"]): boolean {
  const names = parameters.map(({ name }) => name);
  return names.includes("order") && !names.includes("sort");
}

const isExternal = ({ path }: DocumentedOperation) => path.startsWith(V1);

/** The fields of `one` that `other` also has. */
const like = (one: object, other: object) =>
  Object.fromEntries(Object.entries(one).filter(([name]) => name in other));

async function openScene() {
  const app = await startTestApp({ env: SCENE_ENV });
  const { operations, sceneNow } = await setScene(app);
  const scene = await sceneNow(new Set());
  const listOf = (operation: DocumentedOperation): List => ({
    operation,
    caller: scene.callerOf(operation),
  });
  const lists = operations.filter(({ method, path, parameters }) =>
    method === "GET" && !path.includes("{") && parameters.some(({ name }) => name === "cursor")
  ).map(listOf);
  return { app, lists, listOf, operations, ids: scene.ids };
}

/**
 * Reads the list in pages of a third, in both orders. Pages are full and counted, and have each
 * entry once.
 */
async function requirePages(
  { operation: { path, parameters }, caller }: List,
  all: readonly Entry[],
) {
  const limit = Math.ceil(all.length / 3);
  const sizes = Array.from(
    { length: Math.ceil(all.length / limit) },
    (_, n) => Math.min(limit, all.length - n * limit),
  );
  const paged = async (order: string) => {
    const pages = await Array.fromAsync(pagesOf(caller, `${path}?limit=${limit}${order}`));
    assertEquals(pages.map((page) => entriesOf(page).length), sizes, path);
    assertEquals(pages.map(({ count }) => count), sizes, path);
    return idsIn(pages.flatMap(entriesOf));
  };
  assertEquals(await paged(""), idsIn(all), path);
  if (!isOrdered(parameters)) return;
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
  const { nextCursor } = await bodyOf(caller.get(`${path}?limit=1`), 200);
  const cursor = `limit=1&cursor=${encodeURIComponent(nextCursor)}`;
  for (const foreign of [stranger.get(`${path}?${cursor}`), caller.get(`${other}?${cursor}`)]) {
    assertEquals((await refusalOf(foreign)).code, "invalid_cursor", path);
  }
  const drawing = { schemas, bias: "anything" as const, known: () => [] };
  const taken: string[] = [];
  for (const { name, schema, in: place } of parameters) {
    if (place !== "query" || NO_FILTERS.includes(name)) continue;
    if (name === "order" && !isOrdered(parameters)) continue;
    const values = fc.sample(valuesOf(schema, drawing, name), {
      seed: SEED,
      numRuns: VALUES_TRIED,
    });
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

const inAppPath = ({ path }: DocumentedOperation) => path.replace("/public/v1", "");

/** Compares lists and documents that people and keys can read. */
async function requireTwins(
  { operations, lists, listOf, ids }: Awaited<ReturnType<typeof openScene>>,
): Promise<number> {
  let compared = 0;
  for (const { operation, caller } of lists.filter(({ operation }) => isExternal(operation))) {
    const twin = lists.find(({ operation: { path } }) => path === inAppPath(operation));
    if (!twin) continue;
    const forKeys = await everyItem(caller, operation.path);
    const forPeople = await everyItem(twin.caller, twin.operation.path);
    assertEquals(
      forPeople.map((one, n) => like(one, forKeys[n] ?? {})),
      forKeys,
      operation.path,
    );
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
  return (operation: DocumentedOperation) => isExternal(operation) ? key : owner;
}

Deno.test("every list has full pages, cursors for itself alone, and the same entries for people and keys", async () => {
  const scene = await openScene();
  await using app = scene.app;
  const strangerOf = await strangersOf(app);
  const read = ({ operation, caller }: List) => everyItem(caller, `${operation.path}?limit=200`);
  const long: [List, Entry[]][] = [];
  // The first reading of price changes changes the list of arrivals.
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
