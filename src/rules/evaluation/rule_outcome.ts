/**
 * Sums up the effect of a rule since it was last enabled: the number of prices it has set, and the
 * units sold and net margin before and after these price changes. A difference may also have other
 * causes than the prices.
 */
import { walkAuditRows } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { sumOf } from "../../base/collections.ts";
import { dateIn, daysBefore } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { requireRule, type StoredRule } from "../rule.ts";
import {
  appliedBetween,
  type AppliedProposal,
  CHANGES_MAX,
  CLEAN_DAYS,
  countedAmong,
  daysFrom,
  type LearntChange,
  LeftOutCounts,
  readChanges,
  sumsOf,
  THOUSANDTHS,
} from "./learning.ts";
import { z } from "@hono/zod-openapi";

const Count = z.int();

const Side = z.object({
  units: z.number().describe("Units sold in these days, of all counted products"),
  marginCents: Count.describe("Net margin of these units, with the cost at the decision"),
}).meta({ id: "RuleOutcomeSide" });

export const RuleOutcome = z.object({
  onSince: z.iso.datetime().nullable().describe("When the rule was last enabled; null: never"),
  offSince: z.iso.datetime().nullable().describe("When it was disabled; null while it is enabled"),
  daysLeft: Count
    .describe(`Full days until the ${CLEAN_DAYS} days after the day of enabling are over`),
  currency: z.string().describe("Currency of all amounts"),
  moves: z.object({
    total: Count.describe("Number of prices set by the rule while it was enabled"),
    applied: Count.describe("Number of prices set automatically"),
    accepted: Count.describe("Number of prices that a person or an API key accepted"),
    takenBack: Count.describe("Number of prices that were rolled back; they are not in `total`"),
    up: Count,
    down: Count,
    cents: Count.describe("Sum of the changes of prices in `currency`"),
  }).describe("Prices that the rule changed since it was enabled"),
  isCut: z.boolean().describe(`True if only the first ${CHANGES_MAX} prices were examined`),
  counted: Count.describe("Number of prices with at least one counted day before and after"),
  days: Count.describe("Number of their counted days before the changes; as many after them"),
  before: Side.nullable().describe("Null if nothing is counted"),
  after: Side.nullable().describe("Like `before`, for the same number of days after each change"),
  leftOut: LeftOutCounts,
}).meta({ id: "RuleOutcome" });

export type RuleOutcome = Readonly<z.infer<typeof RuleOutcome>>;

export async function readOutcome(ctx: Context, ruleId: string): Promise<RuleOutcome> {
  const { rule } = await requireRule(ctx, ruleId);
  const { timeZone, currency } = await requireWorkspace(ctx);
  const { onSince, offSince } = await findSwitch(ctx, rule);
  const today = dateIn(ctx.now(), timeZone);
  const over = onSince === null ? 0 : daysFrom(dateIn(new Date(onSince), timeZone), today) - 1;
  const found = onSince === null ? [] : await appliedBetween(
    ctx,
    ruleId,
    Date.parse(onSince),
    offSince === null ? Infinity : Date.parse(offSince),
  );
  const applied = found.filter(({ status }) => status === "applied").slice(0, CHANGES_MAX);
  const takenBack = found.filter(({ status }) => status === "rolled_back").length;
  const changes = await readChanges(ctx, applied, timeZone);
  return {
    onSince,
    offSince,
    daysLeft: onSince === null ? 0 : Math.max(0, CLEAN_DAYS - Math.max(0, over)),
    currency,
    moves: { ...movesOf(applied, currency), takenBack },
    isCut: found.length > CHANGES_MAX,
    ...sumUp(changes, currency, today),
  };
}

async function findSwitch(workspace: WorkspaceStore, { id, enabled, createdAt }: StoredRule) {
  let offSince: string | null = null;
  const filter = { resource: `rule:${id}`, order: "desc" } as const;
  for await (const { at, after } of walkAuditRows(workspace, filter)) {
    if (after?.enabled === false) offSince ??= at;
    if (after?.enabled === true) return { onSince: at, offSince };
  }
  return { onSince: enabled ? createdAt : null, offSince: null };
}

function movesOf(applied: readonly AppliedProposal[], ours: string) {
  const moves = { total: applied.length, applied: 0, accepted: 0, up: 0, down: 0, cents: 0 };
  for (const { decidedBy, currentCents, toCents, currency } of applied) {
    const change = toCents - currentCents;
    moves[decidedBy?.type === "system" ? "applied" : "accepted"]++;
    moves[change > 0 ? "up" : "down"]++;
    if (currency === ours) moves.cents += change;
  }
  return moves;
}

function sumUp(changes: readonly LearntChange[], currency: string, today: string) {
  const yesterday = daysBefore(today, 1);
  // Sales reports arrive late, so the days after the last report are not compared.
  const reported = changes.flatMap(({ units }) => [...units.keys()]).sort().at(-1) ?? yesterday;
  const end = reported < yesterday ? reported : yesterday;
  const { counted, leftOut } = countedAmong(changes, { currency, end, leastDays: 1 });
  const sideOf = (side: "before" | "after") => {
    const { units, marginCents } = sumsOf(counted, side);
    return counted.length === 0 ? null : { units: units / THOUSANDTHS, marginCents };
  };
  return {
    counted: counted.length,
    days: sumOf(counted, ({ before }) => before.length),
    before: sideOf("before"),
    after: sideOf("after"),
    leftOut,
  };
}
