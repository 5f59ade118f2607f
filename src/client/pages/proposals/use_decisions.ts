/**
 * Decisions on proposals, and their undo. Each decision is sent immediately. All decisions since
 * sign-in can be undone, the newest first.
 */

import type { Show } from "../../../engine/wording/show.ts";
import type { LeaveOut } from "../../../rules/proposals/preview_many.ts";
import { useApp } from "../../app/app.ts";
import { earlyTomorrow } from "../../formats/day.ts";
import {
  type BulkResult,
  type CounterPrice,
  countOf,
  type Decided,
  decideInBulk,
  decideOn,
  type Decision,
  isMatching,
  type Refused,
  setCounterPrice,
  type Target,
  useDecisionQueue,
} from "../../parts/decision/decide_in_bulk.ts";
import { type Proposal, takenBackText } from "../../parts/decision/decision.tsx";
import { useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";

type Action = "approve" | "reject" | "later";

const UNDOES = {
  approve: { action: "rollback" },
  reject: { action: "reopen" },
  later: { action: "later", until: null },
} as const satisfies Record<Action, Decision>;

/** `outcome` resolves when the service has answered. */
interface Done {
  readonly action: Action;
  readonly outcome: Promise<readonly Decided[]>;
}

/** The decided part of a target. The proposals in `leaveOut` stay open. */
export interface Some {
  readonly leaveOut: LeaveOut;
  readonly count: number;
  /** Number of proposals of other rules that the decision closes as well. */
  readonly settles: number;
}

export interface Verdict {
  readonly action: Action;
  /** The accepted price if it differs from the proposed one. */
  readonly cents: number | null;
  readonly reason: string;
  readonly at: string;
}

export type Decisions = ReturnType<typeof useDecisions>;

export function useDecisions() {
  const { call, words: { proposals: texts }, show } = useApp();
  const { decide, takeBack, ...state } = useUndoable();
  const nameOf = (target: Target) => nameIn(show, target);
  const approvedText = (text: string, settled: number) =>
    settled === 0 ? text : `${text}. ${texts.accept.settles(show.number(settled), settled)}`;
  return {
    ...state,
    /** Approves the target, or only its part `some`. */
    approve: (target: Target, some?: Some) =>
      decide({
        action: "approve",
        target,
        text: approvedText(
          texts.approved(some ? show.number(some.count) : nameOf(target)),
          some?.settles ?? settledBy(target),
        ),
        isWhole: !some || some.count === countOf(target),
      }, () =>
        decideOn(call, { action: "approve", ...(some && { leaveOut: some.leaveOut }) }, target)),
    counter: (proposal: Proposal, price: CounterPrice) =>
      decide({
        ...{ action: "approve", target: [proposal], ...price },
        text: approvedText(
          texts.countered(proposal.sku, show.money(price.cents, proposal.currency)),
          settledBy([proposal]),
        ),
      }, () => setCounterPrice(call, proposal, price)),
    reject: (target: Target, reason = "") =>
      decide({
        ...{ action: "reject", target, reason },
        text: reason === ""
          ? texts.rejected(nameOf(target))
          : texts.rejectedFor(nameOf(target), reason),
      }, () => decideOn(call, { action: "reject", ...(reason && { reason }) }, target)),
    /** Defers the target until tomorrow morning. */
    later: (target: Target) => {
      const until = earlyTomorrow(show.timeZone, new Date());
      decide({
        ...{ action: "later", target },
        text: texts.putOff(nameOf(target), show.dateTime(until)),
      }, () => decideOn(call, { action: "later", until }, target));
    },
    bringBack: (proposals: readonly Proposal[]) => void takeBack(proposals, UNDOES.later),
    reopen: (proposal: Proposal) => void takeBack([proposal], UNDOES.reject),
    rollBack: (proposals: readonly Proposal[]) => void takeBack(proposals, UNDOES.approve),
    takeBack: (proposal: Proposal, action: Action) => void takeBack([proposal], UNDOES[action]),
  };
}

const TOUCHED = ["proposals", "products", "rules", "overview", "audit"] as const;

interface Wanted extends Partial<Pick<Verdict, "cents" | "reason">> {
  readonly action: Action;
  readonly target: Target;
  readonly text: string;
  /** False if the service leaves out some proposals of the target. */
  readonly isWhole?: boolean;
}

/** Number of proposals of lower-ranking rules that the decision closes as well. */
function settledBy(target: Target): number {
  const proposals = isMatching(target) ? target.loaded : target;
  return proposals.reduce((sum, { trace }) => sum + (trace?.behind?.length ?? 0), 0);
}

/** Key of the query cache for the list of all decisions, oldest first. */
const STACK = ["proposals done"];

function useUndoable() {
  const { call, words, show } = useApp();
  const client = useQueryClient();
  const texts = words.proposals;
  /** `hidden` proposals leave the list before the service answers. */
  const { hidden, hide, send: sendOne } = useDecisionQueue(TOUCHED);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  /** By proposal id; the row of a decided proposal stays until the next visit. */
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map());
  const withdraw = (ids: readonly string[]) =>
    setVerdicts((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
  const tell = useLastToast();
  const send = (work: () => Promise<BulkResult>) =>
    sendOne(async () => {
      const result = await work();
      setRefused(result.refused);
      return result;
    });
  const stack = () => client.getQueryData<readonly Done[]>(STACK) ?? [];
  const decide = (wanted: Wanted, work: () => Promise<BulkResult>) => {
    const { action, target, text, isWhole = true, cents = null, reason = "" } = wanted;
    if (countOf(target) === 0) return;
    const ids = (isMatching(target) ? target.loaded : target).map(({ id }) => id);
    const verdict = { action, cents, reason, at: new Date().toISOString() };
    const settle = (some: readonly string[]) =>
      setVerdicts((before) => new Map([...before, ...some.map((id) => [id, verdict] as const)]));
    // Only the service knows which proposals are excluded.
    if (isWhole && isMatching(target)) hide(ids);
    if (isWhole && !isMatching(target)) settle(ids);
    const outcome = send(work).then((result) => {
      const done = result?.done ?? [];
      const doneIds = new Set(done.map(({ id }) => id));
      if (!isWhole && !isMatching(target)) settle(ids.filter((id) => doneIds.has(id)));
      withdraw(ids.filter((id) => !doneIds.has(id)));
      return done;
    });
    client.setQueryDefaults(STACK, { gcTime: Infinity, staleTime: Infinity });
    client.setQueryData<readonly Done[]>(STACK, [...stack(), { action, outcome }]);
    tell(text, undo);
  };
  const undo = () => {
    const last = stack().at(-1);
    if (!last) return tell(texts.nothingToUndo);
    client.setQueryData<readonly Done[]>(STACK, stack().slice(0, -1));
    void last.outcome.then(async (proposals) => {
      if (proposals.length > 0) await takeBack(proposals, UNDOES[last.action]);
    });
  };
  const takeBack = async (proposals: readonly Decided[], decision: Decision) => {
    const reasoned = decision.action === "rollback"
      ? { ...decision, reason: words.priceEdit.takenBack }
      : decision;
    const result = await send(() => decideInBulk(call, reasoned, proposals));
    const done = result?.done ?? [];
    if (done.length === 0) return;
    withdraw(done.map(({ id }) => id));
    const reopened = done.flatMap((one) => one.reopened ?? []);
    tell(takenBackText({ words, show }, texts.takenBack(nameIn(show, done)), reopened));
  };
  return { hidden, verdicts, refused, dismiss: () => setRefused([]), decide, takeBack, undo };
}

/** The SKU of a single proposal, otherwise the number of proposals. */
function nameIn(show: Show, target: Target | readonly Decided[]): string {
  if ("count" in target) return show.number(target.count);
  const [only, ...others] = target;
  return only?.sku && others.length === 0 ? only.sku : show.number(target.length);
}

function useLastToast() {
  const { toasts } = useApp();
  const toastId = useRef<number | null>(null);
  return (text: string, undo?: () => void) => {
    if (toastId.current !== null) toasts.close(toastId.current);
    toasts.tell(text, undo);
    toastId.current = toasts.shown.value.at(-1)?.id ?? null;
  };
}
