/** Routes of rules and their reference lists (docs/decisions/rules.md). */
import { once } from "../base/collections.ts";
import { z } from "@hono/zod-openapi";
import { keyWith, manager, viewer, viewerOrKey } from "../accounts/roles.ts";
import { requireWorkspace } from "../accounts/workspace.ts";
import {
  listActions,
  listTriggers,
  NewRule,
  ReferenceEntry,
  type RuleDocument,
  RulePatch,
} from "../engine/pricing/rule.ts";
import { type Language, languageOf } from "../base/codes.ts";
import { custom, one, page, removed, stored } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { jsonAnswer } from "../platform/http/http.ts";
import { type Columns, fields, moments, openListTable } from "../catalogue/lists/list_file.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { codesCell, storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell, type OutgoingTable } from "../platform/tables/cell.ts";
import {
  changeRule,
  createRule,
  deleteRule,
  requireRule,
  toggleRule,
  warningsOf,
} from "./change_rule.ts";
import {
  type FoundRule,
  listRules,
  RULE_READ_ONLY,
  type RuleStanding,
  SerialisedRule,
  SingleRule,
  toRuleDocument,
} from "./rule.ts";
import { encoder, sha256Hex } from "../base/bytes.ts";
import { ruleSentence } from "../engine/wording/rule_sentence.ts";
import { createShow } from "../engine/wording/show.ts";
import { listCompetitors } from "../shops/competitor_store.ts";
import { readRuleStats, standings } from "./rule_stats_store.ts";

const LOCALES = { de: "de-DE", en: "en-GB" } as const;

async function createRuleSerialiser(workspace: WorkspaceStore) {
  const [settings, competitors] = await Promise.all([
    requireWorkspace(workspace),
    listCompetitors(workspace, null, null),
  ]);
  const names = new Map(competitors.map(({ id, displayName }) => [id, displayName]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const textContextOf = (language: "de" | "en") => ({
    language,
    show: createShow({ ...settings, locale: LOCALES[language] }, () => 0),
    nameOf,
  });
  const [german, english] = [textContextOf("de"), textContextOf("en")];
  return (rule: RuleDocument, standing: RuleStanding | null): SerialisedRule => ({
    ...rule,
    sentence: { de: ruleSentence(rule, german), en: ruleSentence(rule, english) },
    standing: rule.enabled ? standing : null,
  });
}

type Reader = WorkspaceStore & Pick<Context, "now">;

async function readRules(reader: Reader): Promise<SerialisedRule[]> {
  const [rules, serialise, counted] = await Promise.all([
    listRules(reader),
    createRuleSerialiser(reader),
    standings.list(reader),
  ]);
  const standingOf = new Map(counted.map(({ row }) => [row.ruleId, row.standing]));
  return await Promise.all(rules.map(async (rule) => {
    const stats = await readRuleStats(reader, rule.id);
    return serialise(toRuleDocument(rule, stats), standingOf.get(rule.id) ?? null);
  }));
}

/** The ETag covers statistics and warnings too, because they change without a new rule version. */
async function answerRule(reader: Reader, found: FoundRule) {
  const [stats, warnings, serialise, counted] = await Promise.all([
    readRuleStats(reader, found.rule.id),
    warningsOf(reader, found.rule),
    createRuleSerialiser(reader),
    standings.find(reader, { ruleId: found.rule.id }),
  ]);
  const document = serialise(toRuleDocument(found.rule, stats), counted?.row.standing ?? null);
  const bytes = encoder.encode(JSON.stringify({ ...document, warnings }));
  const figures = [stats, warnings, document.sentence, document.standing];
  const hash = sha256Hex(JSON.stringify(figures)).slice(0, 16);
  return { bytes, etag: `${found.versionstamp}-${hash}` };
}

const ReferenceList = z.object({ data: z.array(ReferenceEntry), count: z.int() })
  .meta({ id: "ReferenceList" });

const Toggled = z.object({ ok: z.literal(true), enabled: z.boolean() }).meta({ id: "Toggled" });

const allTriggers = once(() => wholeList(listTriggers()));
const allActions = once(() => wholeList(listActions()));

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
      ({ c }) => c.json(allTriggers()),
    )
    .get(
      "/actions",
      reference("The allowed values of `actions[].type`"),
      ({ c }) => c.json(allActions()),
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
