/**
 * What can happen to what: an action is a kind of resource, a dot, and one of its deeds. The names
 * are public and only ever grow.
 */
export const AUDIT_DEEDS = {
  product: ["create", "update", "delete", "restore", "bulk"],
  proposal: ["approve", "reject", "rollback"],
  rule: ["create", "update", "toggle", "delete"],
  competitor: ["create", "update", "delete"],
  competitor_product: ["create", "update", "delete", "push"],
  import: ["finish", "discard"],
  import_profile: ["create", "update", "delete"],
  webhook: ["create", "update", "delete", "disable"],
  api_key: ["create", "revoke"],
  user: ["create", "update", "delete", "join", "password", "reset_link"],
  workspace: ["create", "update", "import"],
} as const;

type Deeds = typeof AUDIT_DEEDS;

/** The type of the resource that an action is done to. */
export type AuditedKind = keyof Deeds;
export type AuditDeed = Deeds[AuditedKind][number];

/** As `product.update`; `K` narrows it to some kinds of resources. */
export type AuditAction<K extends AuditedKind = AuditedKind> = {
  [Kind in K]: `${Kind}.${Deeds[Kind][number]}`;
}[K];
