import { useState } from "preact/hooks";
import type { ApiKey } from "../../../accounts/keys/api_key.ts";
import { useChange } from "../../app/use_change.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import { type CreatedKey, NewKeyDialog } from "./new_key_dialog.tsx";
import { MadeKeyDialog } from "./made_key_dialog.tsx";

export function KeysPart() {
  const { words } = useApp();
  const texts = words.settings.keys;
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedKey | null>(null);
  const list = useList({
    key: ["keys"],
    read: (api, page) => api.GET("/api/keys", { params: { query: page } }),
  });
  const create = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>{texts.create}</Button>
  );
  return (
    <Section
      title={words.settings.parts.keys}
      note={<a href="/docs" target="_blank" rel="noopener">{texts.readDocs}</a>}
      actions={list.rows.length > 0 && create}
    >
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={words.settings.parts.keys}
          columns={useKeyColumns()}
          rows={list.rows}
          idOf={({ id }) => id}
          empty={!list.isPending && (
            <EmptyState icon="docs" title={texts.emptyTitle} text={texts.emptyText}>
              {create}
            </EmptyState>
          )}
        />
      )}
      {isMaking && (
        <NewKeyDialog
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
          }}
        />
      )}
      {made && <MadeKeyDialog made={made} onClose={() => setMade(null)} />}
    </Section>
  );
}

function useKeyColumns(): readonly Column<ApiKey>[] {
  const { words, show } = useApp();
  const texts = words.settings.keys;
  return [
    { key: "name", title: texts.name, width: 180, cell: ({ name }) => name },
    {
      key: "prefix",
      title: texts.prefix,
      width: 140,
      cell: ({ prefix }) => <code>{prefix}…</code>,
    },
    {
      key: "scopes",
      title: texts.scopes,
      width: 240,
      cell: ({ scopes }) =>
        scopes.length === 0 ? <span class="soft">{words.none}</span> : scopes.join(", "),
    },
    {
      key: "lastUsed",
      title: texts.lastUsed,
      width: 140,
      cell: ({ lastUsedAt }) => lastUsedAt ? show.ago(lastUsedAt) : texts.never,
    },
    {
      key: "expires",
      title: texts.expires,
      width: 120,
      cell: ({ expiresAt }) => expiresAt ? show.date(expiresAt) : texts.never,
    },
    {
      key: "revoke",
      title: words.actions,
      width: 110,
      cell: (key) => <RevokeButton apiKey={key} />,
    },
  ];
}

function RevokeButton({ apiKey }: { apiKey: ApiKey }) {
  const { words, questions } = useApp();
  const texts = words.settings.keys;
  const revoke = useChange({
    run: (call) =>
      call((api) => api.DELETE("/api/keys/{id}", { params: { path: { id: apiKey.id } } })),
    touches: ["keys"],
  });
  const ask = async () => {
    const isSure = await questions.ask({
      title: texts.revokeSure,
      text: texts.revokeText(apiKey.name),
      yes: texts.revoke,
      isDangerous: true,
    });
    if (isSure) revoke.mutate(undefined);
  };
  return (
    <Button kind="quiet" isBusy={revoke.isPending} onClick={() => void ask()}>
      {texts.revoke}
    </Button>
  );
}
