/**
 * Generates values that a schema allows, including its limits, and broken copies that the schema
 * refuses. Prepares a workspace with rows of every kind, and callers who may call each operation.
 */
import fc from "fast-check";
import { addPerson, login, PASSWORD } from "../../accounts/people.ts";
import { type Caller, callerWithKey, cookieOf, createCaller } from "../../caller.ts";
import {
  type DocumentedOperation,
  documentedOperations,
  jsonBodyOf,
  resolved,
  type Schema,
  type Schemas,
} from "./document.ts";
import { errorsOf, isOfType } from "./errors.ts";
import { KEY_SCOPE_NAMES, type Role } from "../../../src/accounts/roles.ts";
import { memoize } from "../../../src/base/collections.ts";
import type { TestApp } from "../../harness.ts";
import { importXml } from "../../imports/import_calls.ts";
import { fillWorkspace } from "../../app/workspace_files/full_workspace.ts";
import { bodyOf } from "../answers.ts";

export interface Input {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export const LIST_OF: Readonly<Record<string, string>> = {
  productId: "/api/products",
  productIds: "/api/products",
  sampleProductIds: "/api/products",
  competitorId: "/api/competitors",
  competitorIds: "/api/competitors",
  competitorProductId: "/api/competitor-products",
  ruleId: "/api/rules",
  jobId: "/api/imports",
  runId: "/api/scrape-runs",
  profile: "/api/import-profiles",
};

/** Realistic values by field name, such as SKUs of existing products. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  sku: ["A", "B/ü", "MANY-1"],
  idOrSku: ["A", "sku:B/ü"],
  domain: ["shop-1.example", "shop-2.example", "shop-3.example:8443"],
  currency: ["EUR", "CHF"],
  country: ["DE"],
  timeZone: ["Europe/Berlin"],
  locale: ["de-DE"],
  email: ["ida@shop.example"],
  url: ["http://127.0.0.1:9/p/1", "http://127.0.0.1:9/p/2"],
  password: [PASSWORD],
  newPassword: [PASSWORD],
  currentPassword: [PASSWORD],
  ean: ["4006381333931"],
  resource: ["product"],
};

export function inputsOf(
  operation: DocumentedOperation,
  { ids }: Scene,
  bias: Bias,
): fc.Arbitrary<Input> {
  const { parameters, schemas, path } = operation;
  const own = path.replace("/public/v1", "").split("/{")[0] ?? "";
  const known = (name: string) =>
    WORDS[name] ??
      ids.get(LIST_OF[name] ?? (/^ids?$/.test(name) ? own.replace("/bulk", "") : "")) ?? [];
  const drawing = { schemas, bias, known };
  const valuesIn = (place: string) => {
    const some = parameters.filter((one) => one.in === place);
    const required = some.filter((one) => one.required).map(({ name }) => name);
    const isFit = (value: unknown) => place !== "path" || !["", ".", ".."].includes(asText(value));
    const values = some.map(({ name, schema }) =>
      [name, valuesOf(schema, drawing, name).filter(isFit)] as const
    );
    return fieldsOf(values, required);
  };
  const body = jsonBodyOf(operation);
  return fc.record({
    path: valuesIn("path"),
    query: valuesIn("query"),
    body: body ? valuesOf(body, drawing) : fc.constant(undefined),
  });
}

export function send(
  caller: Caller,
  { method, path, body }: DocumentedOperation,
  input: Input,
  headers: Readonly<Record<string, string>> = {},
) {
  const sent = (value: unknown) => asText(value).toWellFormed();
  const partOf = (_: string, name: string) => encodeURIComponent(sent(input.path[name] ?? "x"));
  const filled = path.replaceAll(/\{(\w+)\}/g, partOf);
  const query = new URLSearchParams(
    Object.entries(input.query).map(([name, value]) => [name, sent(value)]),
  );
  const target = query.size > 0 ? `${filled}?${query}` : filled;
  if (body === null || "application/json" in body) {
    const json = JSON.stringify(input.body);
    return caller.send(method, target, json, { ...headers, "Content-Type": "application/json" });
  }
  const file = "<ITEMS><ITEM><SKU>A</SKU><TITLE>Kabel</TITLE></ITEM></ITEMS>";
  return caller.send(method, target, file, { ...headers, "Content-Type": "application/xml" });
}

/** Maximum length of random texts, unless the schema requires longer texts. */
const LENGTH_MAX = 12;
/** With `edges`, the longest texts have `maxLength` characters, but at most this many. */
const BOUND_MAX = 1_100;

/** `edges` prefers the shortest, longest, smallest and largest allowed values. */
export type Bias = "anything" | "edges";

/** Addresses on this machine at which no server listens. */
const URLS = ["http://127.0.0.1:9/p/1", "http://127.0.0.1:9/p/2?x=1", "http://127.0.0.1:9"];

interface Drawing {
  readonly schemas: Schemas;
  readonly bias: Bias;
  /** Values that are meaningful to the service, such as existing ids for fields that name an id. */
  known(name: string): readonly string[];
}

export function valuesOf(given: Schema, drawing: Drawing, name = ""): fc.Arbitrary<unknown> {
  const schema = resolved(given, drawing.schemas);
  const drawn = drawnFrom(schema, drawing, name);
  const { example } = schema;
  if (example === undefined || drawing.bias === "edges") return drawn;
  return fc.oneof({ arbitrary: fc.constant(example), weight: 1 }, { arbitrary: drawn, weight: 2 });
}

function drawnFrom(schema: Schema, drawing: Drawing, name: string): fc.Arbitrary<unknown> {
  const deeper = (inner: Schema, field = name) => valuesOf(inner, drawing, field);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((inner) => deeper(inner)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());
  return fc.oneof(...types.map((type) => ofType(type, schema, { drawing, deeper, name })));
}

interface Place {
  readonly drawing: Drawing;
  readonly name: string;
  deeper(inner: Schema, field?: string): fc.Arbitrary<unknown>;
}

function ofType(
  type: string,
  schema: Schema,
  { drawing, deeper, name }: Place,
): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return numbers(schema, drawing.bias, true);
    case "number":
      return numbers(schema, drawing.bias, false);
    case "string":
      return texts(schema, drawing, name);
    case "array": {
      const { minItems = 0, maxItems = 3 } = schema;
      const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) };
      const items = deeper(schema.items ?? {});
      return schema.uniqueItems ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
    }
    default:
      return objects(schema, deeper);
  }
}

function numbers(schema: Schema, bias: Bias, isWhole: boolean): fc.Arbitrary<number> {
  const step = isWhole ? 1 : 0.01;
  const min = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + step;
  const max = schema.maximum ?? (schema.exclusiveMaximum ?? min + 1_000 + step) - step;
  if (bias === "edges") return fc.constantFrom(min, max);
  if (isWhole) return fc.integer({ min, max: Math.min(max, min + 1_000_000) });
  const bounds = { min: Math.ceil(min * 100), max: Math.floor(Math.min(max, 1e6) * 100) };
  return fc.integer(bounds).map((cents) => cents / 100);
}

function texts(schema: Schema, { bias, known }: Drawing, name: string): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength } = schema;
  switch (format) {
    case "date-time":
      return fc.constantFrom("2026-03-01T08:30:00Z", "2026-03-02T09:00:00.000Z");
    case "date":
      return fc.constantFrom("2026-03-01", "2024-02-29");
    case "email": {
      const persons = fc.nat(999).map((n) => `person-${n}@shop.example`);
      const meant = known(name);
      return meant.length === 0 ? persons : fc.oneof(fc.constantFrom(...meant), persons);
    }
    case "uri":
      return fc.constantFrom(...URLS);
  }
  const fitting = pattern === undefined ? null : fittingTexts(pattern);
  const meant = known(name).filter((text) => fitting?.form.test(text) ?? true);
  const drawn = fitting?.texts ?? plainTexts(bias, minLength, maxLength);
  if (meant.length === 0) return drawn;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...meant), weight: 3 },
    { arbitrary: drawn, weight: 1 },
  );
}

/** Patterns are parsed once, because parsing one takes longer than a request. */
const fittingTexts = memoize((pattern) => {
  const form = new RegExp(pattern, "u");
  return { form, texts: fc.stringMatching(form) };
}, Infinity);

function plainTexts(bias: Bias, minLength: number, maxLength: number | undefined) {
  const longest = Math.max(minLength, Math.min(maxLength ?? LENGTH_MAX, BOUND_MAX));
  if (bias === "edges") return fc.constantFrom("x".repeat(minLength), "x".repeat(longest));
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(longest, LENGTH_MAX)) };
  return fc.string({ ...bounds, unit: "grapheme" }).filter((text) => [...text].length <= longest);
}

function objects(
  { properties = {}, required = [], additionalProperties }: Schema,
  deeper: Place["deeper"],
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, inner]) =>
    [name, deeper(inner, name)] as const
  );
  const named = fieldsOf(fields, required);
  if (!additionalProperties) return named;
  const other = fc.string({ minLength: 1, maxLength: 5 });
  const values = deeper(additionalProperties === true ? {} : additionalProperties);
  const more = fc.dictionary(other, values, { maxKeys: 3 });
  return fc.tuple(named, more).map(([known, rest]) => ({ ...rest, ...known }));
}

/** Half of the objects have at most two optional fields; the others have any number of them. */
function fieldsOf(
  fields: readonly (readonly [name: string, values: fc.Arbitrary<unknown>])[],
  required: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const free = fields.filter(([name]) => !required.includes(name));
  const needed = fields.filter(([name]) => required.includes(name));
  const few = fc.subarray(free, { maxLength: Math.min(2, free.length) })
    .chain((some) => fc.record(Object.fromEntries([...needed, ...some])));
  return fc.oneof(few, fc.record(Object.fromEntries(fields), { requiredKeys: [...required] }));
}

const OF_EVERY_TYPE = [null, true, -1, 1.5, 10 ** 15, "", "x".repeat(5_000), [], [[]], {}, {
  x: 1,
}];

/** The names and indexes that lead to a part of a value, outermost first. */
type Path = readonly (string | number)[];

/** Copies of `value` in which one part is replaced, so that the schema refuses the copy. */
export function brokenOf(schema: Schema, schemas: Schemas, value: unknown): fc.Arbitrary<unknown> {
  // Replaces a random part and keeps invalid copies, because listing all possible errors is slow.
  return fc.tuple(fc.constantFrom(...placesOf(value)), fc.constantFrom(...OF_EVERY_TYPE))
    .map(([place, other]) => replaced(value, place, other))
    .filter((one) => errorsOf(schema, schemas, one).length > 0);
}

function placesOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Array.isArray(value)
    ? value.flatMap((one, n) => placesOf(one, [...at, n]))
    : Object.entries(value).flatMap(([name, one]) => placesOf(one, [...at, name]));
  return [at, ...inner];
}

function replaced(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  if (Array.isArray(value)) {
    return value.map((one, n) => n === first ? replaced(one, rest, other) : one);
  }
  const entries = Object.entries(Object(value));
  return Object.fromEntries(
    entries.map(([name, one]) => [name, name === first ? replaced(one, rest, other) : one]),
  );
}

/** A text that the parameter's schema refuses; null if it accepts every text. */
export function brokenText(given: Schema, schemas: Schemas): string | null {
  const schema = resolved(given, schemas);
  const takesText = schema.type === undefined || [schema.type].flat().includes("string");
  if (!takesText || schema.enum || schema.format) return "no such value";
  if (schema.pattern !== undefined || schema.minLength) return "";
  return schema.maxLength === undefined ? null : "x".repeat(schema.maxLength + 1);
}

export function asText(value: unknown): string {
  return isOfType("object", value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** The service may fetch from this machine, and from others only at port 9, which is unused. */
export const SCENE_ENV = {
  SCRAPE_ALLOW_PORTS: "9",
  SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
  RATE_LIMIT_PER_MINUTE: "1000000",
};

export interface Scene {
  readonly app: TestApp;
  callerOf(operation: DocumentedOperation): Caller;
  /** Existing ids, by the path of their list. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly succeeded: Set<string>;
}

/** Returns `sceneNow`, which reads the ids again after requests have changed the workspace. */
export async function setScene(app: TestApp) {
  await fillWorkspace(app);
  const { id: keyId, text } = await app.newKey(KEY_SCOPE_NAMES);
  const key = callerWithKey(app.base, text);
  await importXml(key, "<ITEMS><ITEM><SKU>I</SKU></ITEM></ITEMS>");
  const webhook = { url: "http://127.0.0.1:9/hook", events: ["rule.fired"] };
  await app.owner.create("/api/webhooks", webhook);
  const owner = await completeCaller(app, "owner");
  const leavers = await leaversOf(app);
  // Operations must not get these ids, because they could delete their own caller.
  const own = new Set([keyId]);
  for (const { id } of (await app.owner.read("/api/users")).items) own.add(id);
  await app.owner.create("/api/users", { email: "max@shop.example", role: "viewer" });
  const operations = await documentedOperations(app);
  const callerOf = ({ path, security }: DocumentedOperation) => {
    const leaver = leavers.get(path);
    if (leaver) return leaver;
    if (security.length === 0) return app.anyone;
    return path.startsWith("/api/public/v1/") ? key : owner;
  };
  return {
    operations,
    async sceneNow(succeeded: Set<string>): Promise<Scene> {
      return { app, callerOf, ids: await idsOf(operations, callerOf, own), succeeded };
    },
  };
}

/** A caller who is signed in with a second factor. */
async function completeCaller(app: TestApp, role: Role): Promise<Caller> {
  const start = { isComplete: true, provedAt: new Date(8.64e15) };
  return createCaller(app.base, { Cookie: await app.newSession(role, {}, start) });
}

/** Operations that end sessions get callers of their own, so that other callers stay signed in. */
async function leaversOf(app: TestApp): Promise<Map<string, Caller>> {
  const viewer = await completeCaller(app, "viewer");
  return new Map([
    ["/api/auth/logout", app.viewer],
    ["/api/auth/password", await signedInPerson(app, "eva@shop.example")],
    ["/api/auth/prove", await signedInPerson(app, "ida@shop.example")],
    ["/api/auth/sessions", viewer],
    ["/api/auth/sessions/{id}", viewer],
  ]);
}

async function signedInPerson(app: TestApp, email: string): Promise<Caller> {
  await addPerson(app, email, "viewer");
  const answer = await login(app, email);
  await bodyOf(answer, 200);
  return createCaller(app.base, { Cookie: cookieOf(answer) });
}

/** Up to five ids of each list of the in-app interface, without the ids in `own`. */
async function idsOf(
  operations: readonly DocumentedOperation[],
  callerOf: Scene["callerOf"],
  own: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const operation of operations) {
    const { method, path } = operation;
    if (method !== "GET" || /\{|public|csv|xlsx|metrics/.test(path)) continue;
    const competitorId = found.get("/api/competitors")?.at(-1);
    const query = path === "/api/competitor-products" ? `?competitorId=${competitorId}` : "";
    const answer = JSON.parse(await (await callerOf(operation).get(path + query)).text());
    const items = Array.isArray(answer) ? answer : answer.items ?? [];
    const ids = items.map((item: Record<string, string>) => item.id ?? item.jobId)
      .filter((id: string) => !own.has(id)).slice(0, 5);
    if (ids.length > 0) found.set(path, ids);
  }
  return found;
}
