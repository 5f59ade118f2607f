/** What an audit row is found by beside its own fields: what else it concerns, and what kind of news it is. */
import type { AuditRow } from "./audit.ts";
import { AUDIT_TAGS, type AuditTag } from "./audit_actions.ts";

/** Fields that name another resource by its id. */
const NAMED = { productId: "product", ruleId: "rule" } as const;
/** Resources that a row is found by although it is of another one. */
const FOUND = new Set<string>(Object.values(NAMED));

/** The products and rules that a row is about, its own resource among them, as `type:id`. */
export function aboutOf({ resource, before, after, about = [] }: AuditRow): string[] {
  const found = new Set(about);
  if (FOUND.has(resource.type)) found.add(`${resource.type}:${resource.id}`);
  for (const side of [before, after]) {
    for (const [field, type] of Object.entries(NAMED)) {
      const id = side?.[field];
      if (typeof id === "string") found.add(`${type}:${id}`);
    }
  }
  return [...found];
}

const TAKEN_BACK = new Set(["proposal.rollback", "product.restore"]);

/** In the order of the list. */
export function tagsOf(row: AuditRow): AuditTag[] {
  return AUDIT_TAGS.filter((tag) => HAS[tag](row));
}

const HAS: Readonly<Record<AuditTag, (row: AuditRow) => boolean>> = {
  price: ({ before, after }) => (before?.ourPriceCents ?? null) !== (after?.ourPriceCents ?? null),
  people: ({ actor }) => actor.type === "user",
  rules: ({ resource }) => resource.type === "rule",
  reason: ({ reason }) => reason !== undefined,
  beyond: ({ brokenBound, after }) =>
    brokenBound !== undefined || Number(after?.beyondBounds ?? 0) > 0,
  undone: ({ action, before, after }) =>
    TAKEN_BACK.has(action) || (before?.isError === true && after?.isError === false),
};
