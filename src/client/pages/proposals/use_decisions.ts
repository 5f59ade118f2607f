/**
 * Deciding on proposals, and taking it back. An approval is sent at once and undone by a rollback.
 * A rejection cannot be undone at the service, so it waits some seconds here before it is sent: when
 * the next decision is made, when the screen is left, before the person is signed out, at the latest
 * when the time is over.
 */
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Call } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { type BulkAction, decideInBulk, type Refused, rollBackEach } from "./decide_in_bulk.ts";

const HELD_MS = 7_000;
const NONE: ReadonlySet<string> = new Set();

/** The last decision, as long as it can be taken back. */
export interface LastDecision {
  readonly action: BulkAction;
  readonly proposals: readonly Proposal[];
}

export interface Decisions {
  /** Decided here; they are gone from the list before the service has answered. */
  readonly hidden: ReadonlySet<string>;
  readonly last: LastDecision | null;
  readonly isBusy: boolean;
  /** What the last decision could not do, and why. */
  readonly refused: readonly Refused[];
  approve(proposals: readonly Proposal[]): void;
  reject(proposals: readonly Proposal[]): void;
  undo(): void;
  rollBack(proposals: readonly Proposal[]): void;
  dismiss(): void;
}

export function useDecisions(): Decisions {
  const { call, heldBack, toasts, words } = useApp();
  const client = useQueryClient();
  const [hidden, setHidden] = useState(NONE);
  const [last, setLast] = useState<LastDecision | null>(null);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [running, setRunning] = useState(0);
  const held = useRef<Held | null>(null);
  /** What the last approval has done: an earlier one may be answered after it. */
  const approving = useRef<Promise<readonly Proposal[]>>(Promise.resolve([]));
  const show = (proposals: readonly Proposal[]) =>
    setHidden((before) => before.difference(idsOf(proposals)));
  const refresh = () =>
    Promise.all(
      ["proposals", "products", "rules", "overview", "audit"].map((area) =>
        client.invalidateQueries({ queryKey: [area] })
      ),
    );
  const run = async (work: () => Promise<void>) => {
    setRunning((count) => count + 1);
    try {
      await work();
    } catch (error) {
      toasts.refuse(error);
    } finally {
      setRunning((count) => count - 1);
      await refresh();
    }
  };
  /** Forgets or narrows what was decided last, unless something else was decided since. */
  const conclude = (proposals: readonly Proposal[], kept: LastDecision | null) =>
    setLast((before) => before?.proposals === proposals ? kept : before);
  /** Resolves to those that were decided. */
  const send = async (action: BulkAction, proposals: readonly Proposal[]) => {
    let done: readonly Proposal[] = [];
    await run(async () => {
      try {
        const outcome = await decideInBulk(call, action, proposals);
        setRefused(outcome.refused);
        done = proposals.filter(({ id }) => outcome.done.has(id));
        // A rejection that was sent is final; an approval can be rolled back.
        const canUndo = action === "approve" && done.length > 0;
        conclude(proposals, canUndo ? { action, proposals: done } : null);
      } catch (error) {
        conclude(proposals, null);
        throw error;
      } finally {
        await refresh();
        show(proposals);
      }
    });
    return done;
  };
  const flush = async () => {
    const waiting = held.current;
    if (waiting === null) return;
    held.current = null;
    clearTimeout(waiting.timer);
    await send("reject", waiting.proposals);
  };
  useEffect(() => {
    heldBack.add(flush);
    return () => void heldBack.delete(flush);
  }, []);
  useLeaving(held, call);
  return {
    hidden,
    last,
    refused,
    isBusy: running > 0,
    approve: (proposals) => {
      if (proposals.length === 0) return;
      void flush();
      setHidden((before) => before.union(idsOf(proposals)));
      setLast({ action: "approve", proposals });
      approving.current = send("approve", proposals);
    },
    reject: (proposals) => {
      if (proposals.length === 0) return;
      void flush();
      setRefused([]);
      setHidden((before) => before.union(idsOf(proposals)));
      setLast({ action: "reject", proposals });
      held.current = { proposals, timer: setTimeout(flush, HELD_MS) };
    },
    undo: () => {
      const waiting = held.current;
      if (waiting !== null) {
        held.current = null;
        clearTimeout(waiting.timer);
        show(waiting.proposals);
        setLast(null);
        toasts.tell(words.proposals.undone);
      } else if (last?.action === "approve") {
        setLast(null);
        void approving.current.then((done) => run(() => rollBackAll(done)));
      }
    },
    rollBack: (proposals) => void run(() => rollBackAll(proposals)),
    dismiss: () => setRefused([]),
  };

  async function rollBackAll(proposals: readonly Proposal[]): Promise<void> {
    const { done, refused } = await rollBackEach(call, proposals);
    setRefused(refused);
    if (done.size > 0) toasts.tell(words.proposals.rolledBack(String(done.size)));
  }
}

interface Held {
  readonly proposals: readonly Proposal[];
  readonly timer: ReturnType<typeof setTimeout>;
}

/** What still waits is sent when the screen or the page is left; there is nobody to be told. */
function useLeaving(held: { current: Held | null }, call: Call): void {
  const client = useQueryClient();
  useEffect(() => {
    const leave = () => {
      const waiting = held.current;
      if (waiting === null) return;
      held.current = null;
      clearTimeout(waiting.timer);
      void decideInBulk(call, "reject", waiting.proposals)
        .catch(() => {
          // They stay open and are in the list again when somebody looks.
        })
        .then(() => client.invalidateQueries({ queryKey: ["proposals"] }));
    };
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
}

function idsOf(proposals: readonly Proposal[]): ReadonlySet<string> {
  return new Set(proposals.map(({ id }) => id));
}
