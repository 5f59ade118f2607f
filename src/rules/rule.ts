/**
 * Stores rules: the terms that a person wrote (`engine/pricing/rule.ts`), and fields that only the
 * service writes. Each commit that writes a rule also changes the version of the rule table. By
 * this version, the cache of compiled rules detects that it is outdated.
 */
import { z } from "@hono/zod-openapi";
import { decoder, encoder, joinedBytes, partsOf, sha256Hex } from "../base/bytes.ts";
import { keepNewest, mapValues } from "../base/collections.ts";
import { compileRules, type JudgedRule } from "../engine/pricing/compile_rule.ts";
import {
  dueSlot,
  NewRule,
  READ_ONLY_RULE_FIELDS,
  refuseRule,
  type RuleTerms,
} from "../engine/pricing/rule.ts";
import type { Actor, ClockAndIds, Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { defineTable } from "../platform/store/table.ts";
import { auditOf } from "../accounts/audit/audit.ts";
import { refuseFields, requireById } from "../base/failure.ts";
import { ignoring } from "../platform/http/http.ts";
import { requireWorkspace } from "../accounts/workspace.ts";

export interface StoredRule extends JudgedRule {
  readonly version: number;
  readonly createdBy: Actor;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

export const RULE_READ_ONLY: readonly string[] = [
  ...READ_ONLY_RULE_FIELDS,
  "sentence",
  "standing",
  "warnings",
];

const TERMS = NewRule.keyof().options;
const { scope: _scope, ...READ_TERMS } = NewRule.shape;

/**
 * Adds default values for fields that older versions of the service did not store. Other stored
 * values stay, even if they are no longer valid.
 */
export function currentRule(row: StoredRule): StoredRule {
  const read = Object.entries(READ_TERMS).map(([name, schema]) => {
    const stored = Reflect.get(row, name);
    const { success, data } = schema.safeParse(stored);
    return [name, success ? data : stored];
  });
  return { ...row, ...Object.fromEntries(read) };
}

export function termsOf(rule: RuleTerms): RuleTerms {
  return Object(Object.fromEntries(TERMS.map((name) => [name, rule[name]])));
}

/** Rules with the same hash decide alike on prices and alerts, except for their cooldowns. */
export function termsHash(rule: RuleTerms): string {
  const ignored = { name: "", description: null, enabled: true, cooldownMinutes: 0 };
  return sha256Hex(JSON.stringify({ ...termsOf(rule), ...ignored }));
}

export function rejudgeArgs(rule: StoredRule) {
  const { id: ruleId, version } = rule;
  return { by: "rule", ruleId, version, terms: termsHash(rule) } as const;
}

/** The new `updatedAt` is never earlier than the old one, even if the clock was set back. */
export function changedRule(before: StoredRule, terms: RuleTerms, now: Date): StoredRule {
  const atMs = Math.max(now.getTime(), Date.parse(before.updatedAt));
  return {
    ...before,
    ...terms,
    version: before.version + 1,
    updatedAt: new Date(atMs).toISOString(),
  };
}

const AUDIT_SKUS_MAX = 20;
const AUDIT_CHARACTERS_MAX = 12_000;

export const ruleAudit = auditOf("rule", ({ name }: StoredRule) => name, { shown: auditFields });

function auditFields(rule: StoredRule): Record<string, unknown> {
  return mapValues(termsOf(rule), shortened);
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined || text.length <= AUDIT_CHARACTERS_MAX) return value;
  const list = z.object({ mode: z.literal("sku"), list: z.array(z.string()) }).safeParse(value);
  if (!list.success) return `${text.slice(0, AUDIT_CHARACTERS_MAX).toWellFormed()}…`;
  const { mode, list: skus } = list.data;
  return { mode, list: skus.slice(0, AUDIT_SKUS_MAX), count: skus.length };
}

/** A long `scope.list` is not in `rule`, but in `parts` separate rows. */
interface KeptRule {
  readonly id: string;
  readonly rule: StoredRule;
  readonly parts: number;
}

const keptRule = {
  key: { id: "id" },
  codec: {
    encode: ({ rule, parts }: KeptRule) => ({ rule, parts }),
    decode: ({ rule, parts }: KeptRule) => ({ id: rule.id, rule: currentRule(rule), parts }),
  },
} as const;

export const ruleTable = defineTable<KeptRule, "id">({
  prefix: "r",
  about: "a rule",
  version: "rv",
  ...keptRule,
});

const deletedRules = defineTable<KeptRule, "id">({
  prefix: "rx",
  about: "a soft-deleted rule",
  ...keptRule,
});

interface ListPart {
  readonly ruleId: string;
  readonly n: number;
  readonly bytes: Uint8Array;
}

const listParts = defineTable<ListPart, "ruleId" | "n">({
  prefix: "rl",
  about: "part `n` of a list of SKUs that is too long to be stored in the rule, as JSON bytes",
  key: { ruleId: "id", n: "number" },
  value: "bytes",
});

interface ScheduleMark {
  readonly ruleId: string;
  /** Scheduled time in the workspace's time zone, such as `2026-11-20 06:00`. */
  readonly slot: string;
}

export const askedSlots = defineTable<ScheduleMark, "ruleId">({
  prefix: "rsm",
  about: "the last date and time of the rule's schedule, in the workspace's time zone, that " +
    "needs no further evaluation; deleted with its rule",
  key: { ruleId: "id" },
  value: "slot",
  check: async ({ ruleId }, workspace) =>
    await ruleTable.find(workspace, { id: ruleId })
      ? null
      : `A time of day is kept of rule ${ruleId}, which does not exist`,
});

/** Marks the latest past time of a new schedule as done, so that the rule does not run at once. */
export async function skipPastSlot(
  write: Write,
  ctx: WorkspaceStore & Pick<Context, "now">,
  before: StoredRule | null,
  after: StoredRule,
): Promise<void> {
  const { timeZone } = await requireWorkspace(ctx);
  const slotOf = (rule: StoredRule | null) =>
    rule?.enabled && rule.schedule ? dueSlot(rule.schedule, ctx.now(), timeZone) : null;
  const slot = slotOf(after);
  if (slot !== null && slot !== slotOf(before)) {
    askedSlots.put(write, ctx, { ruleId: after.id, slot });
  }
}

export interface FoundRule {
  readonly rule: StoredRule;
  readonly versionstamp: string;
}

export async function findRule(workspace: WorkspaceStore, id: string): Promise<FoundRule | null> {
  for (;;) {
    const found = await ruleTable.find(workspace, { id });
    if (found === null) return null;
    const { row, versionstamp } = found;
    const rule = await withList(workspace, row);
    if (row.parts === 0) return { rule, versionstamp };
    // If the rule changed while its list was read from separate rows, read both again.
    const again = await ruleTable.find(workspace, { id });
    if (again?.versionstamp === versionstamp) return { rule, versionstamp };
  }
}

export async function isRule(workspace: WorkspaceStore, id: string): Promise<boolean> {
  return await ruleTable.find(workspace, { id }) !== null ||
    await deletedRules.find(workspace, { id }) !== null;
}

export async function listRules(workspace: WorkspaceStore): Promise<StoredRule[]> {
  const rules: StoredRule[] = [];
  for await (const { row } of ruleTable.walk(workspace)) {
    const rule = row.parts === 0 ? row.rule : (await findRule(workspace, row.id))?.rule;
    if (rule) rules.push(rule);
  }
  return rules;
}

export async function* walkDeletedRules(workspace: WorkspaceStore): AsyncGenerator<StoredRule> {
  for await (const { row } of deletedRules.walk(workspace)) yield await withList(workspace, row);
}

async function withList(workspace: WorkspaceStore, { rule, parts }: KeptRule): Promise<StoredRule> {
  if (parts === 0 || rule.scope.mode !== "sku") return rule;
  const found = await listParts.list(workspace, { within: { ruleId: rule.id } });
  const list: string[] = JSON.parse(decoder.decode(joinedBytes(found.map(({ row }) => row.bytes))));
  return { ...rule, scope: { ...rule.scope, list } };
}

export function checkRule(write: Write, workspaceId: string, { rule, versionstamp }: FoundRule) {
  write.check(ruleTable.keyOf({ workspaceId }, { id: rule.id }), versionstamp);
}

/** If the rule exists already, the caller must add a check of its version to `write`. */
export function saveRule(
  write: Write,
  workspaceId: string,
  before: StoredRule | null,
  rule: StoredRule,
): void {
  ruleTable.put(write, { workspaceId }, keptOf(write, workspaceId, before, rule));
}

/** The caller must set `rule.deletedAt` and add a check of the rule's version to `write`. */
export function moveToDeleted(write: Write, workspaceId: string, rule: StoredRule): void {
  ruleTable.drop(write, { workspaceId }, { id: rule.id });
  deletedRules.put(write, { workspaceId }, keptOf(write, workspaceId, rule, rule));
  askedSlots.drop(write, { workspaceId }, { ruleId: rule.id });
}

function keptOf(write: Write, workspaceId: string, before: StoredRule | null, rule: StoredRule) {
  const { id, scope } = rule;
  const parts = listPartsOf(rule);
  for (const [n, bytes] of parts.entries()) {
    listParts.put(write, { workspaceId }, { ruleId: id, n, bytes });
  }
  const had = before === null ? 0 : listPartsOf(before).length;
  for (let n = parts.length; n < had; n++) {
    listParts.drop(write, { workspaceId }, { ruleId: id, n });
  }
  if (parts.length === 0 || scope.mode !== "sku") return { id, rule, parts: 0 };
  return { id, rule: { ...rule, scope: { ...scope, list: [] } }, parts: parts.length };
}

function listPartsOf({ scope }: StoredRule): Uint8Array[] {
  if (scope.mode !== "sku") return [];
  const bytes = encoder.encode(JSON.stringify(scope.list));
  return bytes.length <= 16_000 ? [] : partsOf(bytes);
}

export type RulePage = Readonly<Awaited<ReturnType<typeof readPage>>>;

export type RuleCache = ReturnType<typeof createRuleCache>;

export interface RuleSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly ruleCache: RuleCache;
}

export function createRuleCache() {
  const pages = new Map<string, RulePage>();
  return {
    async rulesOf(workspace: WorkspaceStore): Promise<RulePage> {
      const version = await ruleTable.version(workspace);
      const known = pages.get(workspace.workspaceId);
      if (known?.version === version) return known;
      const page = await readPage(workspace, version);
      keepNewest(pages, workspace.workspaceId, page, 500);
      return page;
    },
  };
}

/** Read `version` before the call, so that a later change of a rule makes the page outdated. */
async function readPage(workspace: WorkspaceStore, version: string | null) {
  const all = await listRules(workspace);
  const rules = all.filter(({ enabled }) => enabled);
  const compiled = compileRules(rules);
  return {
    version,
    compiled,
    /** All enabled rules, even in a page from `rulesFor`, whose `compiled` has only some rules. */
    all: compiled,
    byId: new Map(rules.map((rule) => [rule.id, rule])),
    ids: new Set(all.map(({ id }) => id)),
  };
}

/** Throws if `terms` are invalid; the field paths in the error begin with `place`. */
export async function requireSound(workspace: WorkspaceStore, terms: RuleTerms, place = "") {
  const refused = refuseRule(terms, await requireWorkspace(workspace));
  if (refused.length === 0) return;
  throw refuseFields(refused.map((field) => ({ ...field, path: place + field.path })));
}

export async function requireRule(workspace: WorkspaceStore, id: string): Promise<FoundRule> {
  return await requireById("rule", id, (id) => findRule(workspace, id));
}

export function draftFields(aboutRuleId: string) {
  const ruleId = z.string().nullish().describe(aboutRuleId);
  return { rule: ignoring(RULE_READ_ONLY, NewRule), ruleId };
}

export async function requireDraft(
  ctx: Context,
  { rule, ruleId }: { readonly rule: RuleTerms; readonly ruleId?: string | null | undefined },
): Promise<JudgedRule> {
  await requireSound(ctx, rule, "rule.");
  const stored = ruleId ? (await requireRule(ctx, ruleId)).rule : null;
  const { id, createdAt } = stored ?? { id: ctx.newId(), createdAt: ctx.now().toISOString() };
  return { ...rule, id, createdAt };
}
