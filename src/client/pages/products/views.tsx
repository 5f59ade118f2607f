/**
 * A view is a named filter of the product list with an order and, optionally, columns. Only
 * managers may share a view or change a shared view. Overwriting another person's newer version
 * needs a confirmation.
 */
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import { useApp, useDocument } from "../../app/app.ts";
import { RemoveButton } from "../../parts/action_button.tsx";
import { Button, CheckBox } from "../../parts/controls.tsx";
import { useProductCount } from "../../parts/shared_queries.ts";
import { sameQuery } from "./one_product.tsx";
import type { View } from "../../../accounts/views/view.ts";
import { addressOf, get, type Wire } from "../../api/call.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";

const COUNTED_MAX = 12;

export function ViewTabs(
  { current, terms, isWhole }: { current: string; terms: ViewTerms; isWhole: boolean },
) {
  const { words, may, user } = useApp();
  const [dialog, setDialog] = useState<"new" | "change" | null>(null);
  const { data } = useDocument(get("/api/views"));
  const views = data?.items ?? [];
  const active = views.find(({ id }) => id === current) ?? null;
  const deviates = active !== null && (sameQuery(active.query) !== terms.query ||
    active.columns.length > 0 && active.columns.join() !== terms.columns.join());
  const mayChange = active !== null &&
    (active.isShared ? may("manager") : active.createdBy === user.value?.id);
  return (
    <>
      <nav class="tabs views" aria-label={words.views.label}>
        <Tab
          text={words.all}
          href="/products"
          query=""
          isCurrent={active === null && isWhole}
          isCounted
        />
        {views.map((view, at) => (
          <Tab
            key={view.id}
            text={view.name}
            href={addressOfView(view)}
            query={view.query}
            isCurrent={view.id === current}
            isCounted={at < COUNTED_MAX}
            {...(view.isShared && { note: words.views.isShared })}
          />
        ))}
        {active && deviates && <span class="soft small nowrap">{words.views.deviates}</span>}
        {mayChange && (
          <Button kind="quiet" onClick={() => setDialog("change")}>{words.views.change}</Button>
        )}
        <Button kind="quiet" icon="plus" onClick={() => setDialog("new")}>
          {words.views.save}
        </Button>
      </nav>
      {dialog !== null && (
        <ViewDialog
          view={dialog === "change" ? active : null}
          terms={terms}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

interface TabProps {
  readonly text: string;
  readonly href: string;
  readonly query: string;
  readonly isCurrent: boolean;
  readonly isCounted: boolean;
  readonly note?: string;
}

function Tab({ text, href, query, isCurrent, isCounted, note }: TabProps) {
  return (
    <a
      class="row fine gap-6"
      href={href}
      title={note}
      aria-current={isCurrent ? "page" : undefined}
    >
      {text}
      {isCounted && <TabCount query={query} />}
    </a>
  );
}

function TabCount({ query }: { query: string }) {
  const { show } = useApp();
  const { sort: _sort, order: _order, ...filter } = Object.fromEntries(new URLSearchParams(query));
  const count = useProductCount(filter);
  return count === null ? null : <span class="chip-count">{show.number(count)}</span>;
}

function ViewDialog(
  { view, terms, onClose }: { view: View | null; terms: ViewTerms; onClose(): void },
) {
  const { call, words: { views: texts, fields, save }, may } = useApp();
  const { route } = useLocation();
  const [overwrites, setOverwrites] = useState(true);
  const params = { path: { id: view?.id ?? "" } };
  const go = (shown: View) => route(addressOfView(shown), true);
  const { form, dialog } = useSavedForm({
    document: view,
    resource: `view:${view?.id}`,
    read: get("/api/views/{id}", { params }),
    write: (api, body: Wire<"ViewPatch">) => api.PATCH("/api/views/{id}", { params, body }),
    valuesOf: (one) => ({ name: one?.name ?? "", isShared: one?.isShared ?? false }),
    textOf: ({ name, query, columns, isShared }) =>
      JSON.stringify([name, query, columns, isShared]),
    save: async (values, changed, over) =>
      view === null
        ? await call((api) => api.POST("/api/views", { body: { ...values, ...terms } }))
        : await over({ ...changed, ...(overwrites && terms) }),
    toast: ({ name }) => (view === null ? texts.saved : texts.changed)(name),
    onSaved: go,
    onTheirs: go,
    onClose,
  });
  return (
    <FormDialog
      {...dialog}
      title={view === null ? texts.save : texts.change}
      save={save}
      actions={view && (
        <RemoveButton
          kind="danger"
          ask={(api) => api.DELETE("/api/views/{id}", { params })}
          question={{ title: texts.remove, text: texts.removeText(view.name) }}
          onDone={() => {
            onClose();
            route("/products", true);
          }}
        />
      )}
    >
      <TextField {...form.text("name", fields.name)} isRequired isWide hasFocus />
      {may("manager") && <CheckField {...form.flag("isShared", texts.shared, texts.sharedHint)} />}
      {view === null
        ? <p class="soft">{texts.kept}</p>
        : <CheckBox isOn={overwrites} onChange={setOverwrites}>{texts.overwrite}</CheckBox>}
    </FormDialog>
  );
}

type ViewTerms = Pick<View, "query" | "columns">;

function addressOfView({ id, query, columns }: View): string {
  return addressOf("/products", {
    ...Object.fromEntries(new URLSearchParams(query)),
    columns: columns.join(","),
    view: id,
  });
}
