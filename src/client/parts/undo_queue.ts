/**
 * Changes that a person makes one after the other, and their undo. Each request waits for the one
 * before, so that an undo is never sent before its change. The changes of a named queue can be
 * undone until the person signs out, the newest first.
 */
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Call, Overtaken } from "../api/call.ts";
import { type Area, useApp, useRefresh } from "../app/app.ts";

/** Undoes a change. The result may be the message for the person; if empty, there is no message. */
export type Undo = (call: Call) => Promise<unknown>;

export interface UndoableChange<Output> {
  run(call: Call): Promise<Output>;
  /** The message for the person: a text is shown at once, a function is called with the answer. */
  readonly told: string | ((output: Output) => string);
  /** Absent for a change that nothing undoes; null if there is nothing to undo. */
  undo?(output: Output): Undo | null;
  /** Ids of rows that leave the list before the service answers. */
  readonly hides?: readonly string[];
  /** Called before data are read again, so that a dialog closes at once. */
  onDone?(output: Output): void;
}

interface Done {
  readonly hides: readonly string[];
  /** Null if the service has refused the change, or if there is nothing to undo. */
  readonly undo: Promise<Undo | null>;
}

const NONE: ReadonlySet<string> = new Set();

/** `name` names the queue, whose changes stay undoable when the person leaves the screen. */
export function useUndoQueue(name: string, touches: readonly Area[]) {
  const { call, heldBack, toasts, words } = useApp();
  const client = useQueryClient();
  const refresh = useRefresh(...touches);
  const [isBusy, setBusy] = useState(false);
  const [hidden, setHidden] = useState(NONE);
  const waiting = useRef(0);
  const lastSent = useRef<Promise<unknown>>(Promise.resolve());
  const lastRead = useRef<Promise<unknown>>(Promise.resolve());
  const toastId = useRef<number | null>(null);
  useEffect(() => {
    // Signing out waits until all changes have arrived.
    const arrive = () => lastSent.current;
    heldBack.add(arrive);
    return () => void heldBack.delete(arrive);
  }, []);
  const key = ["undo", name];
  const stack = () => client.getQueryData<readonly Done[]>(key) ?? [];
  const setStack = (all: readonly Done[]) => {
    client.setQueryDefaults(key, { gcTime: Infinity, staleTime: Infinity });
    client.setQueryData<readonly Done[]>(key, all);
  };
  /** Resolves to null if the service refuses. A message has then given the reason. */
  const send = <Output>(work: (call: Call) => Promise<Output>): Promise<Output | null> => {
    waiting.current++;
    setBusy(true);
    const sent = lastSent.current.then(async () => {
      try {
        return await work(call);
      } catch (error) {
        if (error instanceof Overtaken) toasts.tell(words.priceEdit.overtaken);
        else toasts.refuse(error);
        return null;
      } finally {
        waiting.current--;
        setBusy(waiting.current > 0);
      }
    });
    lastSent.current = sent;
    lastRead.current = sent.then(async () => {
      // After several quick changes the data are read again only once.
      if (waiting.current > 0) return;
      await refresh();
      if (waiting.current === 0) setHidden(NONE);
    });
    return sent;
  };
  /** The message replaces the message of the change before. */
  const tell = (text: string, undo?: () => void) => {
    if (toastId.current !== null) toasts.close(toastId.current);
    toastId.current = text === "" ? null : toasts.tell(text, undo);
  };
  const takeBack = (done: Done) => {
    if (!stack().includes(done)) return;
    setStack(stack().filter((one) => one !== done));
    setHidden((before) => before.difference(new Set(done.hides)));
    tell("");
    void done.undo.then(async (undo) => {
      if (undo === null) return;
      const message = await send(async (call) => await undo(call) ?? words.frame.undone);
      if (message !== null) tell(String(message));
    });
  };
  /** Resolves to false if the service refuses. */
  const act = async <Output>(change: UndoableChange<Output>): Promise<boolean> => {
    const { told, undo, hides = [] } = change;
    setHidden((before) => before.union(new Set(hides)));
    const sent = send(change.run);
    const done: Done = {
      hides,
      undo: sent.then((output) => output === null ? null : undo?.(output) ?? null),
    };
    const back = undo && (() => takeBack(done));
    if (undo) setStack([...stack(), done]);
    if (typeof told === "string") tell(told, back);
    const output = await sent;
    if (output === null) {
      setStack(stack().filter((one) => one !== done));
      return false;
    }
    change.onDone?.(output);
    if (typeof told !== "string") tell(told(output), back);
    return true;
  };
  return {
    hidden,
    isBusy,
    act,
    /** Resolves when the data are read again after the last change. */
    read: () => lastRead.current,
    undo: () => {
      const last = stack().at(-1);
      if (last) takeBack(last);
      else tell(words.frame.nothingToUndo);
    },
  };
}
