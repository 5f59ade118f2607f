import { z } from "@hono/zod-openapi";
import { BROKEN_BOUNDS } from "../../base/price_doubts.ts";
import { atMost, hasControlCharacters } from "../../base/text.ts";
import { AUDIT_TAGS, type AuditAction, type AuditedKind, type AuditTag } from "./audit_actions.ts";

const REASON_CHARACTERS_MAX = 500;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const AuditReason = z.string()
  .max(REASON_CHARACTERS_MAX * 4, {
    abort: true,
    error: `Must have at most ${REASON_CHARACTERS_MAX} characters`,
  })
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .refine((text) => !hasControlCharacters(text), "Must not contain control characters")
  .superRefine(atMost(REASON_CHARACTERS_MAX))
  .transform((text) => VISIBLE.test(text) ? text : null)
  .nullable()
  .meta({
    type: ["string", "null"],
    maxLength: REASON_CHARACTERS_MAX,
    description: "The reason, for the audit log",
    example: "Campaign with the manufacturer",
  });

/** An audit row is written in the same commit as the change that it records, and never modified. */
export const AuditRow = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actor: z.object({
    type: z.enum(["user", "api_key", "system"]),
    id: z.string(),
    name: z.string(),
  }),
  action: z.string().meta({
    description: "Dotted, as in `product.update`",
    example: "product.update",
  }),
  resource: z.object({ type: z.string(), id: z.string(), label: z.string() }),
  before: z.record(z.string(), z.unknown()).nullable()
    .describe("The changed fields before; null for a creation"),
  after: z.record(z.string(), z.unknown()).nullable()
    .describe("The changed fields after; null for a deletion"),
  currency: z.string().optional()
    .describe("Currency of the amounts in `before` and `after`, unless these contain another one"),
  about: z.array(z.string()).optional().meta({
    description: "Other resources that it concerns, except those in `before` and `after`",
    example: ["rule:64f0c2a1e4b0a1b2c3d4e5f6"],
  }),
  reason: z.string().optional().describe("The reason that the person gave"),
  brokenBound: z.enum(BROKEN_BOUNDS).optional()
    .describe("The bound of the product that the new price violates"),
  requestId: z.string(),
}).meta({ id: "AuditRow" });

export type AuditRow = z.infer<typeof AuditRow>;

export interface AuditEntryOf<Kind extends AuditedKind>
  extends Partial<Pick<AuditRow, "before" | "after" | "currency" | "about" | "brokenBound">> {
  readonly reason?: string | null | undefined;
  readonly action: AuditAction<Kind>;
  readonly resource: AuditRow["resource"] & { readonly type: Kind };
}

export type AuditEntry = { [Kind in AuditedKind]: AuditEntryOf<Kind> }[AuditedKind];

export function changedFields(
  before: object | null,
  after: object | null,
  hidden: readonly string[] = [],
): Pick<AuditRow, "before" | "after"> {
  const from: Record<string, unknown> = { ...before };
  const to: Record<string, unknown> = { ...after };
  const names = Object.keys({ ...from, ...to }).filter((name) =>
    !hidden.includes(name) && JSON.stringify(from[name]) !== JSON.stringify(to[name])
  );
  const only = (side: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, side[name] ?? null]));
  return { before: before && only(from), after: after && only(to) };
}

export function auditOf<Kind extends AuditedKind, Row extends { readonly id: string }>(
  type: Kind,
  labelOf: (row: Row) => string,
  { shown = (row) => row, hidden }: {
    shown?(row: Row): object;
    readonly hidden?: readonly string[];
  } = {},
) {
  return (
    action: AuditAction<Kind>,
    before: Row | null,
    after: Row | null,
  ): AuditEntryOf<Kind> => {
    const row = after ?? before;
    if (!row) throw new Error("An audit row needs a row before or after the change");
    return {
      action,
      resource: { type, id: row.id, label: labelOf(row) },
      ...changedFields(before && shown(before), after && shown(after), hidden),
    };
  };
}

const NAMED = { productId: "product", ruleId: "rule" } as const;
const FOUND = new Set<string>(Object.values(NAMED));

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
