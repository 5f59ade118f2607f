/**
 * Reads alerts, one by one or grouped by cause, and marks alerts as read. Each person can snooze a
 * cause, and chooses for each kind of cause an immediate mail, the daily mail, or no mail
 * (docs/decisions/rules.md, Alerts).
 */
import { requireWorkspace } from "../accounts/workspace.ts";
import { SEVERITIES, type Severity } from "../base/codes.ts";
import { noSuch, requireById } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { choiceFilter, type Page, pageById, pageQuery } from "../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";
import {
  Alert,
  alerts,
  CAUSE_KINDS,
  type CauseKind,
  causeOf,
  mailStates,
  markRead,
  type StoredAlert,
} from "./alert_store.ts";
import { z } from "@hono/zod-openapi";
import { defineTable } from "../platform/store/table.ts";
import { firstOf, sumOf } from "../base/collections.ts";

const filterId = z.string().max(100).optional();

/** An empty text means no filter (docs/decisions/http.md). */
export const AlertFilter = z.strictObject({
  severity: choiceFilter(SEVERITIES),
  ruleId: filterId,
  productId: filterId,
  unread: z.enum(["", "true", "false"]).optional(),
  order: z.enum(["asc", "desc"]).default("asc").describe("`desc` is newest first"),
});

export type AlertFilter = z.infer<typeof AlertFilter>;

export const AlertQuery = z.strictObject({ ...pageQuery(50, 200), ...AlertFilter.shape });

export type AlertQuery = z.infer<typeof AlertQuery>;

export async function pageOfAlerts(ctx: Context, query: AlertQuery): Promise<Page<Alert>> {
  const { limit, cursor, order, ...filter } = query;
  const { items, ...page } = await pageById(ctx, { limit, cursor }, async ({ after, limit }) => {
    const found = walkFor(ctx, filter, { after: after === null ? null : { id: after }, order });
    const rows = await firstOf(found, limit, ({ row }) => isWanted(row, filter));
    return rows.map(({ row }) => row);
  });
  return { items: await shown(ctx, items), ...page };
}

type Filter = Omit<AlertFilter, "order">;

/** Reads the smallest index that contains all alerts of the filter. */
function walkFor(
  ctx: Context,
  { productId, ruleId, unread }: Filter,
  range: NonNullable<Parameters<typeof alerts.walk>[1]>,
) {
  if (productId) return isId(productId) ? alerts.walkBy(ctx, "product", { productId }, range) : [];
  if (ruleId) return isId(ruleId) ? alerts.walkBy(ctx, "rule", { ruleId }, range) : [];
  return unread === "true" ? alerts.walkBy(ctx, "unread", {}, range) : alerts.walk(ctx, range);
}

function isWanted(alert: StoredAlert, { severity, ruleId, productId, unread }: Filter): boolean {
  return (!severity || alert.severity === severity) && (!ruleId || alert.ruleId === ruleId) &&
    (!productId || alert.productId === productId) &&
    (!unread || (alert.readAt === null) === (unread === "true"));
}

async function shown(ctx: Context, page: readonly StoredAlert[]): Promise<Alert[]> {
  const mailIds = [...new Set(page.flatMap(({ mailId }) => mailId ?? []))];
  const found = await mailStates.getMany(ctx, mailIds.map((id) => ({ id })));
  const states = new Map(found.flatMap((one) => one ? [[one.row.id, one.row]] : []));
  return page.map(({ mailId, isMailOff, facts = null, ...alert }) => ({
    ...alert,
    facts,
    mail: isMailOff ? "off" : mailId === null ? null : states.get(mailId)?.status ?? "sent",
  }));
}

export async function readAlert(ctx: Context, id: string): Promise<Alert> {
  const value = await transact(ctx, async (write) => {
    const found = await requireById("alert", id, (id) => alerts.find(ctx, { id }));
    const { row: alert } = found;
    if (alert.readAt !== null) return alert;
    const readAt = ctx.now().toISOString();
    alerts.save(write, ctx, found, { ...alert, readAt });
    ctx.receipt?.put(write, null);
    return { ...alert, readAt };
  });
  const [alert] = await shown(ctx, [value]);
  if (!alert) throw new Error("An alert was read and not shown");
  return alert;
}

const READ_BATCH = 100;

/** Alerts that are raised during the call stay unread. */
export async function readAllAlerts(ctx: Context): Promise<number> {
  const upTo = ctx.newId();
  let count = 0;
  for (;;) {
    const value = await transact(ctx, async (write) => {
      const version = await alerts.version(ctx);
      const unread = (await alerts.listBy(ctx, "unread", {}, { limit: READ_BATCH }))
        .filter(({ row }) => row.id <= upTo);
      markRead(write, ctx, version, unread.map(({ row }) => row), ctx.now());
      return unread.length;
    });
    if (value === 0) return count;
    count += value;
  }
}

const ALERTS_MAX = 2_000;
const SNOOZE_MS = 32 * 24 * 3_600_000;

interface Snooze {
  readonly userId: string;
  readonly cause: string;
  /** End of the snooze; null if it lasts until the next alert of this cause. */
  readonly until: string | null;
  readonly lastId: string;
  readonly severity: Severity;
  readonly count: number;
}

const snoozes = defineTable<Snooze, "userId" | "cause">({
  prefix: "als",
  about: "the state of the alerts with this cause when a person put them off",
  key: { userId: "id", cause: "text" },
  expireInMs: SNOOZE_MS,
});

const AlertCause = z.object({
  key: z.string().describe("Equal for alerts with the same cause"),
  kind: z.enum(CAUSE_KINDS),
  severity: z.enum(SEVERITIES).describe("The highest of its alerts"),
  count: z.int().describe("Number of unread alerts"),
  proposals: z.int().describe("Number of alerts about a proposed price"),
  changeCents: z.int()
    .describe("Sum of the proposed price changes in the workspace's currency, in minor units"),
  firstAt: z.iso.datetime().describe("Time of the first unread alert"),
  latest: Alert.describe("The newest alert"),
  snoozed: z.object({
    until: z.iso.datetime().nullable().describe("Null: until another alert is raised"),
  }).nullable()
    .describe("Whether the person has put it off; `until` null: until another alert is raised"),
}).meta({ id: "AlertCause" });

export const AlertCauses = z.object({
  items: z.array(AlertCause)
    .describe("Highest severity first, then the largest change, then the newest"),
  open: z.int().describe("Number of causes that the person has not put off"),
  isCut: z.boolean().describe(`True if there are more than ${ALERTS_MAX} alerts`),
}).meta({ id: "AlertCauses" });

type AlertCause = z.output<typeof AlertCause>;

async function readGroups(ctx: Context) {
  const unread = await firstOf(alerts.walkBy(ctx, "unread", {}, { order: "desc" }), ALERTS_MAX + 1);
  const newest = unread.slice(0, ALERTS_MAX).map(({ row }) => row);
  const groups = Map.groupBy(newest, (alert) => causeOf(alert).key);
  return { groups, isCut: unread.length > ALERTS_MAX };
}

const rankOf = (severity: Severity) => SEVERITIES.indexOf(severity);

function worstOf(group: readonly StoredAlert[]): Severity {
  return group.reduce<Severity>(
    (worst, { severity }) => rankOf(severity) > rankOf(worst) ? severity : worst,
    SEVERITIES[0],
  );
}

export async function readCauses(ctx: Context): Promise<z.output<typeof AlertCauses>> {
  const { groups, isCut } = await readGroups(ctx);
  const snoozed = await snoozes.list(ctx, { within: { userId: ctx.actor.id } });
  const own = new Map(snoozed.map(({ row }) => [row.cause, row]));
  const latest = await shown(ctx, [...groups.values()].flatMap(([first]) => first ?? []));
  const now = ctx.now().toISOString();
  const { currency } = await requireWorkspace(ctx);
  const items = [...groups].flatMap(([key, group], at): AlertCause[] => {
    const newest = latest[at];
    const [first] = group;
    if (!newest || !first) return [];
    const severity = worstOf(group);
    const snooze = own.get(key);
    const isPutOff = snooze !== undefined && isStill(snooze, group, severity, now);
    return [{
      key,
      kind: causeOf(first).kind,
      severity,
      count: group.length,
      ...proposedBy(group, currency),
      firstAt: group.at(-1)?.createdAt ?? first.createdAt,
      latest: newest,
      snoozed: isPutOff ? { until: snooze.until } : null,
    }];
  });
  return {
    items: items.sort(byWeight),
    open: items.filter(({ snoozed }) => snoozed === null).length,
    isCut,
  };
}

function proposedBy(group: readonly StoredAlert[], ours: string) {
  const changes = group.flatMap(({ facts }) => {
    if (facts?.code !== "rule_fired" || facts.outcome !== "propose") return [];
    const { currency, currentCents, proposedCents } = facts;
    if (currency !== ours || currentCents === null || proposedCents === null) return [0];
    return [proposedCents - currentCents];
  });
  return { proposals: changes.length, changeCents: sumOf(changes, (change) => change) };
}

/** A snooze ends early if an alert has a higher severity, or if the number of alerts doubles. */
function isStill(
  { until, lastId, severity, count }: Snooze,
  group: readonly StoredAlert[],
  worst: Severity,
  now: string,
): boolean {
  if (rankOf(worst) > rankOf(severity) || group.length >= 2 * count) return false;
  return until === null ? group[0]?.id === lastId : until > now;
}

function byWeight(a: AlertCause, b: AlertCause): number {
  return rankOf(b.severity) - rankOf(a.severity) ||
    Math.abs(b.changeCents) - Math.abs(a.changeCents) ||
    (a.latest.id < b.latest.id ? 1 : -1);
}

const key = z.string().max(400).describe("The `key` of the cause");

export const SnoozeRequest = z.strictObject({
  key,
  until: z.union([z.iso.datetime(), z.literal("change")]).nullable()
    .describe("`change`: until another alert with this cause is raised; null: not put off"),
}).meta({ id: "SnoozeRequest" });

export const CauseRequest = z.strictObject({ key }).meta({ id: "CauseRequest" });

async function requireCause(ctx: Context, key: string) {
  const group = (await readGroups(ctx)).groups.get(key);
  const newest = group?.[0];
  if (!group || !newest) throw noSuch("cause of alerts", key);
  return { group, newest };
}

export async function snoozeCause(ctx: Context, { key, until }: z.output<typeof SnoozeRequest>) {
  const { group, newest } = await requireCause(ctx, key);
  const place = { userId: ctx.actor.id, cause: key };
  await transact(ctx, async (write) => {
    const found = await snoozes.find(ctx, place);
    if (until === null) {
      if (found) snoozes.remove(write, ctx, found);
      return;
    }
    snoozes.save(write, ctx, found, {
      ...place,
      until: until === "change" ? null : until,
      lastId: newest.id,
      severity: worstOf(group),
      count: group.length,
    });
  });
}

export async function readCause(
  ctx: Context,
  { key }: z.output<typeof CauseRequest>,
): Promise<number> {
  const { group } = await requireCause(ctx, key);
  let count = 0;
  for (let at = 0; at < group.length; at += READ_BATCH) {
    const part = group.slice(at, at + READ_BATCH);
    count += await transact(ctx, async (write) => {
      const version = await alerts.version(ctx);
      const found = await alerts.getMany(ctx, part.map(({ id }) => ({ id })));
      const unread = found.flatMap((one) => one && one.row.readAt === null ? [one.row] : []);
      markRead(write, ctx, version, unread, ctx.now());
      return unread.length;
    });
  }
  return count;
}

const MAIL_CHOICES = ["now", "daily", "here"] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

const DAILY_TIME = "07:00";

export const mailChoices = defineTable<
  { readonly userId: string; readonly kind: CauseKind; readonly choice: MailChoice },
  "userId" | "kind"
>({
  prefix: "alc",
  about: "how a person gets alerts of this kind; without a row, by mail at once",
  key: { userId: "id", kind: "text" },
});

export const MailChoiceItem = z.strictObject({
  kind: z.enum(CAUSE_KINDS),
  choice: z.enum(MAIL_CHOICES)
    .describe(`\`now\`: a mail at once; \`daily\`: in one mail at ${DAILY_TIME}; \`here\`: none`),
}).meta({ id: "AlertMailChoice" });

export const MailChoiceList = z.object({
  items: z.array(MailChoiceItem).describe("One for each kind of cause"),
  email: z.string().describe("The address of the calling person"),
}).meta({ id: "AlertMailChoices" });

export async function choicesOf(
  workspace: WorkspaceStore,
  userId: string,
): Promise<z.output<typeof MailChoiceItem>[]> {
  const keys = CAUSE_KINDS.map((kind) => ({ userId, kind }));
  const found = await mailChoices.getMany(workspace, keys);
  return CAUSE_KINDS.map((kind, at) => ({ kind, choice: found[at]?.row.choice ?? "now" }));
}

export async function chooseMail(ctx: Context, { kind, choice }: z.output<typeof MailChoiceItem>) {
  const place = { userId: ctx.actor.id, kind };
  await transact(ctx, async (write) => {
    const found = await mailChoices.find(ctx, place);
    mailChoices.save(write, ctx, found, { ...place, choice });
  });
}

export function nextDailyMs(nowMs: number, timeZone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const today = now.withPlainTime(DAILY_TIME);
  return (today.epochMilliseconds > nowMs ? today : now.add({ days: 1 }).withPlainTime(DAILY_TIME))
    .epochMilliseconds;
}
