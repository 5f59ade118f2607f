/** Unread alerts by cause. Each person can snooze a cause (docs/decisions/rules.md, Alerts). */
import { SEVERITIES, type Severity } from "../../base/codes.ts";
import { noSuch } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { Alert, alerts, CAUSE_KINDS, causeOf, type StoredAlert, walkAlerts } from "./alert.ts";
import { shown } from "./read_alerts.ts";
import { z } from "@hono/zod-openapi";

/** Maximum number of unread alerts that are grouped by cause. Older unread alerts are ignored. */
const ALERTS_MAX = 2_000;
const SNOOZE_MS = 32 * 24 * 3_600_000;

interface Snooze {
  readonly userId: string;
  readonly cause: string;
  /** End of the snooze; null if the next alert of this cause ends the snooze. */
  readonly until: string | null;
  /** Id of the cause's newest alert at the time of the snooze. */
  readonly lastId: string;
  readonly severity: Severity;
  readonly count: number;
}

export const snoozes = defineTable<Snooze, "userId" | "cause">({
  prefix: "als",
  about: "a cause of alerts that a person has put off, with its state at that time",
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
    .describe("Sum of the proposed changes of our prices, per piece, in minor units"),
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

/** Unread alerts by the key of their cause. The newest alert of each cause comes first. */
async function readGroups(ctx: Context): Promise<Map<string, StoredAlert[]>> {
  const unread: StoredAlert[] = [];
  const range = { index: { by: "unread" }, after: null, order: "desc" } as const;
  for await (const alert of walkAlerts(ctx, range)) {
    unread.push(alert);
    if (unread.length === ALERTS_MAX) break;
  }
  return Map.groupBy(unread, (alert) => causeOf(alert).key);
}

const rankOf = (severity: Severity) => SEVERITIES.indexOf(severity);

function worstOf(group: readonly StoredAlert[]): Severity {
  return group.reduce<Severity>(
    (worst, { severity }) => rankOf(severity) > rankOf(worst) ? severity : worst,
    SEVERITIES[0],
  );
}

export async function readCauses(ctx: Context): Promise<z.output<typeof AlertCauses>> {
  const groups = await readGroups(ctx);
  const own = new Map<string, Snooze>();
  for await (const { row } of snoozes.walk(ctx, { within: { userId: ctx.actor.id } })) {
    own.set(row.cause, row);
  }
  const latest = await shown(ctx, [...groups.values()].flatMap(([first]) => first ?? []));
  const now = ctx.now().toISOString();
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
      ...proposedBy(group),
      firstAt: group.at(-1)?.createdAt ?? first.createdAt,
      latest: newest,
      snoozed: isPutOff ? { until: snooze.until } : null,
    }];
  });
  const total = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  return {
    items: items.sort(byWeight),
    open: items.filter(({ snoozed }) => snoozed === null).length,
    isCut: total === ALERTS_MAX,
  };
}

function proposedBy(group: readonly StoredAlert[]) {
  const changes = group.flatMap(({ facts }) =>
    facts?.code === "rule_fired" && facts.outcome === "propose"
      ? [(facts.proposedCents ?? 0) - (facts.currentCents ?? facts.proposedCents ?? 0)]
      : []
  );
  return { proposals: changes.length, changeCents: changes.reduce((sum, one) => sum + one, 0) };
}

/** A snooze ends early if the severity of the alerts rises, or if their number doubles. */
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
  const group = (await readGroups(ctx)).get(key);
  const newest = group?.[0];
  if (!group || !newest) throw noSuch("cause of alerts", key);
  return { group, newest };
}

/** `until` null ends the snooze. Throws `not_found`. */
export async function snoozeCause(
  ctx: Context,
  { key, until }: z.output<typeof SnoozeRequest>,
): Promise<void> {
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

const READ_BATCH = 100;

/** Returns the number of alerts. Throws `not_found`. */
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
      alerts.checkVersion(write, ctx, version);
      const readAt = ctx.now().toISOString();
      for (const row of unread) alerts.put(write, ctx, { ...row, readAt }, row);
      return unread.length;
    });
  }
  return count;
}
