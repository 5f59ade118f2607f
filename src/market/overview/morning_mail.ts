/**
 * Sends the morning mail to each person who wants it, once a day if there is something to report.
 */
import { z } from "@hono/zod-openapi";
import { viewer } from "../../accounts/roles.ts";
import { changeUser } from "../../accounts/users/change_user.ts";
import { hasJoined, listUsers, requireUser, type StoredUser } from "../../accounts/users/user.ts";
import { listWorkspaces, readWorkspace, type Workspace } from "../../accounts/workspace.ts";
import { changePct, sharesPct } from "../../base/fraction.ts";
import { clockIn, dateIn, DAY_MS } from "../../base/time.ts";
import { MORNING_WORDS } from "../../engine/wording/morning_words.ts";
import { type Audience, audienceOf } from "../../engine/wording/show.ts";
import { mailQueue, type MailText } from "../../messages/alert_store.ts";
import { MailTestResult, sendToCaller } from "../../messages/send_mails.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { one } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { Mailer } from "../../platform/mail.ts";
import { type ClockAndIds, type Context, contextFor } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  type FreshnessCache,
  type FreshnessDeps,
  Overview,
  type OverviewDeps,
  readErp,
  readOverview,
  readShopFreshness,
  ShopFreshness,
} from "./read_overview.ts";
import { isPutOff, type StoredProposal } from "../../rules/proposals/proposal.ts";
import { listProposals } from "../../rules/proposals/proposal_store.ts";
import { nextMidnightMs } from "../../rules/evaluation/rule_state_store.ts";
import type { HealthOf } from "../../shops/competitor_store.ts";
import { type MarketCache, nullIfTooLarge } from "../current/market_cache.ts";
import { summarise, type SummaryGroup } from "../table/summary.ts";
import type { MoveGroup } from "../moves/list_moves.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";

const MAIL_LOCAL_TIME = "06:30";

const mailDays = defineTable<{ readonly userId: string; readonly day: string }, "userId">({
  prefix: "dm",
  about: "the last day in the workspace's time zone for which a person's morning mail was handled",
  key: { userId: "id" },
  value: "day",
  expireInMs: 3 * 86_400_000,
});

interface MorningMailSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly publicUrl: string | null;
  readonly morning: MorningDeps;
}

export async function queueMorningMails(setup: MorningMailSetup): Promise<number> {
  const { store, clock } = setup;
  let count = 0;
  const workspaces = await listWorkspaces(store);
  await eachApart("mails of the morning", workspaces, async (workspace) => {
    const { date: today, time } = clockIn(clock.now(), workspace.timeZone);
    if (time < MAIL_LOCAL_TIME) return;
    const ctx = contextOf(setup, workspace.id);
    const users = await listUsers(ctx, { after: null, limit: null });
    const due: StoredUser[] = [];
    for (const user of users) {
      if (!user.dailyMail || !hasJoined(user)) continue;
      const found = await mailDays.find(ctx, { userId: user.id });
      // Not `!==`: after a change of the time zone, the last mail's day may be after `today`.
      if ((found?.row.day ?? "") < today) due.push(user);
    }
    if (due.length === 0) return;
    const words = await wordsOf(ctx, setup, workspace, today);
    for (const user of due) if (await queue(ctx, user, today, words)) count++;
  });
  return count;
}

/** If `words` is null (nothing to report), only stores that the mail of `day` is done. */
async function queue(ctx: Context, { id, email }: StoredUser, day: string, words: MailText | null) {
  return await transact(ctx, async (write) => {
    const found = await mailDays.find(ctx, { userId: id });
    if ((found?.row.day ?? "") >= day) return false;
    mailDays.save(write, ctx, found, { userId: id, day });
    if (words === null) return false;
    mailQueue.add(write, {
      partition: [ctx.workspaceId],
      id: ctx.newId(),
      dueMs: ctx.now().getTime(),
      value: { alertIds: [], to: [email], failures: 0, worded: words },
    });
    return true;
  });
}

async function wordsOf(
  ctx: Context,
  setup: Pick<MorningMailSetup, "publicUrl" | "morning">,
  workspace: Workspace,
  day: string,
  isForced = false,
): Promise<MailText | null> {
  const facts = await readMorning(ctx, setup.morning);
  if (isQuiet(facts) && !isForced) return null;
  const audience = audienceOf(workspace);
  return composeMorning(facts, {
    workspace: workspace.name,
    publicUrl: setup.publicUrl,
    ...audience,
    day: audience.show.date(`${day}T12:00:00Z`),
  });
}

function contextOf({ store, clock }: MorningMailSetup, workspaceId: string): Context {
  const actor = { type: "system", id: "morning", name: "morning" } as const;
  return contextFor({ store, clock, requestId: "" }, workspaceId, actor);
}

const MorningMail = z.object({
  isOn: z.boolean(),
  isMailOn: z.boolean().describe("Whether an SMTP server is configured"),
  time: z.string()
    .describe("Time of day from which the mail is sent, in the workspace's time zone"),
}).meta({ id: "MorningMail" });

async function readMorningMail(ctx: Context, mailer: Mailer | null) {
  const { row: user } = await requireUser(ctx, ctx.actor.id);
  return { isOn: user.dailyMail ?? false, isMailOn: mailer !== null, time: MAIL_LOCAL_TIME };
}

async function sendMorningNow(
  ctx: Context,
  setup: Pick<MorningMailSetup, "publicUrl" | "morning"> & { readonly mailer: Mailer | null },
): Promise<z.output<typeof MailTestResult>> {
  return await sendToCaller(ctx, setup.mailer, async () => {
    const { workspace } = await readWorkspace(ctx);
    const day = dateIn(ctx.now(), workspace.timeZone);
    const words = await wordsOf(ctx, setup, workspace, day, true);
    if (words === null) throw new Error("A forced mail has words");
    return words;
  });
}

interface MorningReaders extends Audience {
  readonly workspace: string;
  /** Base URL of the web client; null if unknown. */
  readonly publicUrl: string | null;
  /** The date in the workspace's format, such as `20.11.2026`. */
  readonly day: string;
}

export function isQuiet({ open, lateHours, failingShops, moves }: MorningFacts): boolean {
  return open === 0 && lateHours === null && failingShops.length === 0 && moves.total === 0;
}

export function composeMorning(facts: MorningFacts, to: MorningReaders): MailText {
  const { show, day } = to;
  const words = MORNING_WORDS[to.language];
  const number = (count: number) => show.number(count);
  const { open, expiring, moves, lateHours, failingShops } = facts;
  const counts = [
    ...(open > 0 ? [words.proposals(open, number(open))] : []),
    ...(expiring > 0 ? [words.expiring(expiring, number(expiring))] : []),
    ...(moves.total > 0 ? [words.moved(moves.total, number(moves.total))] : []),
  ];
  const missing = [
    ...(lateHours === null ? [] : [words.late(number(lateHours))]),
    ...failingShops.map(words.failing),
  ];
  const quiet = isQuiet(facts);
  const what = quiet ? words.quietSubject : counts.join(", ") || words.dataTitle;
  const parts = [
    ...(quiet ? [words.quiet] : []),
    ...(counts.length > 0 ? [`${counts.join(", ")}.`] : []),
    ...section(words.dataTitle, missing),
    ...section(words.positionTitle, positionOf(facts, to)),
    ...section(words.movesTitle, moves.groups.map((move) => moveLine(move, to))),
    ...section(
      words.proposalsTitle,
      facts.proposals.map(({ sku, productTitle, currentCents, proposedCents, currency }) => {
        const change = currentCents === 0
          ? ""
          : ` (${show.percentChange(changePct(currentCents, proposedCents))})`;
        const step = `${show.money(currentCents, currency)} → ${
          show.money(proposedCents, currency)
        }`;
        return `${sku} ${productTitle ?? ""}: ${step}${change}`;
      }),
    ),
    ...(to.publicUrl === null ? [] : [words.open(to.publicUrl)]),
    words.unsubscribe,
  ];
  // Control characters are replaced, because a line break would end the subject line.
  const subject = `[${to.workspace}] ${words.subject(day, what)}`.replace(/\p{Cc}+/gu, " ");
  return { subject, text: `${parts.join("\n\n")}\n` };
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `- ${line}`).join("\n")}`];
}

function positionOf({ position }: MorningFacts, { show, language }: MorningReaders): string[] {
  if (position === null || position.compared === 0) return [];
  const words = MORNING_WORDS[language];
  const { compared, cheapest, middle, dearest, indexPct } = position;
  const [first = "", second = "", third = ""] = sharesPct([cheapest, middle, dearest], 0)
    .map((share) => show.percent(share));
  return [
    words.positionText(show.number(compared), first, second, third),
    ...(indexPct === null ? [] : [words.index(show.tenths(indexPct))]),
  ];
}

function moveLine(
  { kind, competitor = "", category = null, products, changePct: pct }: MorningMove,
  { show, language }: MorningReaders,
): string {
  const words = MORNING_WORDS[language];
  const text = words.group[kind](competitor, show.number(products), show.percentChange(pct ?? 0));
  return category === null ? text : words.within(text, category);
}

interface MailDeps {
  readonly mailer: Mailer | null;
  readonly publicUrl: string | null;
  readonly morning: MorningDeps;
}

const MailChange = z.strictObject({ isOn: z.boolean() }).meta({ id: "MorningMailChange" });

export function overviewRoutes(deps: OverviewDeps & FreshnessDeps & MailDeps) {
  return resource("/overview", { read: { people: viewer }, change: { people: viewer } })
    .get("", {
      answer: one(Overview, "Recent events, and open decisions"),
    }, ({ ctx }) => readOverview(ctx, deps))
    .get("/shops", {
      answer: one(ShopFreshness, "The freshness of each shop's prices"),
    }, ({ ctx }) => readShopFreshness(ctx, deps))
    .get("/mail", {
      answer: one(MorningMail, "Whether the person gets the morning mail"),
    }, ({ ctx }) => readMorningMail(ctx, deps.mailer))
    .patch("/mail", {
      body: MailChange,
      answer: one(MorningMail, "The new setting"),
    }, async ({ ctx, body }) => {
      await changeUser(ctx, ctx.actor.id, { dailyMail: body.isOn });
      return await readMorningMail(ctx, deps.mailer);
    })
    .post("/mail/test", {
      waitsForOthers: true,
      answer: one(MailTestResult, "The answer of the SMTP server"),
    }, ({ ctx }) => sendMorningNow(ctx, deps)).routes;
}

const PROPOSALS_SHOWN = 5;
const MOVES_SHOWN = 8;
const PROPOSALS_PER_READ = 1_000;

type MorningMove = Pick<
  z.infer<typeof MoveGroup>,
  "kind" | "competitor" | "category" | "products" | "changePct"
>;

interface MorningMoves {
  readonly groups?: readonly MorningMove[] | undefined;
  readonly total: number;
}

export interface MorningDeps {
  readonly healthOf: HealthOf;
  readonly freshness: FreshnessCache;
  readonly tables: MarketCache;
  movesOf(ctx: Context, since: string): Promise<MorningMoves>;
}

export interface MorningFacts {
  readonly position:
    | Pick<SummaryGroup, "compared" | "cheapest" | "middle" | "dearest" | "indexPct">
    | null;
  readonly open: number;
  readonly expiring: number;
  readonly proposals: readonly Pick<
    StoredProposal,
    "sku" | "productTitle" | "currentCents" | "proposedCents" | "currency"
  >[];
  /** The setting `importExpectedHours` if the next import is overdue; otherwise null. */
  readonly lateHours: number | null;
  readonly failingShops: readonly string[];
  readonly moves: Required<MorningMoves>;
}

async function readMorning(ctx: Context, deps: MorningDeps): Promise<MorningFacts> {
  const nowMs = ctx.now().getTime();
  const index = { by: "status", status: "open" } as const;
  const pages = pagesOf((...at) => listProposals(ctx, index, ...at), idOf, PROPOSALS_PER_READ);
  const [{ workspace }, erp, shops, all, position, moves] = await Promise.all([
    readWorkspace(ctx),
    readErp(ctx),
    readShopFreshness(ctx, deps),
    Array.fromAsync(pages),
    readPosition(ctx, deps.tables),
    deps.movesOf(ctx, new Date(nowMs - DAY_MS).toISOString()),
  ]);
  const open = all.flat().filter((proposal) => !isPutOff(proposal, nowMs));
  const endOfDay = nextMidnightMs(nowMs, workspace.timeZone);
  return {
    position,
    open: open.length,
    expiring: open.filter(({ expiresAt }) => Date.parse(expiresAt) < endOfDay).length,
    proposals: largestFirst(open, workspace.currency).slice(0, PROPOSALS_SHOWN),
    lateHours: erp.isLate ? erp.expectedHours : null,
    failingShops: shops.items.filter(({ downSince }) => downSince !== null)
      .map(({ displayName }) => displayName),
    moves: { total: moves.total, groups: moves.groups?.slice(0, MOVES_SHOWN) ?? [] },
  };
}

/** Proposals in other currencies come last, because their amounts cannot be compared. */
function largestFirst(open: readonly StoredProposal[], ours: string): StoredProposal[] {
  const moneyOf = ({ currency, currentCents, proposedCents }: StoredProposal) =>
    currency === ours ? Math.abs(proposedCents - currentCents) : -1;
  return open.toSorted((a, b) => moneyOf(b) - moneyOf(a));
}

async function readPosition(ctx: Context, tables: MarketCache): Promise<MorningFacts["position"]> {
  const current = await tables.read(ctx).catch(nullIfTooLarge);
  if (current === null) return null;
  const { groups } = await summarise(current.table, [], { slice: new TimeSlice() });
  return groups()[0] ?? null;
}
