import { useApp, useDocument } from "../../app/app.ts";
import { get } from "../../api/call.ts";

interface Conflict {
  readonly ruleId: string;
}

/** The list of other rules that want a price for products of this rule. */
export function RuleConflicts<C extends Conflict>(
  { conflicts, title, text }: { conflicts: readonly C[]; title: string; text(conflict: C): string },
) {
  if (conflicts.length === 0) return null;
  return (
    <div class="note warn">
      <strong>{title}</strong>
      <ul>
        {conflicts.map((conflict) => (
          <li key={conflict.ruleId}>
            <RuleLink ruleId={conflict.ruleId} />: {text(conflict)}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function RuleLink({ ruleId }: { ruleId: string }) {
  const { words } = useApp();
  const rules = useDocument(get("/api/rules"));
  const name = rules.data?.find(({ id }) => id === ruleId)?.name ?? words.rules.title;
  return <a href={`/rules/${ruleId}`}>{name}</a>;
}
