/**
 * Changes that a person makes on a product's page. Undo reverses the changes one by one, the newest
 * first.
 */
import { useRef, useState } from "preact/hooks";
import { Overtaken } from "../../api/save_over.ts";
import type { Call } from "../../api/call.ts";
import { useApp, useRefresh } from "../../app/app.ts";

interface Action {
  run(call: Call): Promise<unknown>;
  readonly done: string;
  /** Undoes the change, and resolves to the message for the person. */
  back(call: Call): Promise<string>;
  /** Called before data is read again, so that a dialog closes immediately. */
  onDone?(): void;
}

export interface Doing {
  readonly isBusy: boolean;
  /** Resolves to false if the change failed; the person has then seen the reason. */
  act(action: Action): Promise<boolean>;
  undo(): void;
}

const TOUCHED = ["products", "proposals", "matches", "rules", "overview", "audit"] as const;

export function useDoing(): Doing {
  const { call, toasts, words } = useApp();
  const refresh = useRefresh(...TOUCHED);
  const [running, setRunning] = useState(0);
  const done = useRef<{ readonly action: Action; readonly toastId: number | null }[]>([]);
  const onItsWay = useRef<Promise<unknown>>(Promise.resolve());
  /** `onDone` runs before data is read again, so that undo is possible immediately. */
  const attempt = async <T>(
    work: () => Promise<T>,
    onDone: (answer: T) => void,
  ): Promise<boolean> => {
    setRunning((count) => count + 1);
    try {
      onDone(await work());
      return true;
    } catch (error) {
      if (error instanceof Overtaken) toasts.tell(words.priceEdit.overtaken);
      else toasts.refuse(error);
      return false;
    } finally {
      setRunning((count) => count - 1);
      await refresh();
    }
  };
  const takeBack = (action: Action) => {
    const at = done.current.findIndex((one) => one.action === action);
    const [taken] = at < 0 ? [] : done.current.splice(at, 1);
    if (!taken) return;
    if (taken.toastId !== null) toasts.close(taken.toastId);
    void attempt(() => action.back(call), (undone) => toasts.tell(undone));
  };
  return {
    isBusy: running > 0,
    act: (action) => {
      const work = action.run(call);
      // A refused change is never added to `done`, so `undo` can ignore the error.
      onItsWay.current = work.catch(() => null);
      return attempt(() => work, () => {
        action.onDone?.();
        toasts.tell(action.done, () => takeBack(action));
        done.current.push({ action, toastId: toasts.shown.value.at(-1)?.id ?? null });
      });
    },
    undo: () =>
      void onItsWay.current.then(() => {
        const last = done.current.at(-1);
        if (last) takeBack(last.action);
      }),
  };
}
