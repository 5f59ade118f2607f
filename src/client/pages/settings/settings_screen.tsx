/**
 * Shows the settings in tabs, each with a minimum role. For an unknown or forbidden tab in the URL,
 * the first tab opens.
 */
import type { FunctionComponent } from "preact";
import { useRoute } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import type { Role } from "../../app/app_state.ts";
import { PageHead, Pending, Section } from "../../parts/page.tsx";
import type { Words } from "../../words/words.ts";
import { KeysPart, PeoplePart } from "./access_parts.tsx";
import { WebhooksPart } from "./webhooks_part.tsx";
import { useMailTest, WorkspacePart } from "./workspace_part.tsx";
import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { useProfiles } from "../../parts/import/file_preview.tsx";
import { Badge, Button, CheckBox, Icon } from "../../parts/controls.tsx";
import { type Column, column, ListTable, SimpleTable } from "../../parts/table/table.tsx";
import { byId, get, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument, useSignOut } from "../../app/app.ts";
import { FactorSections } from "../../parts/factors/factor_sections.tsx";
import { ActionButton } from "../../parts/action_button.tsx";
import { LanguageSwitch } from "../../parts/alone.tsx";
import {
  CheckField,
  FormFrame,
  PasswordField,
  SaveButton,
  TextField,
  useForm,
} from "../../parts/form/fields.tsx";

interface Part {
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
  const { words: { profiles: texts, settings }, may } = useApp();
  const list = useProfiles();
  const columns = useProfileColumns();
  return (
    <Section
      title={settings.parts.profiles}
      note={texts.note}
      actions={may("manager") && (
        <a class="button main" href="/settings/new-profile">
          <Icon name="plus" />
          {texts.create}
        </a>
      )}
    >
      <ListTable
        label={settings.parts.profiles}
        columns={columns}
        list={list}
        idOf={(one) => `${one.id} ${one.format === "table" ? one.amounts : "xml"}`}
      />
    </Section>
  );
}

function useProfileColumns(): readonly Column<ProfileDocument>[] {
  const { words: { profiles: texts, actions, fields }, may } = useApp();
  const { columns } = texts;
  return [
    column("name", fields.name, 170).cell(({ id, name, format }) => (
      <a href={`/settings/profiles/${id}${format === "table" ? "?format=table" : ""}`}>{name}</a>
    )),
    column("id", columns.id, 142).cell(({ id }) => <code>{id}</code>),
    column("root", columns.root, 134).cell((profile) => <Detected profile={profile} />),
    column("kind", columns.kind, 92).cell(({ builtIn }) =>
      builtIn ? <Badge>{texts.builtIn}</Badge> : <Badge tone="good">{texts.own}</Badge>
    ),
    column("copy", actions, 118).cell(({ id, format }) =>
      format !== "table" && may("manager") && (
        <a href={`/settings/new-profile?from=${id}`}>{texts.copy}</a>
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
        <ActionButton ask={(api) => api.POST("/api/auth/sessions/end-others")}>
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

function useSessionColumns(): readonly Column<Wire<"Session">>[] {
  const { words: { sessions: texts, actions }, show } = useApp();
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
    column("since", texts.since, 140).time(({ createdAt }) => createdAt),
    column("used", texts.lastUsed, 140).cell(({ lastUsedAt }) => show.ago(lastUsedAt)),
    column("actions", actions, 120).cell(({ id, isCurrent }) =>
      !isCurrent && (
        <ActionButton
          kind="quiet"
          ask={(api) => api.DELETE("/api/auth/sessions/{id}", byId(id))}
        >
          {texts.end}
        </ActionButton>
      )
    ),
  ];
}

function AccountPart() {
  const { words, usesKeys, user } = useApp();
  const texts = words.settings.account;
  const signOut = useSignOut();
  return (
    <>
      <Section title={texts.appearance}>
        <div class="rows">
          <span>{words.language}</span>
          <LanguageSwitch />
        </div>
        <CheckField
          name="uses-keys"
          label={words.keys.areOn}
          isOn={usesKeys.value}
          onChange={(isOn) => usesKeys.value = isOn}
        />
      </Section>
      <Section title={texts.name} note={user.value?.email}>
        <NameForm />
      </Section>
      <MorningMailSection />
      <Section title={texts.password} note={user.value?.email}>
        <PasswordForm />
      </Section>
      <p>
        <Button onClick={signOut}>{words.signOut}</Button>
      </p>
    </>
  );
}

function NameForm() {
  const { call, words: { settings: { account: texts } }, toasts, user } = useApp();
  const form = useForm({
    initial: { name: user.value?.name ?? "" },
    save: async ({ name }) => {
      const body = { name: name.trim() === "" ? null : name };
      const saved = await call((api) => api.PATCH("/api/auth/me", { body }));
      user.value = saved;
      toasts.tell(texts.nameSaved);
      form.reset({ name: saved.name ?? "" });
    },
  });
  return (
    <FormFrame form={form} actions={<SaveButton form={form} />}>
      <TextField {...form.text("name", texts.name, texts.nameHint)} autoComplete="name" />
    </FormFrame>
  );
}

const EMPTY = { currentPassword: "", newPassword: "" };

function PasswordForm() {
  const { call, words: { settings: { account: texts }, setUp }, toasts } = useApp();
  const form = useForm({
    initial: EMPTY,
    save: async (body) => {
      await call((api) => api.POST("/api/auth/password", { body }));
      toasts.tell(texts.changed);
      form.reset(EMPTY);
    },
  });
  return (
    <FormFrame form={form} actions={<SaveButton form={form} label={texts.password} />}>
      <PasswordField {...form.text("currentPassword", texts.current)} of="current-password" />
      <PasswordField
        {...form.text("newPassword", texts.new, setUp.passwordHint)}
        of="new-password"
      />
    </FormFrame>
  );
}

function MorningMailSection() {
  const { words: { morningMail: texts, fields, mail } } = useApp();
  const found = useDocument(get("/api/overview/mail"));
  const change = useChange({
    ask: (api, isOn: boolean) => api.PATCH("/api/overview/mail", { body: { isOn } }),
  });
  const { button, outcome } = useMailTest("/api/overview/mail/test", texts.test);
  const { data } = found;
  return (
    <Section title={fields.dailyMail} note={data && texts.note(data.time)} actions={button}>
      {data
        ? (
          <CheckBox isOn={data.isOn} isDisabled={change.isPending} onChange={change.mutate}>
            {texts.isOn}
          </CheckBox>
        )
        : <Pending of={found} />}
      {data?.isOn && !data.isMailOn && <p class="note warn">{mail.off}</p>}
      {outcome}
    </Section>
  );
}
