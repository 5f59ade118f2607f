/**
 * The API keys of the workspace, for owners only. The service stores no key in readable form, so a
 * new key is shown once. Every key may read products, observations and competitors; scopes give
 * further rights. After a rotation, the old key stays valid for a day.
 */
import { byId, get, where, type Wire } from "../../api/call.ts";
import { KEY_SCOPE_NAMES } from "../../../accounts/roles.ts";
import type { ApiKey } from "../../../accounts/keys/api_key.ts";
import { useApp, useList, useRefresh } from "../../app/app.ts";
import { endOfDay } from "../../formats/day.ts";
import { Button, NoticeDialog } from "../../parts/controls.tsx";
import { CopyBlock, CopyText } from "../../parts/copy_text.tsx";
import { EmptyState, Section } from "../../parts/page.tsx";
import { choiceOf, chosenOf, FormDialog } from "../../parts/form/saved_form.tsx";
import { CheckField, TextField, useForm } from "../../parts/form/fields.tsx";
import { type Column, column, ListTable } from "../../parts/table/table.tsx";
import { labelIn } from "../../words/label.ts";
import { useState } from "preact/hooks";
import { ActionButton } from "../../parts/action_button.tsx";

export function KeysPart() {
  const { words } = useApp();
  const texts = words.settings.keys;
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedKey | null>(null);
  const list = useList((page) => get("/api/keys", where(page)));
  const create = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>{texts.create}</Button>
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
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} onMade={setMade} />}
      {made && <MadeKeyDialog made={made} onClose={() => setMade(null)} />}
    </Section>
  );
}

function useKeyColumns(onMade: (key: CreatedKey) => void): readonly Column<ApiKey>[] {
  const { words: { settings: { keys: texts }, actions, fields, sessions }, show } = useApp();
  const scopeText = (scope: string) => labelIn(texts.scopeTexts, scope);
  return [
    column("name", fields.name, 180).cell(({ name }) => name),
    column("prefix", texts.prefix, 140).cell(({ prefix }) => <code>{prefix}…</code>),
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
