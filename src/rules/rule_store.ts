/**
 * Keys: `r W id` → rule, `rx W id` → a soft-deleted one; `rl W id n` → part `n` of a list of SKUs
 * that is too long to stand in the rule, as JSON bytes; `rv W` → empty, its versionstamp is the
 * version of the set of rules: every commit that writes a rule sets it.
 */
import { Buffer } from "node:buffer";
import { idBytes } from "../base/id.ts";
import { lastIdOf } from "../platform/store/id_keys.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { currentRule, type StoredRule } from "./rule.ts";

const EMPTY = new Uint8Array();
const PART_BYTES = 60_000;
/** Above this much JSON a list of SKUs moves into parts; the rest of a rule is far from 64 KiB. */
const INLINE_BYTES_MAX = 16_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const activeKey = (workspaceId: string, id: string) => ["r", idBytes(workspaceId), idBytes(id)];
const deletedKey = (workspaceId: string, id: string) => ["rx", idBytes(workspaceId), idBytes(id)];
const partsPrefix = (workspaceId: string, id: string) => [
  "rl",
  idBytes(workspaceId),
  idBytes(id),
];
const setKey = (workspaceId: string) => ["rv", idBytes(workspaceId)];

/** As stored; `parts` says how many rows hold the SKUs that `scope.list` lacks then. */
interface RuleRow {
  readonly rule: StoredRule;
  readonly parts: number;
}

export interface FoundRule {
  readonly rule: StoredRule;
  readonly versionstamp: string;
}

/** Null for an unknown id, a soft-deleted rule and another workspace's alike. */
export async function findRule(
  workspace: WorkspaceStore,
  id: string,
): Promise<FoundRule | null> {
  const { store, workspaceId } = workspace;
  for (;;) {
    const { value, versionstamp } = await store.kv.get<RuleRow>(activeKey(workspaceId, id));
    if (value === null) return null;
    const rule = await withList(workspace, value);
    if (value.parts === 0) return { rule, versionstamp };
    // The parts are other rows: they are those of this rule if it has not changed meanwhile.
    const again = await store.kv.get(activeKey(workspaceId, id));
    if (again.versionstamp === versionstamp) return { rule, versionstamp };
  }
}

/** A soft-deleted rule, for the names on what it left. */
export async function findDeletedRule(
  workspace: WorkspaceStore,
  id: string,
): Promise<StoredRule | null> {
  const { store, workspaceId } = workspace;
  const { value } = await store.kv.get<RuleRow>(deletedKey(workspaceId, id));
  return value && await withList(workspace, value);
}

/** Every rule that is not deleted, in the order of creation. */
export async function listRules(workspace: WorkspaceStore): Promise<FoundRule[]> {
  const { store, workspaceId } = workspace;
  const prefix = ["r", idBytes(workspaceId)];
  const found: FoundRule[] = [];
  const rows = store.kv.list<RuleRow>({ prefix }, { batchSize: 500 });
  for await (const { key, value, versionstamp } of rows) {
    const whole = value.parts === 0
      ? { rule: currentRule(value.rule), versionstamp }
      : await findRule(workspace, lastIdOf(key));
    if (whole) found.push(whole);
  }
  return found;
}

/** Every soft-deleted rule, in the order of creation: for copies of a workspace. */
export async function* walkDeletedRules(workspace: WorkspaceStore): AsyncGenerator<StoredRule> {
  const prefix = ["rx", idBytes(workspace.workspaceId)];
  const rows = workspace.store.kv.list<RuleRow>({ prefix }, { batchSize: 500 });
  for await (const { value } of rows) yield await withList(workspace, value);
}

async function withList({ store, workspaceId }: WorkspaceStore, row: RuleRow) {
  const { parts } = row;
  const rule = currentRule(row.rule);
  if (parts === 0 || rule.scope.mode !== "sku") return rule;
  const prefix = partsPrefix(workspaceId, rule.id);
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>({ prefix }));
  const bytes = Buffer.concat(rows.map(({ value }) => value));
  const list: string[] = JSON.parse(decoder.decode(bytes));
  return { ...rule, scope: { ...rule.scope, list } };
}

/** Changes with every commit that writes a rule; null before the first one. */
export async function findRuleSetVersion(
  { store, workspaceId }: WorkspaceStore,
): Promise<string | null> {
  return (await store.kv.get(setKey(workspaceId))).versionstamp;
}

/** The commit fails when the rule is no longer the one that was found. */
export function checkRule(write: Write, workspaceId: string, { rule, versionstamp }: FoundRule) {
  write.check(activeKey(workspaceId, rule.id), versionstamp);
}

/** Writes a rule that is not deleted; `before` is what it was, null when it is new. Checks nothing. */
export function saveRule(
  write: Write,
  workspaceId: string,
  before: StoredRule | null,
  rule: StoredRule,
): void {
  write.set(activeKey(workspaceId, rule.id), rowOf(write, workspaceId, before, rule));
  write.set(setKey(workspaceId), EMPTY);
}

/** Moves a rule to the deleted ones; `rule` has its `deletedAt`. Checks nothing. */
export function moveToDeleted(write: Write, workspaceId: string, rule: StoredRule): void {
  write.delete(activeKey(workspaceId, rule.id));
  write.set(deletedKey(workspaceId, rule.id), rowOf(write, workspaceId, rule, rule));
  write.set(setKey(workspaceId), EMPTY);
}

/**
 * The row of a rule. A long list of SKUs is stored in rows of its own; the rows of an older list
 * are removed.
 */
function rowOf(
  write: Write,
  workspaceId: string,
  before: StoredRule | null,
  rule: StoredRule,
): RuleRow {
  const parts = partsOf(rule);
  const prefix = partsPrefix(workspaceId, rule.id);
  for (const [n, part] of parts.entries()) write.set([...prefix, n], part);
  const had = before === null ? 0 : partsOf(before).length;
  for (let n = parts.length; n < had; n++) write.delete([...prefix, n]);
  if (parts.length === 0 || rule.scope.mode !== "sku") return { rule, parts: 0 };
  return { rule: { ...rule, scope: { ...rule.scope, list: [] } }, parts: parts.length };
}

function partsOf({ scope }: StoredRule): Uint8Array[] {
  if (scope.mode !== "sku") return [];
  const bytes = encoder.encode(JSON.stringify(scope.list));
  if (bytes.length <= INLINE_BYTES_MAX) return [];
  return Array.from(
    { length: Math.ceil(bytes.length / PART_BYTES) },
    (_, n) => bytes.slice(n * PART_BYTES, (n + 1) * PART_BYTES),
  );
}

/** The commit fails when any rule was written since the version of the set was read. */
export function checkRuleSet(write: Write, workspaceId: string, version: string | null): void {
  write.check(setKey(workspaceId), version);
}
