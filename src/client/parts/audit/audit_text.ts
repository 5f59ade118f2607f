import { AUDIT_DEEDS } from "../../../audit/audit_actions.ts";
import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";

/** "Rule switched"; an unknown action as it is. */
export function auditActionText({ auditLog }: Words, action: string): string {
  const [type = "", deed = ""] = action.split(".");
  if (!(type in AUDIT_DEEDS)) return action;
  return `${labelIn(auditLog.resources, type)} ${labelIn(auditLog.deeds, deed)}`;
}

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
