/** A row shows a decision before the service answers, and each decision can be undone. */

import { sumOf } from "../../../base/collections.ts";
import type { LeaveOut } from "../../../rules/proposals/preview_many.ts";
import type { Call } from "../../api/call.ts";
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
} from "../../parts/decision/decide_in_bulk.ts";
import { type Proposal, takenBackText } from "../../parts/decision/decision.tsx";
import { useUndoQueue } from "../../parts/undo_queue.ts";
import { useState } from "preact/hooks";

type Action = "approve" | "reject" | "later";

const UNDOES = {
  approve: { action: "rollback" },
  reject: { action: "reopen" },
  later: { action: "later", until: null },
} as const satisfies Record<Action, Decision>;

export interface Some {
  readonly leaveOut: LeaveOut;
  readonly count: number;
  readonly settles: number;
}

export interface Verdict {
  readonly action: Action;
  readonly cents: number | null;
  readonly reason: string;
  readonly at: string;
}

export type Decisions = ReturnType<typeof useDecisions>;

const TOUCHED = ["proposals", "products", "rules", "overview", "audit-logs"] as const;

export function useDecisions() {
  const { words: { proposals: texts }, show } = useApp();
  const { decide, ...decided } = useDecide();
  return {
    ...decided,
    approve: (target: Target, some?: Some) =>
      decide({
        ...{ action: "approve", target, some },
        told: texts.approved(some?.count ?? nameIn(target)),
        run: (call) =>
          decideOn(call, { action: "approve", ...(some && { leaveOut: some.leaveOut }) }, target),
      }),
    counter: (proposal: Proposal, price: CounterPrice) =>
      decide({
        ...{ action: "approve", target: [proposal], ...price },
        told: texts.countered(proposal.sku, show.money(price.cents, proposal.currency)),
        run: (call) => setCounterPrice(call, proposal, price),
      }),
    reject: (target: Target, reason = "") =>
      decide({
        ...{ action: "reject", target, reason },
        told: reason === ""
          ? texts.rejected(nameIn(target))
          : texts.rejectedFor(nameIn(target), reason),
        run: (call) => decideOn(call, { action: "reject", ...(reason && { reason }) }, target),
      }),
    later: (target: Target) => {
      const until = earlyTomorrow(show.timeZone, new Date());
      decide({
        ...{ action: "later", target },
        told: texts.putOff(nameIn(target), show.dateTime(until)),
        run: (call) => decideOn(call, { action: "later", until }, target),
      });
    },
  };
}

function useVerdicts() {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map());
  return {
    verdicts,
    settle: (ids: readonly string[], verdict: Verdict) =>
      setVerdicts((before) => new Map([...before, ...ids.map((id) => [id, verdict] as const)])),
    withdraw: (ids: readonly string[]) =>
      setVerdicts((before) => new Map([...before].filter(([id]) => !ids.includes(id)))),
  };
}

function useDecide() {
  const { words, show, toasts } = useApp();
  const texts = words.proposals;
  const { hidden, act, undo } = useUndoQueue("proposals", TOUCHED);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { verdicts, settle, withdraw } = useVerdicts();
  const noted = (result: BulkResult) => {
    setRefused(result.refused);
    if (result.error) toasts.refuse(result.error);
    return result;
  };
  const takingBack = (proposals: readonly Decided[], action: Action) => async (call: Call) => {
    const decision: Decision = action === "approve"
      ? { ...UNDOES.approve, reason: words.frame.undone }
      : UNDOES[action];
    const { done } = noted(await decideInBulk(call, decision, proposals));
    withdraw(done.map(({ id }) => id));
    if (done.length === 0) return "";
    const reopened = done.flatMap((one) => one.reopened ?? []);
    return takenBackText({ words, show }, texts.takenBack(nameIn(done)), reopened);
  };
  const takeBack = (proposals: readonly Decided[], action: Action) =>
    void act({ run: takingBack(proposals, action), told: (text) => text });
  const decide = ({ action, target, told, run, some, cents = null, reason = "" }: Wanted) => {
    if (countOf(target) === 0) return;
    const isWhole = !some || some.count === countOf(target);
    const ids = (isMatching(target) ? target.loaded : target).map(({ id }) => id);
    const verdict = { action, cents, reason, at: new Date().toISOString() };
    // The client does not know all proposals that match a filter, so it marks no rows.
    if (isWhole && !isMatching(target)) settle(ids, verdict);
    const settled = some?.settles ?? settledBy(target);
    void act({
      hides: isWhole && isMatching(target) ? ids : [],
      told: action !== "approve" || settled === 0
        ? told
        : `${told}. ${texts.accept.settles(settled)}`,
      run: async (call) => noted(await run(call)),
      undo: ({ done }) => done.length === 0 ? null : takingBack(done, action),
      onDone: ({ done }) => {
        const doneIds = new Set(done.map(({ id }) => id));
        if (!isWhole && !isMatching(target)) settle(ids.filter((id) => doneIds.has(id)), verdict);
        withdraw(ids.filter((id) => !doneIds.has(id)));
      },
    }).then((isDone) => isDone || withdraw(ids));
  };
  const dismiss = () => setRefused([]);
  return { hidden, verdicts, refused, undo, takeBack, dismiss, decide };
}

interface Wanted extends Partial<Pick<Verdict, "cents" | "reason">> {
  readonly action: Action;
  readonly target: Target;
  readonly told: string;
  run(call: Call): Promise<BulkResult>;
  readonly some?: Some | undefined;
}

function settledBy(target: Target): number {
  const proposals = isMatching(target) ? target.loaded : target;
  return sumOf(proposals, ({ trace }) => trace?.behind?.length ?? 0);
}

function nameIn(target: Target | readonly Decided[]): string | number {
  if ("count" in target) return target.count;
  const [only, ...others] = target;
  return only?.sku && others.length === 0 ? only.sku : target.length;
}
