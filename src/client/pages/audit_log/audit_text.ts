import type { Words } from "../../words/de.ts";

/** What can happen to what; an action is the one, a dot, the other. */
const DEEDS: Readonly<Record<string, readonly string[]>> = {
  product: ["create", "update", "delete", "restore", "bulk"],
  proposal: ["approve", "reject", "rollback"],
  rule: ["create", "update", "toggle", "delete"],
  competitor: ["create", "update", "delete"],
  competitor_product: ["create", "update", "delete", "push"],
  import: ["finish"],
  import_profile: ["create", "update", "delete"],
  webhook: ["create", "update", "delete", "disable", "test"],
  api_key: ["create", "revoke"],
  user: ["create", "update", "delete", "join", "password", "reset_link"],
  workspace: ["create", "update", "import"],
};

/** "Rule switched"; an unknown action as it is. */
export function auditActionText({ auditLog }: Words, action: string): string {
  const [type = "", deed = ""] = action.split(".");
  const resource = auditLog.resources[type];
  return resource === undefined ? action : `${resource} ${auditLog.deeds[deed] ?? deed}`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Actions to filter by, of one kind of resource when one is chosen. */
export function actionChoices(words: Words, resource: string): Choice[] {
  const [type = ""] = resource.split(":");
  return Object.entries(DEEDS)
    .filter(([name]) => type === "" || name === type)
    .flatMap(([name, deeds]) => deeds.map((deed) => `${name}.${deed}`))
    .map((action) => ({ value: action, label: auditActionText(words, action) }));
}

/** Kinds of resources to filter by; a single one, which a link has named, stays a choice. */
export function resourceChoices({ auditLog: { resources } }: Words, chosen: string): Choice[] {
  const kinds = Object.keys(DEEDS).map((type) => ({ value: type, label: resources[type] ?? type }));
  const [type = "", id] = chosen.split(":");
  if (id === undefined) return kinds;
  return [...kinds, { value: chosen, label: `${resources[type] ?? type} …${id.slice(-6)}` }];
}
