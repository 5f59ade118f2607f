import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";

interface Conflict {
  readonly ruleId: string;
}

interface RuleConflictsProps<C extends Conflict> {
  readonly conflicts: readonly C[];
  readonly title: string;
  text(conflict: C): string;
}

/** Other rules that want a price for the same products. */
export function RuleConflicts<C extends Conflict>(
  { conflicts, title, text }: RuleConflictsProps<C>,
) {
  const { words } = useApp();
  const rules = useDocument({ key: ["rules"], read: (api) => api.GET("/api/rules") });
  if (conflicts.length === 0) return null;
  const nameOf = (id: string) =>
    rules.data?.find((rule) => rule.id === id)?.name ?? words.rules.title;
  return (
    <div class="note warn">
      <strong>{title}</strong>
      <ul>
        {conflicts.map((conflict) => (
          <li key={conflict.ruleId}>
            <a href={`/rules/${conflict.ruleId}`}>{nameOf(conflict.ruleId)}</a>: {text(conflict)}
          </li>
        ))}
      </ul>
    </div>
  );
}
