import { z } from "@hono/zod-openapi";
import { BROKEN_BOUNDS } from "../../base/price_doubts.ts";
import { hasControlCharacters, isLongerThan } from "../../base/text.ts";
import type { AuditAction, AuditedKind } from "./audit_actions.ts";

const REASON_CHARACTERS_MAX = 500;

/** Visible characters: not only spaces, marks or format characters. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A person's reason for a change, on one line; without a visible character it counts as none. */
export const AuditReason = z.string()
  .max(REASON_CHARACTERS_MAX * 4, {
    abort: true,
    error: `Must have at most ${REASON_CHARACTERS_MAX} characters`,
  })
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .refine((text) => !hasControlCharacters(text), "Must not hold control characters")
  .refine(
    (text) => !isLongerThan(text, REASON_CHARACTERS_MAX),
    `Must have at most ${REASON_CHARACTERS_MAX} characters`,
  )
  .transform((text) => VISIBLE.test(text) ? text : null)
  .nullable()
  .meta({
    type: ["string", "null"],
    maxLength: REASON_CHARACTERS_MAX,
    description: "Why, for the audit log",
    example: "Campaign with the manufacturer",
  });

/** A change: written in the same commit, never changed or removed. */
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
    .meta({ description: "The changed fields as they were; null for something new" }),
  after: z.record(z.string(), z.unknown()).nullable()
    .meta({ description: "The changed fields as they are; null for something that is gone" }),
  currency: z.string().optional()
    .meta({ description: "Of the amounts in `before` and `after`, unless these name another one" }),
  about: z.array(z.string()).optional().meta({
    description: "What else it concerns, but for what `before` and `after` name",
    example: ["rule:64f0c2a1e4b0a1b2c3d4e5f6"],
  }),
  reason: z.string().optional().meta({ description: "Why, in the words of who did it" }),
  brokenBound: z.enum(BROKEN_BOUNDS).optional().meta({
    description: "The bound of its product that the new price is beyond",
  }),
  requestId: z.string(),
}).meta({ id: "AuditRow" });

export type AuditRow = z.infer<typeof AuditRow>;

/** A verb's description of its change; time, actor and request come from the context. */
export interface AuditEntry
  extends Pick<AuditRow, "before" | "after" | "currency" | "about" | "brokenBound"> {
  /** `null` and absent: none was given. */
  readonly reason?: string | null | undefined;
  readonly action: AuditAction;
  readonly resource: AuditRow["resource"] & { readonly type: AuditedKind };
}

/**
 * On both sides only the fields whose values differ, because an audit row contains no complete documents.
 */
export function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Pick<AuditRow, "before" | "after"> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const only = (source: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, source[name] ?? null]));
  return { before: only(before), after: only(after) };
}
