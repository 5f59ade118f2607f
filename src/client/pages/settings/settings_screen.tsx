import type { FunctionComponent } from "preact";
import { useRoute } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import type { Role } from "../../app/app_state.ts";
import { useApp } from "../../app/app.ts";
import { PageHead } from "../../parts/page_head.tsx";
import type { Words } from "../../words/words.ts";
import { AccountPart } from "./account_part.tsx";
import { KeysPart } from "./keys_part.tsx";
import { PeoplePart } from "./people_part.tsx";
import { ProfilesPart } from "./profiles_part.tsx";
import { WebhooksPart } from "./webhooks_part.tsx";
import { WorkspacePart } from "./workspace_part.tsx";

interface Part {
  /** The last part of its address, and its name in the dictionary. */
  readonly name: keyof Words["settings"]["parts"];
  readonly role: Role;
  readonly component: FunctionComponent;
}

/** The parts of the settings, in the order of their tabs. */
const PARTS: readonly Part[] = [
  { name: "workspace", role: "viewer", component: WorkspacePart },
  { name: "people", role: "owner", component: PeoplePart },
  { name: "keys", role: "owner", component: KeysPart },
  { name: "webhooks", role: "viewer", component: WebhooksPart },
  { name: "profiles", role: "viewer", component: ProfilesPart },
  { name: "account", role: "viewer", component: AccountPart },
];

export function SettingsScreen() {
  const { words, may } = useApp();
  const { params } = useRoute();
  const allowed = PARTS.filter(({ role }) => may(role));
  const part = allowed.find(({ name }) => name === params.part) ?? allowed[0];
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tabs are moved sideways: the chosen one stands in sight.
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({
      block: "nearest",
      inline: "center",
    });
  }, [part?.name]);
  if (!part) return null;
  const Content = part.component;
  return (
    <div class="page">
      <PageHead title={words.settings.title} />
      <nav class="tabs" ref={tabs} aria-label={words.settings.title}>
        {allowed.map(({ name }) => (
          <a
            key={name}
            href={`/settings/${name}`}
            aria-current={name === part.name ? "page" : undefined}
          >
            {words.settings.parts[name]}
          </a>
        ))}
      </nav>
      <Content />
    </div>
  );
}
