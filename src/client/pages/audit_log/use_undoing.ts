import { useMemo } from "preact/hooks";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { Overtaken } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import { takenBackText } from "../../parts/decision/decision.tsx";
import { countOf, takeBack, type Undoing, undoingsOf } from "./undo_entry.ts";

export type Undo = ReturnType<typeof useUndoing>;

export function useUndoing(rows: readonly AuditRow[]) {
  const { words, show, may, questions, toasts } = useApp();
  const texts = words.auditLog;
  const isManager = may("manager");
  const undoings = useMemo(
    () => isManager ? undoingsOf(rows, Date.now()) : new Map<string, Undoing>(),
    [rows, isManager],
  );
  const change = useChange({
    run: (call, wanted: readonly Undoing[]) => takeBack(call, wanted, words.frame.undone),
    touches: ["audit-logs", "products", "proposals", "overview", "matches", "repairs"],
    showsError: true,
    onDone: ({ done, left, reopened = [] }) => {
      const undone = left === 0 ? words.frame.undone : texts.undoneBut(done, left);
      toasts.tell(takenBackText({ words, show }, undone, reopened));
    },
  });
  const run = async (wanted: readonly Undoing[]) => {
    const count = countOf(wanted);
    if (count > 1 || wanted.some(({ kind }) => kind === "bulk")) {
      const title = wanted.every(({ kind }) => kind === "bulk")
        ? texts.undoMany(count)
        : texts.undoChanges(count);
      if (!await questions.ask({ title, text: texts.undoManyText, yes: texts.undo })) return;
    }
    change.mutate(wanted, {
      onError: (error) => {
        if (error instanceof Overtaken) toasts.tell(texts.overtaken);
        else toasts.refuse(error);
      },
    });
  };
  return {
    isBusy: change.isPending,
    of: (entries: readonly AuditRow[]) => {
      const wanted = entries.flatMap(({ id }) => undoings.get(id) ?? []);
      return wanted.length === 0 ? null : () => void run(wanted);
    },
  };
}
