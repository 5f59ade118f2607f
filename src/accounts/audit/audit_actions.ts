/** Clients know the names of audit actions, so no action may be removed. */
export const AUDIT_ACTIONS = {
  product: ["create", "update", "delete", "restore", "bulk", "mark"],
  proposal: ["approve", "reject", "rollback", "later", "reopen"],
  rule: ["create", "update", "toggle", "apply", "delete", "release"],
  competitor: ["create", "update", "delete"],
  recipe: ["teach", "relearn", "delete"],
  discovery: ["update", "run", "pause", "unpause"],
  match_suggestion: ["accept", "reject", "reopen"],
  competitor_product: [
    "create",
    "update",
    "delete",
    "push",
    "confirm",
    "reject",
    "reopen",
    "release",
    "drop",
  ],
  import: ["finish", "discard", "undo"],
  import_profile: ["create", "update", "delete"],
  import_source: ["create", "update", "delete", "pull"],
  sales: ["push"],
  view: ["create", "update", "delete"],
  webhook: ["create", "update", "delete", "disable", "rotate"],
  api_key: ["create", "revoke", "rotate"],
  user: [
    "create",
    "update",
    "delete",
    "join",
    "password",
    "reset_link",
    "factor_add",
    "factor_remove",
    "factor_use",
    "factor_fail",
    "factor_reset",
    "factor_rename",
    "provider_fail",
    "recovery_codes",
    "session_end",
  ],
  workspace: ["create", "update", "import", "stop", "resume"],
} as const;

type Actions = typeof AUDIT_ACTIONS;

export type AuditedKind = keyof Actions;
export type AuditVerb = Actions[AuditedKind][number];

export type AuditAction<K extends AuditedKind = AuditedKind> = {
  [Kind in K]: `${Kind}.${Actions[Kind][number]}`;
}[K];

export function actionsOf(kind: string): string[] {
  const found = Object.entries(AUDIT_ACTIONS).find(([name]) => name === kind);
  return found?.[1].map((verb) => `${kind}.${verb}`) ?? [];
}

export const AUDIT_TAGS = ["price", "people", "rules", "reason", "beyond", "undone"] as const;
export type AuditTag = (typeof AUDIT_TAGS)[number];
