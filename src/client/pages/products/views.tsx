/**
 * The tabs of saved views above the product list. A view is a name for a filter, an order and,
 * optionally, columns. Only managers may share a view or change a shared view. If another person
 * has saved a newer version, the person is asked before it is overwritten.
 */
import { useId, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { FormDialog, useSaveOver } from "../../parts/form/form_dialog.tsx";
import { useApp, useChange, useDocument, useRefresh } from "../../app/app.ts";
import { Button, CheckBox } from "../../parts/controls.tsx";
import { useProductCount } from "../../parts/reads.ts";
import { sameQuery } from "./product.ts";
import type { View } from "../../../accounts/views/view.ts";
import {
  addressOf,
  type Answer,
  type Api,
  type Call,
  get,
  Overtaken,
  saveOver,
  type Wire,
} from "../../api/call.ts";
import { CheckField, TextField, useForm } from "../../parts/form/fields.tsx";

/** Maximum number of views with a count, because each count is a request. */
const COUNTED_MAX = 12;

interface TabsProps {
  /** The id of the opened view; empty if no view is open. */
  readonly current: string;
  readonly terms: ViewTerms;
  readonly isWhole: boolean;
}

export function ViewTabs({ current, terms, isWhole }: TabsProps) {
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
      {active && deviates && <span class="soft view-note">{words.views.deviates}</span>}
      {mayChange && (
        <Button kind="quiet" onClick={() => setDialog("change")}>{words.views.change}</Button>
      )}
      <Button kind="quiet" icon="plus" onClick={() => setDialog("new")}>{words.views.save}</Button>
      {dialog !== null && (
        <ViewDialog
          view={dialog === "change" ? active : null}
          terms={terms}
          onClose={() => setDialog(null)}
        />
      )}
    </nav>
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
    <a href={href} title={note} aria-current={isCurrent ? "page" : undefined}>
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

interface ViewDialogProps {
  readonly view: View | null;
  readonly terms: ViewTerms;
  onClose(): void;
}

function ViewDialog({ view, terms, onClose }: ViewDialogProps) {
  const { words, may } = useApp();
  const texts = words.views;
  const [overwrites, setOverwrites] = useState(true);
  const { form, formId, note, isRemoving, remove } = useViewForm(
    { view, terms, onClose },
    overwrites,
  );
  return (
    <FormDialog
      title={view === null ? texts.save : texts.change}
      form={form}
      formId={formId}
      save={words.save}
      below={note}
      onClose={onClose}
      actions={view && <Button isBusy={isRemoving} onClick={remove}>{words.remove}</Button>}
    >
      <TextField {...form.text("name", words.fields.name)} isRequired isWide hasFocus />
      {may("manager") && <CheckField {...form.flag("isShared", texts.shared, texts.sharedHint)} />}
      {view === null
        ? <p class="soft">{texts.kept}</p>
        : <CheckBox isOn={overwrites} onChange={setOverwrites}>{texts.overwrite}</CheckBox>}
    </FormDialog>
  );
}

function useViewForm({ view, terms, onClose }: ViewDialogProps, overwrites: boolean) {
  const { call, words, toasts } = useApp();
  const { route } = useLocation();
  const refresh = useRefresh("views");
  const texts = words.views;
  const formId = useId();
  /** `seen` is the version in the form. `stored` is the version that saving replaces. */
  const seen = useRef(view);
  const stored = useRef(view);
  const go = (shown: View) => route(addressOfView(shown), true);
  const remove = useDeleteView(() => {
    onClose();
    route("/products", true);
  });
  const restore = useRestoreView(go);
  const form = useForm({
    initial: valuesOf(view),
    save: async (values, changed) => {
      const saved = view === null
        ? await call((api) => api.POST("/api/views", { body: { ...values, ...terms } }))
        : await over.save({ ...changed, ...(overwrites && terms) });
      if (saved === null) return false;
      await refresh();
      onClose();
      go(saved);
      const before = stored.current;
      const undo = before === null
        ? () => remove.mutate(saved)
        : () => restore.mutate({ now: saved, before });
      toasts.tell((view === null ? texts.saved : texts.changed)(saved.name), undo);
      return true;
    },
  });
  const params = { path: { id: view?.id ?? "" } };
  const over = useSaveOver({
    read: async (api) => {
      const answer = await api.GET("/api/views/{id}", { params });
      stored.current = answer.data ?? stored.current;
      return answer;
    },
    write: (api, body: Wire<"ViewPatch">) => api.PATCH("/api/views/{id}", { params, body }),
    resource: `view:${view?.id}`,
    document: view,
    formId,
    textOf: viewText,
    onTheirs: (newer) => {
      seen.current = newer;
      form.reset(valuesOf(newer));
      void refresh();
      // The list must also change, because the next save stores the filter of the list.
      go(newer);
    },
  });
  const removeSeen = () => seen.current && remove.mutate(seen.current);
  return { form, formId, note: over.note, isRemoving: remove.isPending, remove: removeSeen };
}

function valuesOf(view: View | null) {
  return { name: view?.name ?? "", isShared: view?.isShared ?? false };
}

function useRestoreView(onDone: (before: View) => void) {
  const { toasts, words } = useApp();
  return useChange({
    run: async (call, { now, before }: { readonly now: View; readonly before: View }) => {
      const { name, query, columns, isShared } = before;
      try {
        const body = { name, query, columns, isShared };
        return await changeView(
          call,
          now,
          (api, params) => api.PATCH("/api/views/{id}", { params, body }),
        );
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        return null;
      }
    },
    touches: ["views"],
    onDone: (view) => {
      if (view === null) return toasts.tell(words.auditLog.overtaken);
      onDone(view);
      toasts.tell(words.frame.undone);
    },
  });
}

/**
 * The undo creates the view again. If the view has changed since the person saw it, the person is
 * asked before it is deleted.
 */
function useDeleteView(onDone: () => void) {
  const { toasts, words, questions } = useApp();
  const texts = words.views;
  const restore = useChange({
    ask: (api, { name, query, columns, isShared }: View) =>
      api.POST("/api/views", { body: { name, query, columns, isShared } }),
    touches: ["views"],
    onDone: () => toasts.tell(words.frame.undone),
  });
  return useChange({
    run: async (call, view: View): Promise<View | null> => {
      for (let seen = view;;) {
        try {
          await changeView(call, seen, (api, params) => api.DELETE("/api/views/{id}", { params }));
          return seen;
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error;
          seen = error.latest;
        }
        const isWanted = await questions.ask({
          title: words.overtaken.title,
          text: texts.deleteNewer(seen.name),
          yes: words.remove,
          isDangerous: true,
        });
        if (!isWanted) return null;
      }
    },
    touches: ["views"],
    onDone: (gone) => {
      if (gone === null) return;
      toasts.tell(texts.deleted(gone.name), () => restore.mutate(gone));
      onDone();
    },
  });
}

function viewText({ name, query, columns, isShared }: View): string {
  return JSON.stringify([name, query, columns, isShared]);
}

/** Throws `Overtaken` if the view has changed since the person saw it. */
async function changeView<T>(
  call: Call,
  seen: View,
  write: (api: Api, params: { readonly path: { readonly id: string } }) => Promise<Answer<T>>,
): Promise<T> {
  const params = { path: { id: seen.id } };
  return await saveOver(call, {
    read: (api) => api.GET("/api/views/{id}", { params }),
    write: (api) => write(api, params),
    isSeen: (latest) => viewText(latest) === viewText(seen),
  });
}

type ViewTerms = Pick<View, "query" | "columns">;

function addressOfView({ id, query, columns }: View): string {
  return addressOf("/products", {
    ...Object.fromEntries(new URLSearchParams(query)),
    columns: columns.join(","),
    view: id,
  });
}
