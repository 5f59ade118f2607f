/**
 * A queue of a person's changes, with their undo. Each request waits for the previous one, so an
 * undo is never sent before its change. The changes of a named queue can be undone, newest first,
 * until a sign-out or a reload.
 */
import { useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { type Call, Overtaken } from "../api/call.ts";
import { type Touched, useApp, useRefresh } from "../app/app.ts";

type Undo = (call: Call) => Promise<unknown>;

export interface UndoableChange<Output> {
  run(call: Call): Promise<Output>;
  readonly told: string | ((output: Output) => string);
  /** Returns null if the service changed nothing. */
  undo?(output: Output): Undo | null;
  readonly hides?: readonly string[];
  onDone?(output: Output): void;
  onUndo?(): void;
}

interface Done {
  isTakenBack: boolean;
  readonly hides: readonly string[];
  readonly onUndo: (() => void) | undefined;
  readonly undo: Promise<Undo | null>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The changes of a named queue can be undone with a key, even after the person left the screen and
 * came back. Without a name, only the button in the message about a change can undo it.
 */
export function useUndoQueue(name: string | null, touches: Touched) {
  const { toasts, words } = useApp();
  const [hidden, setHidden] = useState(NONE);
  const { isBusy, send, read } = useRequestQueue(touches, () => setHidden(NONE));
  const stack = useUndoStack(name);
  const toastId = useRef<number | null>(null);
  const tell = (text: string, undo?: () => void) => {
    if (toastId.current !== null) toasts.close(toastId.current);
    toastId.current = text === "" ? null : toasts.tell(text, undo);
  };
  const takeBack = (done: Done) => {
    if (done.isTakenBack) return;
    done.isTakenBack = true;
    stack.remove(done);
    setHidden((before) => before.difference(new Set(done.hides)));
    tell("");
    done.onUndo?.();
    const sent = send(async (call) => {
      const undo = await done.undo;
      const answer = undo === null ? "" : await undo(call);
      return typeof answer === "string" ? answer : words.frame.undone;
    });
    void sent.then((text) => text && tell(text));
  };
  const act = async <Output>(change: UndoableChange<Output>): Promise<boolean> => {
    const { told, undo, hides = [], onUndo } = change;
    setHidden((before) => before.union(new Set(hides)));
    const sent = send(change.run);
    const done: Done = {
      isTakenBack: false,
      hides,
      onUndo,
      undo: sent.then((output) => output === null ? null : undo?.(output) ?? null),
    };
    const back = () => takeBack(done);
    if (undo) stack.add(done);
    if (typeof told === "string") tell(told, undo && back);
    const output = await sent;
    if (output === null) {
      stack.remove(done);
      return false;
    }
    change.onDone?.(output);
    if (typeof told !== "string") tell(told(output), await done.undo === null ? undefined : back);
    return true;
  };
  const undo = () => {
    const last = stack.last();
    if (last) takeBack(last);
    else tell(words.frame.nothingToUndo);
  };
  return { hidden, isBusy, act, read, undo };
}

function useRequestQueue(touches: Touched, onRead: () => void) {
  const { call, pendingChanges, toasts, words } = useApp();
  const refresh = useRefresh(...touches);
  const [isBusy, setBusy] = useState(false);
  const waiting = useRef(0);
  const lastSent = useRef<Promise<unknown>>(Promise.resolve());
  const lastRead = useRef<Promise<unknown>>(Promise.resolve());
  return {
    isBusy,
    /** Resolves to null if the service refuses; a message then shows the reason. */
    send: <Output>(work: (call: Call) => Promise<Output>): Promise<Output | null> => {
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
        }
      });
      lastSent.current = sent;
      pendingChanges.add(sent);
      void sent.then(() => pendingChanges.delete(sent));
      lastRead.current = sent.then(async () => {
        // Only the last of several quick changes reloads the data.
        if (waiting.current > 0) return;
        await refresh();
        if (waiting.current > 0) return;
        onRead();
        setBusy(false);
      });
      return sent;
    },
    read: () => lastRead.current,
  };
}

function useUndoStack(name: string | null) {
  const client = useQueryClient();
  const key = ["undo", name];
  const all = () => client.getQueryData<readonly Done[]>(key) ?? [];
  const set = (changes: readonly Done[]) => {
    if (name === null) return;
    // The query client must not copy the changes, which are compared by identity.
    const kept = { gcTime: Infinity, staleTime: Infinity, structuralSharing: false };
    client.setQueryDefaults(key, kept);
    client.setQueryData<readonly Done[]>(key, changes);
  };
  return {
    last: () => all().at(-1),
    add: (change: Done) => set([...all(), change]),
    remove: (change: Done) => set(all().filter((one) => one !== change)),
  };
}

interface UndoableOptions<Input, Output> {
  readonly touches: Touched;
  run(call: Call, input: Input): Promise<Output>;
  told(output: Output, input: Input): string;
  undo(output: Output, input: Input): Undo | null;
  onDone?(output: Output, input: Input): void;
}

export function useUndoableChange<Input, Output>(
  { touches, run, told, undo, onDone }: UndoableOptions<Input, Output>,
) {
  const { act, isBusy } = useUndoQueue(null, touches);
  return {
    isPending: isBusy,
    mutate: (input: Input) =>
      void act({
        run: (call) => run(call, input),
        told: (output) => told(output, input),
        undo: (output) => undo(output, input),
        onDone: (output) => onDone?.(output, input),
      }),
  };
}
