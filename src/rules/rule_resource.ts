/**
 * Routes of rules, triggers and actions (docs/decisions/rules.md), and the functions that change
 * rules. Each change of a rule is one commit with an audit row.
 */
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer, viewerOrKey } from "../accounts/roles.ts";
import { requireWorkspace } from "../accounts/workspace.ts";
import {
  listActions,
  listTriggers,
  NewRule,
  ReferenceEntry,
  RuleAnswer,
  RulePatch,
  type RuleTerms,
} from "../engine/pricing/rule.ts";
import { type Language, languageOf } from "../base/codes.ts";
import { custom, one, page, removed, stored } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { jsonAnswer, requireVersion } from "../platform/http/http.ts";
import { type Columns, fields, moments, openListTable } from "../catalogue/lists/list_file.ts";
import { priceSourceOf } from "../engine/pricing/actions.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { codesCell, storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell, type OutgoingTable } from "../platform/tables/cell.ts";
import {
  changedRule,
  checkRule,
  type FoundRule,
  listRules,
  moveToDeleted,
  rejudgeArgs,
  requireRule,
  requireSound,
  RULE_READ_ONLY,
  ruleAudit,
  saveRule,
  skipPastSlot,
  type StoredRule,
  termsHash,
  termsOf,
} from "./rule.ts";
import { encoder, sha256Hex } from "../base/bytes.ts";
import { ruleSentence } from "../engine/wording/rule_sentence.ts";
import { createShow } from "../engine/wording/show.ts";
import { listCompetitors } from "../shops/competitor_store.ts";
import { readRuleStats, RuleStanding, standings } from "./evaluation/rule_stats.ts";
import type { AuditAction } from "../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { findIndexRows } from "../catalogue/products/index_row_store.ts";
import { transact, transactVersioned, type Write } from "../platform/store/kv.ts";
import { rejudge } from "../platform/events/outbox_store.ts";

export const RuleWarning = z.object({
  path: z.string().meta({ description: "Path of the field in the rule", example: "scope.list" }),
  value: z.string().describe("The value of the field"),
  message: z.string(),
}).meta({ id: "RuleWarning" });

export type RuleWarning = z.infer<typeof RuleWarning>;

const Sentence = z.object({ de: z.string(), en: z.string() }).meta({
  id: "RuleSentence",
  description: "The rule as sentences, with every field that differs from its default",
});

export const SerialisedRule = RuleAnswer.extend({
  sentence: Sentence,
  standing: RuleStanding.nullable().describe(
    "Numbers of products whose price the rule sets, and where other rules precede it; null while " +
      "the rule is disabled, and until they are counted",
  ),
}).meta({ id: "Rule" });

export type SerialisedRule = Readonly<z.infer<typeof SerialisedRule>>;

export const SingleRule = SerialisedRule.extend({
  warnings: z.array(RuleWarning).describe("SKUs in `scope.list` that have no product"),
}).meta({ id: "SingleRule" });

const LOCALES = { de: "de-DE", en: "en-GB" } as const;

type Reader = WorkspaceStore & Pick<Context, "now">;

async function createRuleSerialiser(reader: Reader) {
  const [settings, competitors, counted] = await Promise.all([
    requireWorkspace(reader),
    listCompetitors(reader, null, null),
    standings.list(reader),
  ]);
  const standingOf = new Map(counted.map(({ row }) => [row.ruleId, row.standing]));
  const names = new Map(competitors.map(({ id, displayName }) => [id, displayName]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const textContextOf = (language: "de" | "en") => ({
    language,
    show: createShow({ ...settings, locale: LOCALES[language] }, () => 0),
    nameOf,
  });
  const [german, english] = [textContextOf("de"), textContextOf("en")];
  return async (rule: StoredRule): Promise<SerialisedRule> => {
    const { id, version, createdBy, createdAt, updatedAt, deletedAt, enabled } = rule;
    return {
      ...{ id, ...termsOf(rule), version, createdBy, createdAt, updatedAt, deletedAt },
      stats: await readRuleStats(reader, id),
      sentence: { de: ruleSentence(rule, german), en: ruleSentence(rule, english) },
      standing: enabled ? standingOf.get(id) ?? null : null,
    };
  };
}

async function readRules(reader: Reader): Promise<SerialisedRule[]> {
  const [rules, serialise] = await Promise.all([listRules(reader), createRuleSerialiser(reader)]);
  return await Promise.all(rules.map(serialise));
}

/** The ETag also covers statistics and warnings, which change without a new version of the rule. */
async function answerRule(reader: Reader, { rule, versionstamp }: FoundRule) {
  const [warnings, serialise] = await Promise.all([
    warningsOf(reader, rule),
    createRuleSerialiser(reader),
  ]);
  const document = await serialise(rule);
  const bytes = encoder.encode(JSON.stringify({ ...document, warnings }));
  const figures = [document.stats, warnings, document.sentence, document.standing];
  const hash = sha256Hex(JSON.stringify(figures)).slice(0, 16);
  return { bytes, etag: `${versionstamp}-${hash}` };
}

const ReferenceList = z.object({ data: z.array(ReferenceEntry), count: z.int() })
  .meta({ id: "ReferenceList" });

const Toggled = z.object({ ok: z.literal(true), enabled: z.boolean() }).meta({ id: "Toggled" });

function wholeList(data: ReferenceEntry[]) {
  return { data, count: data.length };
}

const reference = (words: string) => ({
  callers: { people: viewerOrKey, keys: viewerOrKey },
  answer: custom({ 200: jsonAnswer(ReferenceList, words) }),
});

const rule = (words: string) => stored(SingleRule, words, { external: "SingleRuleData" });

const reading = { people: viewer, keys: keyWith("rules:read") };

/** Routes with fixed paths must be registered before the route `/{id}`. */
export function ruleRoutes() {
  return ruleLists()
    .read({ callers: reading, answer: rule("The rule") }, async ({ ctx, id }) => {
      return await answerRule(ctx, await requireRule(ctx, id));
    })
    .change({
      sensitive: true,
      body: RulePatch,
      answer: rule("The rule after the change"),
    }, async ({ ctx, id, body, expected }) => {
      return await answerRule(ctx, await changeRule(ctx, id, body, expected));
    })
    .remove({
      answer: removed("Soft-deleted; its open proposals are closed"),
    }, ({ ctx, id, expected }) => deleteRule(ctx, id, expected))
    .post("/{id}/toggle", {
      sensitive: true,
      answer: one(Toggled, "The current state of the rule"),
    }, async ({ ctx, id }) => ({ ok: true as const, enabled: await toggleRule(ctx, id) })).routes;
}

function ruleLists() {
  return resource("/rules", {
    read: { people: viewer },
    change: { people: manager, keys: keyWith("rules:write") },
    readOnly: RULE_READ_ONLY,
  })
    .get(
      "/triggers",
      reference("The allowed values of `when.trigger`"),
      ({ c }) => c.json(wholeList(listTriggers())),
    )
    .get(
      "/actions",
      reference("The allowed values of `actions[].type`"),
      ({ c }) => c.json(wholeList(listActions())),
    )
    .create({
      sensitive: setsPrices,
      body: NewRule,
      answer: rule("The new rule"),
    }, async ({ ctx, body }) => {
      const made = await createRule(ctx, body);
      return { id: made.rule.id, ...await answerRule(ctx, made) };
    })
    .list({
      answer: one(z.array(SerialisedRule), "All rules, in the order of creation"),
    }, ({ ctx }) => readRules(ctx))
    .files("", {
      words: "All rules by priority, with their sentences in the language of the workspace",
      open: openRuleTable,
    })
    .list({
      callers: { keys: reading.keys },
      answer: page(
        SerialisedRule,
        "All rules, in the order of creation; `nextCursor` is always null",
        { external: "RuleData" },
      ),
    }, async ({ ctx }) => {
      const items = await readRules(ctx);
      return { items, nextCursor: null, count: items.length };
    });
}

function setsPrices(body: unknown): boolean {
  const sent = z.object({ actions: z.array(z.object({ type: z.string() })) }).safeParse(body);
  return sent.success && sent.data.actions.some(({ type }) => type === "auto_apply_if_safe");
}

async function openRuleTable(ctx: Context): Promise<OutgoingTable> {
  const { locale } = await requireWorkspace(ctx);
  const items = (await readRules(ctx)).toSorted((a, b) => a.priority - b.priority);
  const whole = { items, nextCursor: null, count: items.length };
  return await openListTable("rules", columnsIn(languageOf(locale)), () => Promise.resolve(whole));
}

function columnsIn(language: Language): Columns<SerialisedRule> {
  return {
    ...fields("priority", "name", "enabled"),
    sentence: ({ sentence }) => ({
      plain: sentence[language],
      textIn: (wanted) => sentence[wanted],
    }),
    description: ({ description }) => description,
    trigger: ({ when }) => storedCodeCell("triggers", when.trigger),
    actions: ({ actions }) => codesCell("actions", actions.map(({ type }) => type)),
    cooldownMinutes: ({ cooldownMinutes }) => cooldownMinutes,
    fires30d: ({ stats }) => stats.fires30d,
    lastFiredAt: ({ stats }) => momentCell(stats.lastFiredAt),
    createdBy: ({ createdBy }) => createdBy.name,
    ...moments("createdAt", "updatedAt"),
    id: ({ id }) => id,
  };
}

async function changeRule(
  ctx: Context,
  id: string,
  patch: RulePatch,
  expected: string | null,
): Promise<FoundRule> {
  const { value, versionstamp } = await transactVersioned(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    requireVersion(expected, found.versionstamp);
    const terms = { ...termsOf(found.rule), ...patch };
    if (JSON.stringify(terms) === JSON.stringify(termsOf(found.rule))) return found;
    await requireSound(ctx, terms);
    const rule = changedRule(found.rule, terms, ctx.now());
    await writeRule(write, ctx, found, rule, "rule.update");
    return { ...found, rule };
  });
  return { ...value, versionstamp: versionstamp ?? value.versionstamp };
}

export async function toggleRule(ctx: Context, id: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    const enabled = !found.rule.enabled;
    const rule = changedRule(found.rule, { ...termsOf(found.rule), enabled }, ctx.now());
    await writeRule(write, ctx, found, rule, "rule.toggle");
    ctx.receipt?.put(write, null);
    return enabled;
  });
}

async function writeRule(
  write: Write,
  ctx: Context,
  found: FoundRule | null,
  rule: StoredRule,
  action: AuditAction<"rule">,
): Promise<void> {
  const before = found && found.rule;
  if (found) checkRule(write, ctx.workspaceId, found);
  saveRule(write, ctx.workspaceId, before, rule);
  addAuditRow(write, ctx, ruleAudit(action, before, rule));
  rejudgeScope(write, ctx, before, rule);
  await skipPastSlot(write, ctx, before, rule);
}

export async function createRule(ctx: Context, terms: RuleTerms): Promise<FoundRule> {
  await requireSound(ctx, terms);
  const createdAt = ctx.now().toISOString();
  const rule: StoredRule = {
    ...terms,
    id: ctx.newId(),
    version: 1,
    createdBy: ctx.actor,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  };
  const { versionstamp } = await transactVersioned(ctx, async (write) => {
    await writeRule(write, ctx, null, rule, "rule.create");
    ctx.receipt?.put(write, `/api/rules/${rule.id}`);
  });
  if (versionstamp === null) throw new Error("A new rule was not committed");
  return { rule, versionstamp };
}

async function warningsOf(workspace: WorkspaceStore, { scope }: Pick<RuleTerms, "scope">) {
  if (scope.mode !== "sku") return [];
  const indexRows = await findIndexRows(workspace, scope.list);
  return scope.list.flatMap((sku) => {
    const indexRow = indexRows.get(sku);
    if (indexRow && !indexRow.isDeleted) return [];
    const message = indexRow ? "The product with this SKU is deleted" : "No product has this SKU";
    return [{ path: "scope.list", value: sku, message }];
  });
}

function rejudgeScope(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "now" | "newId">,
  before: StoredRule | null,
  after: StoredRule,
): void {
  const isAsBefore = before?.enabled === true && termsHash(before) === termsHash(after);
  const isAsked = after.enabled && !isAsBefore && after.schedule?.only !== true;
  const isSwitchedOff = before?.enabled === true && !after.enabled;
  const isRescoped = before?.enabled === true &&
    JSON.stringify(before.scope) !== JSON.stringify(after.scope);
  const hasNoPriceNow = before !== null && priceSourceOf(before.actions) !== undefined &&
    priceSourceOf(after.actions) === undefined;
  const args = rejudgeArgs(after);
  if (isAsked || isSwitchedOff) rejudge(write, ctx, args);
  if (isSwitchedOff || isRescoped || hasNoPriceNow) {
    rejudge(write, ctx, { ...args, owned: ownedBy(before) });
  }
}

function ownedBy({ schedule }: StoredRule) {
  return schedule?.only === true ? "all" : "fired";
}

async function deleteRule(ctx: Context, id: string, expected: string | null): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireRule(ctx, id);
    requireVersion(expected, found.versionstamp);
    const at = ctx.now().toISOString();
    const rule = { ...found.rule, version: found.rule.version + 1, updatedAt: at, deletedAt: at };
    checkRule(write, ctx.workspaceId, found);
    moveToDeleted(write, ctx.workspaceId, rule);
    standings.drop(write, ctx, { ruleId: id });
    addAuditRow(write, ctx, ruleAudit("rule.delete", found.rule, null));
    const args = rejudgeArgs(rule);
    rejudge(write, ctx, args);
    rejudge(write, ctx, { ...args, owned: ownedBy(found.rule) });
  });
}
