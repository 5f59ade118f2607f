import { useApp } from "../../app/app.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { TEMPLATE_NAMES, type TemplateName } from "./rule_templates.ts";

const ICONS: Readonly<Record<TemplateName, IconName>> = {
  follow: "competitors",
  margin: "warning",
  stale: "runs",
};

/** Rules to begin with, while there is none. */
export function TemplateCards() {
  const { words } = useApp();
  const texts = words.rules.templates;
  return (
    <div class="cards">
      {TEMPLATE_NAMES.map((name) => (
        <a key={name} class="card" href={`/rules/new?template=${name}`}>
          <Icon name={ICONS[name]} />
          <strong>{texts[name]}</strong>
          <span>{texts[`${name}Text`]}</span>
        </a>
      ))}
    </div>
  );
}
