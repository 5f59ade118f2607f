/**
 * Settings for owners only: people and API keys. The link of an invitation or a password reset
 * works once; such links and new keys are shown only once. Every key may read products,
 * observations and competitors; scopes give further rights. After a rotation, the old key stays
 * valid for a day at most.
 */
import { type Ask, byId, get, where, type Wire } from "../../api/call.ts";
import { KEY_SCOPE_NAMES, type Role, ROLES } from "../../../accounts/roles.ts";
import type { User } from "../../../accounts/users/user.ts";
import { useApp, useChange, useList, useRefresh } from "../../app/app.ts";
import { Badge, Button, CheckBox, NoticeDialog } from "../../parts/controls.tsx";
import { CopyBlock, CopyText } from "../../parts/copy_text.tsx";
import { EmptyState, Section } from "../../parts/page.tsx";
import { CheckField, SelectField, TextField, useForm } from "../../parts/form/fields.tsx";
import { choiceOf, chosenOf, FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import { ActionButton } from "../../parts/action_button.tsx";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { ApiKey } from "../../../accounts/keys/api_key.ts";
import { endOfDay } from "../../formats/day.ts";
import { labelIn } from "../../words/label.ts";

type LinkedUser = Wire<"LinkedUser">;

export function PeoplePart() {
  const { words, show } = useApp();
  const texts = words.settings.people;
  const { query, route } = useLocation();
  const [linked, setLinked] = useState<LinkedUser | null>(null);
  const list = useList((page) => get("/api/users", where(page)));
  return (
    <Section
      title={words.settings.parts.people}
      actions={
        <Button
          kind="main"
          icon="plus"
          onClick={() => route("/settings/people?invite=true")}
        >
          {texts.invite}
        </Button>
      }
    >
      <ListTable
        label={words.settings.parts.people}
        columns={usePeopleColumns(setLinked)}
        list={list}
      />
      {"invite" in query && (
        <InviteDialog onClose={() => route("/settings/people", true)} onInvited={setLinked} />
      )}
      {linked && (
        <NoticeDialog title={linked.email} onClose={() => setLinked(null)}>
          <CopyText text={linked.link} label={texts.link} />
          <p class="soft">{texts.linkText(show.dateTime(linked.linkExpiresAt))}</p>
        </NoticeDialog>
      )}
      <RequiredRoles />
    </Section>
  );
}

function RequiredRoles() {
  const { words: { settings: { people: texts } }, workspace } = useApp();
  const change = useChange({
    ask: (api, secondFactorRoles: Role[]) =>
      api.PATCH("/api/settings", { body: { secondFactorRoles } }),
    touches: [],
    onDone: (saved) => workspace.value = saved,
  });
  const required = workspace.value?.secondFactorRoles ?? [];
  return (
    <fieldset class="required-roles stack gap-10">
      <legend>{texts.requiredFor}</legend>
      {ROLES.toReversed().map((role) => (
        <CheckBox
          key={role}
          isOn={required.includes(role)}
          isDisabled={change.isPending}
          onChange={(isOn) =>
            change.mutate(ROLES.filter((one) => one === role ? isOn : required.includes(one)))}
        >
          {texts.roles[role]}
        </CheckBox>
      ))}
      <p class="soft">{texts.requiredText}</p>
    </fieldset>
  );
}

function usePeopleColumns(onLink: (linked: LinkedUser) => void): readonly Column<User>[] {
  const { words: { settings: { people: texts }, actions, fields, repairs }, user } = useApp();
  const me = user.value?.id;
  return [
    column("name", fields.name, { width: 120, narrowWidth: 70 }).cell(({ name }) => name ?? "–"),
    column("email", fields.email, { width: 180, narrowWidth: 110 }).cell(({ id, email }) => (
      <>{email} {id === me && <Badge>{texts.you}</Badge>}</>
    )),
    column("role", fields.role, { width: 120, narrowWidth: 80 }).cell(({ role }) => (
      <span title={texts.roleHints[role]}>{texts.roles[role]}</span>
    )),
    column("status", fields.status, { width: 100, narrowWidth: 80 }).cell(({ status }) => (
      <Badge tone={status === "active" ? "good" : "warn"}>{texts.states[status]}</Badge>
    )),
    column("factor", texts.factor, { width: 100, isWide: true }).cell(({ hasSecondFactor }) =>
      hasSecondFactor ? texts.hasFactor : "–"
    ),
    column("since", repairs.columns.since, { width: 110, isWide: true }).date((
      { createdAt },
    ) => createdAt),
    column("actions", actions, { width: 250, narrowWidth: 232 }).cell((person) => (
      <PersonActions person={person} onLink={onLink} />
    )),
  ];
}

function PersonActions({ person, onLink }: { person: User; onLink(linked: LinkedUser): void }) {
  const { words } = useApp();
  const texts = words.settings.people;
  const [isEditing, setEditing] = useState(false);
  return (
    <span class="row-actions">
      <Button
        kind="quiet"
        label={`${words.edit}: ${person.email}`}
        onClick={() => setEditing(true)}
      >
        {words.edit}
      </Button>
      <ActionButton
        kind="quiet"
        ask={(api) => api.POST("/api/users/{id}/reset-link", byId(person.id))}
        onDone={onLink}
      >
        {texts.reset}
      </ActionButton>
      <ActionButton
        kind="quiet"
        icon="close"
        label={`${words.remove}: ${person.email}`}
        ask={(api) => api.DELETE("/api/users/{id}", byId(person.id))}
        danger={{ title: texts.remove, text: texts.removeText(person.email), yes: words.remove }}
      />
      {isEditing && <PersonDialog person={person} onClose={() => setEditing(false)} />}
    </span>
  );
}

function EndingAct({ title, text, ask }: { title: string; text: string; ask: Ask<unknown> }) {
  return (
    <ActionButton kind="quiet" ask={ask} danger={{ title, text, yes: title }}>{title}</ActionButton>
  );
}

function InviteDialog(
  { onClose, onInvited }: { onClose(): void; onInvited(user: LinkedUser): void },
) {
  const { call, words: { settings: { people: texts }, fields } } = useApp();
  const refresh = useRefresh("users");
  const form = useForm({
    initial: { email: "", name: "", role: "manager" },
    save: async ({ name, ...given }) => {
      const body = { ...given, ...(name.trim() !== "" && { name }) };
      const user = await call((api) => api.POST("/api/users", { body }));
      await refresh();
      onClose();
      onInvited(user);
    },
  });
  return (
    <FormDialog title={texts.invite} form={form} onClose={onClose}>
      <TextField {...form.text("email", fields.email)} type="email" hasFocus isWide />
      <TextField {...form.text("name", fields.name)} isWide />
      <SelectField {...form.text("role", fields.role)} options={roleOptions(texts)} isWide />
    </FormDialog>
  );
}

function PersonDialog({ person, onClose }: { readonly person: User; onClose(): void }) {
  const { words: { settings: { people: texts }, fields, save } } = useApp();
  const { form, dialog } = useSavedForm({
    document: person,
    resource: `user:${person.id}`,
    read: get("/api/users/{id}", byId(person.id)),
    write: (api, body: Wire<"UserChange">) =>
      api.PATCH("/api/users/{id}", { ...byId(person.id), body }),
    valuesOf: (one) => valuesOf(one ?? person),
    save: (_, { name, role }, over) =>
      over({
        ...(name !== undefined && { name: name.trim() === "" ? null : name.trim() }),
        ...(role !== undefined && { role }),
      }),
    onClose,
  });
  return (
    <FormDialog {...dialog} title={person.email} save={save}>
      <TextField {...form.text("name", fields.name)} hasFocus isWide />
      <SelectField {...form.text("role", fields.role)} options={roleOptions(texts)} isWide />
      <p class="row-actions">
        <EndingAct
          title={texts.endSessions}
          text={texts.endSessionsText(person.email)}
          ask={(api) => api.DELETE("/api/users/{id}/sessions", byId(person.id))}
        />
        {person.hasSecondFactor && (
          <EndingAct
            title={texts.resetFactor}
            text={texts.resetFactorText(person.email)}
            ask={(api) => api.DELETE("/api/users/{id}/factors", byId(person.id))}
          />
        )}
      </p>
    </FormDialog>
  );
}

function valuesOf({ name, role }: User): { readonly name: string; readonly role: string } {
  return { name: name ?? "", role };
}

function roleOptions({ roles, roleHints }: Words["settings"]["people"]) {
  return ROLES.toReversed().map((role) => ({
    value: role,
    label: `${roles[role]} – ${roleHints[role]}`,
  }));
}

export function KeysPart() {
  const { words } = useApp();
  const texts = words.settings.keys;
  const [made, setMade] = useState<CreatedKey | "new" | null>(null);
  const close = () => setMade(null);
  const list = useList((page) => get("/api/keys", where(page)));
  const create = (
    <Button kind="main" icon="plus" onClick={() => setMade("new")}>{texts.create}</Button>
  );
  return (
    <Section
      title={words.settings.parts.keys}
      note={<a href="/docs" target="_blank" rel="noopener">{texts.readDocs}</a>}
      actions={list.rows.length > 0 && create}
    >
      <ListTable
        label={words.settings.parts.keys}
        columns={useKeyColumns(setMade)}
        list={list}
        empty={
          <EmptyState icon="docs" title={texts.emptyTitle} text={texts.emptyText}>
            {create}
          </EmptyState>
        }
      />
      {made === "new"
        ? <NewKeyDialog onClose={close} onMade={setMade} />
        : made && <MadeKeyDialog made={made} onClose={close} />}
    </Section>
  );
}

function useKeyColumns(onMade: (key: CreatedKey) => void): readonly Column<ApiKey>[] {
  const { words: { settings: { keys: texts }, actions, fields, sessions }, show } = useApp();
  const scopeText = (scope: string) => labelIn(texts.scopeTexts, scope);
  return [
    column("name", fields.name, 180).cell(({ name }) => name),
    column("prefix", fields.prefix, 140).cell(({ prefix }) => <code>{prefix}…</code>),
    column("scopes", texts.scopes, 240).cell(({ scopes }) =>
      scopes.some((scope) => !scope.endsWith(":read"))
        ? <span title={scopes.join(", ")}>{scopes.map(scopeText).join(", ")}</span>
        : (
          <>
            {texts.onlyReads}
            {scopes.length > 0 && <small class="below">{scopes.map(scopeText).join(", ")}</small>}
          </>
        )
    ),
    column("lastUsed", sessions.lastUsed, 140).cell(({ lastUsedAt }) =>
      lastUsedAt ? show.ago(lastUsedAt) : texts.never
    ),
    column("expires", texts.expires, 120).cell(({ expiresAt }) =>
      expiresAt ? show.date(expiresAt) : texts.never
    ),
    column("addresses", texts.addresses, 140).cell(({ allowedAddresses }) =>
      allowedAddresses.join(", ") || texts.everywhere
    ),
    column("revoke", actions, 220).cell((key) => <KeyActions apiKey={key} onMade={onMade} />),
  ];
}

function KeyActions({ apiKey, onMade }: { apiKey: ApiKey; onMade(key: CreatedKey): void }) {
  const texts = useApp().words.settings.keys;
  const { revoke, revokeSure, revokeText, rotate, rotateSure, rotateText } = texts;
  return (
    <>
      <ActionButton
        kind="quiet"
        ask={(api) => api.POST("/api/keys/{id}/rotate", { ...byId(apiKey.id), body: {} })}
        question={{ title: rotateSure, text: rotateText, yes: rotate }}
        onDone={onMade}
      >
        {rotate}
      </ActionButton>
      <ActionButton
        kind="quiet"
        ask={(api) => api.DELETE("/api/keys/{id}", byId(apiKey.id))}
        danger={{ title: revokeSure, text: revokeText(apiKey.name), yes: revoke }}
      >
        {revoke}
      </ActionButton>
    </>
  );
}

function MadeKeyDialog({ made, onClose }: { readonly made: CreatedKey; onClose(): void }) {
  const { words: { settings: { keys: texts }, imports } } = useApp();
  const { origin } = location;
  const read = `curl -sS ${origin}/api/public/v1/products?limit=5 \\
  -H "Authorization: Bearer ${made.key}"`;
  const send = `curl -sS --data-binary @preise.xml ${origin}/api/public/v1/products/import \\
  -H "Authorization: Bearer ${made.key}" \\
  -H "Content-Type: application/xml"`;
  return (
    <NoticeDialog title={texts.made} onClose={onClose}>
      <p>{texts.madeText}</p>
      <CopyText text={made.key} label={texts.key} />
      <CopyBlock text={read} label={texts.tryIt} />
      {made.scopes.includes("products:write") && <CopyBlock text={send} label={imports.create} />}
    </NoticeDialog>
  );
}

type CreatedKey = Wire<"CreatedApiKey">;

const START = { name: "", expiresAt: "", addresses: "", ...choiceOf(KEY_SCOPE_NAMES, []) };

function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(key: CreatedKey): void }) {
  const { call, words: { settings: { keys: texts }, fields }, show } = useApp();
  const refresh = useRefresh("keys");
  const form = useForm({
    initial: START,
    save: async ({ name, expiresAt, addresses, ...choice }) => {
      const body = {
        name,
        scopes: chosenOf(KEY_SCOPE_NAMES, choice),
        expiresAt: expiresAt === "" ? null : endOfDay(expiresAt, show.timeZone),
        allowedAddresses: addresses.split(/[\s,;]+/).filter(Boolean),
      };
      const made = await call((api) => api.POST("/api/keys", { body }));
      await refresh();
      onClose();
      onMade(made);
    },
  });
  return (
    <FormDialog title={texts.create} form={form} onClose={onClose}>
      <TextField {...form.text("name", fields.name, texts.nameHint)} hasFocus isWide />
      <fieldset class="wide">
        <legend>{texts.scopes}</legend>
        <p class="hint">{texts.readOnly}</p>
        {KEY_SCOPE_NAMES.map((scope) => (
          <CheckField
            key={scope}
            {...form.flag(scope, texts.scopeTexts[scope])}
            hint={<code>{scope}</code>}
          />
        ))}
      </fieldset>
      <TextField {...form.text("expiresAt", texts.expires, texts.never)} type="date" />
      <TextField {...form.text("addresses", texts.addresses, texts.addressesHint)} />
    </FormDialog>
  );
}
