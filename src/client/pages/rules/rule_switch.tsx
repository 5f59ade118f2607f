import { byId } from "../../api/call.ts";
import type { RuleDocument } from "../../../engine/pricing/rule.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";

/** On or off, at once. Who may not switch sees the state in words. */
export function RuleSwitch({ rule }: { rule: RuleDocument }) {
  const { words, toasts, may } = useApp();
  const texts = words.rules;
  const toggle = useChange({
    run: async (call, wanted: boolean) => {
      // The service toggles: a concurrent switch of another person would be reverted.
      const now = await call((api) => api.GET("/api/rules/{id}", byId(rule.id)));
      if (now.enabled === wanted) return now;
      return await call((api) => api.POST("/api/rules/{id}/toggle", byId(rule.id)));
    },
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
      onClick={() => toggle.mutate(!rule.enabled)}
    >
      <i aria-hidden="true" />
      {state}
    </button>
  );
}
