import { useApp } from "../../app/app.ts";

export function ImportSteps({ now }: { now: number }) {
  const { steps, stepsLabel } = useApp().words.imports.new;
  return (
    <ol class="import-steps flow soft fine" aria-label={stepsLabel}>
      {steps.map((step, at) => (
        <li
          key={step}
          class={at < now ? "done" : undefined}
          aria-current={at === now ? "step" : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  );
}
