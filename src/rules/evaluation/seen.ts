/** Which changes of a product rules have judged (docs/decisions/jobs.md, Evaluation). */

/** Versionstamps: every change up to there has been judged. */
export interface Seen {
  /** By every rule that changes of products are put before; null where nobody knows. */
  readonly byAll: string | null;
  /** By a rule that was asked alone, by its id; absent for one that knows no more than all. */
  readonly byRule: Readonly<Record<string, string>>;
}

export const NOTHING_SEEN: Seen = { byAll: null, byRule: {} };

/** True when the rule has judged the product since the change. */
export function hasSeen({ byAll, byRule }: Seen, ruleId: string, stamp: string): boolean {
  return (byAll ?? "") >= stamp || (byRule[ruleId] ?? "") >= stamp;
}

/** Every rule was asked. */
export function seenByAll(stamp: string): Seen {
  return { byAll: stamp, byRule: {} };
}

/** Only some rules were asked: of the others nothing is known that was not known before. */
export function seenBySome(
  { byAll, byRule }: Seen,
  ruleIds: readonly string[],
  stamp: string,
): Seen {
  const now = Object.fromEntries(ruleIds.map((id) => [id, stamp]));
  return { byAll, byRule: { ...byRule, ...now } };
}
