import type { RuleDocument } from "../../../pricing/rule.ts";
import { useChange } from "../../api/use_change.ts";
import { useApp } from "../../frame/app.ts";

/** On or off, at once. Who may not switch sees the state in words. */
export function RuleSwitch({ rule }: { rule: RuleDocument }) {
  const { words, toasts, may } = useApp();
  const texts = words.rules;
  const toggle = useChange({
    run: (call, _: null) =>
      call<{ enabled: boolean }>(`/api/rules/${rule.id}/toggle`, { method: "POST" }),
    touches: ["rules", "products", "audit"],
    onDone: ({ enabled }) =>
      toasts.tell(enabled ? texts.toggledOn(rule.name) : texts.toggledOff(rule.name)),
  });
  const state = rule.enabled ? texts.on : texts.off;
  if (!may("manager")) return <span class={rule.enabled ? undefined : "soft"}>{state}</span>;
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={rule.enabled}
      aria-label={texts.toggle(rule.name)}
      aria-busy={toggle.isPending || undefined}
      disabled={toggle.isPending}
      onClick={() => toggle.mutate(null)}
    >
      <i aria-hidden="true" />
      {state}
    </button>
  );
}
