import { AUDIT_DEEDS } from "../../../audit/audit_actions.ts";
import type { AuditRow } from "../../../audit/audit.ts";
import type { App } from "../../app/app.ts";
import { fieldName, fieldText } from "../field_text.ts";
import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";

/** "Rule switched"; an unknown action as it is. */
export function auditActionText({ auditLog }: Words, action: string): string {
  const [type = "", deed = ""] = action.split(".");
  if (!(type in AUDIT_DEEDS)) return action;
  return `${labelIn(auditLog.resources, type)} ${labelIn(auditLog.deeds, deed)}`;
}

/** Which side of a row names its currency, where that was changed too. */
export function currencyOf(row: AuditRow, side: "before" | "after"): string | undefined {
  const named = row[side]?.currency;
  return typeof named === "string" ? named : row.currency;
}

/** "Unser Preis 100,00 € → 120,00 €; Titel Alt → Neu": as many of the changes as a line tells. */
export function changeText(app: Pick<App, "words" | "show">, row: AuditRow): string {
  const names = [...new Set([...Object.keys(row.before ?? {}), ...Object.keys(row.after ?? {})])];
  const side = (name: string, which: "before" | "after") =>
    fieldText(app, name, row[which]?.[name], currencyOf(row, which));
  return names.slice(0, CHANGES_SHOWN).map((name) => {
    const after = side(name, "after");
    // Of something new or gone there is one side alone.
    if (row.before === null) return `${fieldName(app.words, name)} ${after}`;
    return `${fieldName(app.words, name)} ${side(name, "before")} → ${after}`;
  }).join("; ");
}

/** The others stand in the single view. */
const CHANGES_SHOWN = 3;

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Actions to filter by, of one kind of resource when one is chosen. */
export function actionChoices(words: Words, resource: string): Choice[] {
  const [type = ""] = resource.split(":");
  return Object.entries<readonly string[]>(AUDIT_DEEDS)
    .filter(([name]) => type === "" || name === type)
    .flatMap(([name, deeds]) => deeds.map((deed) => `${name}.${deed}`))
    .map((action) => ({ value: action, label: auditActionText(words, action) }));
}

/** Kinds of resources to filter by; a single one, which a link has named, stays a choice. */
export function resourceChoices({ auditLog: { resources } }: Words, chosen: string): Choice[] {
  const kinds = Object.keys(AUDIT_DEEDS).map((type) => ({
    value: type,
    label: labelIn(resources, type),
  }));
  const [type = "", id] = chosen.split(":");
  if (id === undefined) return kinds;
  return [...kinds, { value: chosen, label: `${labelIn(resources, type)} …${id.slice(-6)}` }];
}
