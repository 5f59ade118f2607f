/**
 * The settings, with one tab for each part and a minimum role for each tab. An unknown or forbidden
 * name in the address opens the first tab.
 */
import type { FunctionComponent } from "preact";
import { useRoute } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import type { Role } from "../../app/app_state.ts";
import { PageHead, Pending, Section } from "../../parts/page.tsx";
import type { Words } from "../../words/words.ts";
import { AccountPart } from "./account_part.tsx";
import { KeysPart } from "./keys_part.tsx";
import { PeoplePart } from "./people_part.tsx";
import { WebhooksPart } from "./webhooks_part.tsx";
import { WorkspacePart } from "./workspace_part.tsx";
import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { useProfiles } from "../../parts/import/use_profiles.ts";
import { Badge, Icon } from "../../parts/controls.tsx";
import { type Column, column, ListTable, SimpleTable } from "../../parts/table/table.tsx";
import { byId, get, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { FactorSections } from "../../parts/factors/factor_sections.tsx";
import { ActionButton } from "../../parts/action_button.tsx";

interface Part {
  /** The last segment of the address, and the key of the title in the dictionary. */
  readonly name: keyof Words["settings"]["parts"];
  readonly role: Role;
  readonly component: FunctionComponent;
}

const PARTS: readonly Part[] = [
  { name: "workspace", role: "viewer", component: WorkspacePart },
  { name: "people", role: "owner", component: PeoplePart },
  { name: "keys", role: "owner", component: KeysPart },
  { name: "webhooks", role: "viewer", component: WebhooksPart },
  { name: "profiles", role: "viewer", component: ProfilesPart },
  { name: "account", role: "viewer", component: AccountPart },
  { name: "security", role: "viewer", component: SecurityPart },
];

export function SettingsScreen() {
  const { words, may } = useApp();
  const { params } = useRoute();
  const allowed = PARTS.filter(({ role }) => may(role));
  const part = allowed.find(({ name }) => name === params.part) ?? allowed[0];
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({
      block: "nearest",
      inline: "center",
    });
  }, [part?.name]);
  if (!part) return null;
  const Content = part.component;
  return (
    <div class="page wide">
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

function ProfilesPart() {
  const { words: { profiles: texts }, may } = useApp();
  const list = useProfiles();
  const columns = useProfileColumns();
  return (
    <Section
      title={texts.title}
      note={texts.note}
      actions={may("manager") && (
        <a class="button main" href="/settings/new-profile">
          <Icon name="plus" />
          {texts.create}
        </a>
      )}
    >
      <ListTable
        label={texts.title}
        columns={columns}
        list={list}
        idOf={(one) => `${one.id} ${one.format === "table" ? one.amounts : "xml"}`}
      />
    </Section>
  );
}

function useProfileColumns(): readonly Column<ProfileDocument>[] {
  const { words, may } = useApp();
  const texts = words.profiles;
  const { columns } = texts;
  return [
    column("name", columns.name, 170).cell(({ id, name, format }) => (
      <a href={`/settings/profiles/${id}${format === "table" ? "?format=table" : ""}`}>{name}</a>
    )),
    column("id", columns.id, 142).cell(({ id }) => <code>{id}</code>),
    column("root", columns.root, 134).cell((profile) => <Detected profile={profile} />),
    column("kind", columns.kind, 92).cell(({ builtIn }) =>
      builtIn ? <Badge>{texts.builtIn}</Badge> : <Badge tone="good">{texts.own}</Badge>
    ),
    column("copy", words.actions, 118).cell(({ id, format }) =>
      may("manager") && (
        <a href={`/settings/new-profile?from=${id}${format === "table" ? "&format=table" : ""}`}>
          {texts.copy}
        </a>
      )
    ),
  ];
}

function Detected({ profile }: { profile: ProfileDocument }) {
  const texts = useApp().words.profiles;
  if (profile.format === "table") return <>{texts.aTable}</>;
  const { root } = profile.detect;
  return root === "*" ? <>XML</> : (
    <>
      XML, <code>{root}</code>
    </>
  );
}

type Session = Wire<"Session">;

function SecurityPart() {
  return (
    <>
      <FactorSections />
      <SessionSection />
    </>
  );
}

function SessionSection() {
  const texts = useApp().words.sessions;
  const found = useDocument(get("/api/auth/sessions"));
  const columns = useSessionColumns();
  const items = found.data?.items ?? [];
  return (
    <Section
      title={texts.title}
      note={texts.note}
      actions={items.length > 1 && (
        <ActionButton
          ask={(api) => api.POST("/api/auth/sessions/end-others")}
          touches={["sessions"]}
        >
          {texts.endOthers}
        </ActionButton>
      )}
    >
      {found.data
        ? <SimpleTable label={texts.title} columns={columns} rows={items} />
        : <Pending of={found} />}
    </Section>
  );
}

function useSessionColumns(): readonly Column<Session>[] {
  const { words, show } = useApp();
  const texts = words.sessions;
  return [
    column("device", texts.device, 220).cell(({ browser, system, isCurrent }) => (
      <>
        {texts.deviceOf(
          browser ? texts.browsers[browser] : texts.unknownBrowser,
          system ? texts.systems[system] : texts.unknownSystem,
        )} {isCurrent && <Badge tone="good">{texts.current}</Badge>}
      </>
    )),
    column("address", texts.address, 150).cell(({ address }) => address ?? "–"),
    column("since", texts.since, 140).cell(({ createdAt }) => show.dateTime(createdAt)),
    column("used", texts.lastUsed, 140).cell(({ lastUsedAt }) => show.ago(lastUsedAt)),
    column("actions", words.actions, 120).cell(({ id, isCurrent }) =>
      !isCurrent && <EndButton id={id} />
    ),
  ];
}

function EndButton({ id }: { readonly id: string }) {
  return (
    <ActionButton
      kind="quiet"
      ask={(api) => api.DELETE("/api/auth/sessions/{id}", byId(id))}
      touches={["sessions"]}
    >
      {useApp().words.sessions.end}
    </ActionButton>
  );
}
