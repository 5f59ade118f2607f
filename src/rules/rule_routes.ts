/** Rules and their reference lists (docs/decisions/rules.md). */

import { keyWith, listFiles, manager, viewer, viewerOrKey } from "../accounts/route_access.ts";
import { requireWorkspace } from "../accounts/workspace_store.ts";
import { listActions, listTriggers, ReferenceEntry } from "../engine/pricing/reference_list.ts";
import { NewRule, RulePatch } from "../engine/pricing/rule.ts";
import { type Language, languageOf } from "../engine/wording/show.ts";
import {
  answerDocument,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  room,
  route,
} from "../platform/http/http.ts";
import { type Columns, openListTable } from "../platform/http/list_file.ts";
import type { Context } from "../platform/store/context.ts";
import {
  codesCell,
  momentCell,
  type OutgoingTable,
  storedCodeCell,
} from "../platform/tables/cell.ts";
import { changeRule, createRule, deleteRule, toggleRule } from "./change_rule.ts";
import { answerRule, readRule, readRules } from "./read_rules.ts";
import { RULE_READ_ONLY, SingleRule, ToldRule } from "./rule.ts";
import { z } from "@hono/zod-openapi";

const params = z.object({ id: z.string() });
const ReferenceList = z.object({ data: z.array(ReferenceEntry), count: z.int() })
  .meta({ id: "ReferenceList" });

const create = route({
  method: "post",
  path: "/api/rules",
  access: manager,
  request: { body: jsonBody(ignoring(RULE_READ_ONLY, NewRule)) },
  responses: { 201: jsonAnswer(SingleRule, "The new rule") },
});

const list = route({
  method: "get",
  path: "/api/rules",
  access: viewer,
  responses: { 200: jsonAnswer(z.array(ToldRule), "All rules, in the order of creation") },
});

const files = listFiles({
  path: "/api/rules",
  access: viewer,
  query: z.strictObject({}),
  describes: "Every rule by priority, with its sentence in the language of the workspace",
  open: openRuleTable,
});

const referenceList = <Path extends string>(path: Path, description: string) =>
  route({
    method: "get",
    path,
    access: viewerOrKey,
    responses: { 200: jsonAnswer(ReferenceList, description) },
  });

const TRIGGER_VALUES = "The allowed values of `when.trigger`";
const ACTION_VALUES = "The allowed values of `actions[].type`";
const triggers = referenceList("/api/rules/triggers", TRIGGER_VALUES);
const actions = referenceList("/api/rules/actions", ACTION_VALUES);
const externalTriggers = referenceList("/api/public/v1/rules/triggers", TRIGGER_VALUES);
const externalActions = referenceList("/api/public/v1/rules/actions", ACTION_VALUES);

const externalList = route({
  method: "get",
  path: "/api/public/v1/rules",
  access: keyWith("rules:read"),
  responses: {
    200: jsonAnswer(
      z.object({
        data: z.array(ToldRule),
        nextCursor: z.string().nullable(),
        count: z.int(),
      }).meta({ id: "RuleData" }),
      "All rules, in the order of creation; `nextCursor` is always null",
    ),
  },
});

const read = route({
  method: "get",
  path: "/api/rules/{id}",
  access: viewer,
  request: { params },
  responses: { 200: jsonAnswer(SingleRule, "The rule") },
});

const change = route({
  method: "patch",
  path: "/api/rules/{id}",
  access: manager,
  versioned: true,
  request: { params, body: jsonBody(ignoring(RULE_READ_ONLY, RulePatch)) },
  responses: { 200: jsonAnswer(SingleRule, "The rule after the change") },
});

const remove = route({
  method: "delete",
  path: "/api/rules/{id}",
  access: manager,
  versioned: true,
  request: { params },
  responses: { 200: jsonAnswer(Ok, "Soft-deleted; its open proposals are closed") },
});

const toggle = route({
  method: "post",
  path: "/api/rules/{id}/toggle",
  access: manager,
  request: { params },
  responses: {
    200: jsonAnswer(
      z.object({ ok: z.literal(true), enabled: z.boolean() }).meta({ id: "Toggled" }),
      "The state that the rule has now",
    ),
  },
});

/** Made on first use: reading them from the schemas takes tens of milliseconds. */
const allTriggers = once(() => wholeList(listTriggers()));
const allActions = once(() => wholeList(listActions()));

function wholeList(data: ReferenceEntry[]) {
  return { data, count: data.length };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The fixed paths stand before the one with an id. */
export function ruleRoutes() {
  return room()
    .openapi(triggers, (c) => c.json(allTriggers(), 200))
    .openapi(actions, (c) => c.json(allActions(), 200))
    .openapi(externalTriggers, (c) => c.json(allTriggers(), 200))
    .openapi(externalActions, (c) => c.json(allActions(), 200))
    .openapi(create, async (c) => {
      const made = await createRule(c.var.ctx, c.req.valid("json"));
      const headers = { Location: `/api/rules/${made.rule.id}` };
      return answerDocument(c, await answerRule(c.var.ctx, made), 201, headers);
    })
    .openapi(list, async (c) => c.json(await readRules(c.var.ctx), 200))
    .route("/", files)
    .openapi(externalList, async (c) => {
      const data = await readRules(c.var.ctx);
      return c.json({ data, nextCursor: null, count: data.length }, 200);
    })
    .openapi(
      read,
      async (c) => answerDocument(c, await readRule(c.var.ctx, c.req.valid("param").id)),
    )
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const expected = expectedVersions(c);
      const changed = await changeRule(c.var.ctx, id, c.req.valid("json"), expected);
      return answerDocument(c, await answerRule(c.var.ctx, changed));
    })
    .openapi(remove, async (c) => {
      await deleteRule(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    })
    .openapi(toggle, async (c) => {
      const enabled = await toggleRule(c.var.ctx, c.req.valid("param").id);
      return c.json({ ok: true as const, enabled }, 200);
    });
}

/** Every rule; what counts first stands first. */
async function openRuleTable(ctx: Context): Promise<OutgoingTable> {
  const { locale } = await requireWorkspace(ctx);
  const items = (await readRules(ctx)).toSorted((a, b) => a.priority - b.priority);
  const whole = { items, nextCursor: null, count: items.length };
  return await openListTable("rules", columnsIn(languageOf(locale)), () => Promise.resolve(whole));
}

function columnsIn(language: Language): Columns<ToldRule> {
  return {
    priority: ({ priority }) => priority,
    name: ({ name }) => name,
    enabled: ({ enabled }) => enabled,
    sentence: ({ sentence }) => sentence[language],
    description: ({ description }) => description,
    trigger: ({ when }) => storedCodeCell("triggers", when.trigger),
    actions: ({ actions }) => codesCell("actions", actions.map(({ type }) => type)),
    cooldownMinutes: ({ cooldownMinutes }) => cooldownMinutes,
    fires30d: ({ stats }) => stats.fires30d,
    lastFiredAt: ({ stats }) => momentCell(stats.lastFiredAt),
    createdBy: ({ createdBy }) => createdBy.name,
    createdAt: ({ createdAt }) => momentCell(createdAt),
    updatedAt: ({ updatedAt }) => momentCell(updatedAt),
    id: ({ id }) => id,
  };
}
