/**
 * Shows what lies above every screen: questions, messages, the sign-in and the command palette. In
 * the palette, a person types the name of a screen, product, rule, shop, setting or action.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, CheckBox, Dialog } from "../parts/controls.tsx";
import { LoginForm, ProofForm } from "../parts/factors/login_form.tsx";
import { useApp, useDocument } from "../app/app.ts";
import { type Query, type QueryClient, useQuery, useQueryClient } from "@tanstack/preact-query";
import { get, isUnreachable, where } from "../api/call.ts";
import { useLocation } from "preact-iso";
import { ErrorNote, KeyList } from "../parts/page.tsx";
import { useSettled } from "../parts/hooks.ts";
import { useShops } from "../parts/shops.tsx";
import { useProductCount } from "../parts/shared_queries.ts";
import { COMPARED, PATH_NAMES, PATHS } from "../paths.ts";
import { NAV } from "../screens.tsx";

export function Overlays() {
  return (
    <>
      <OpenQuestion />
      <SignInAgain />
      <ProveAgain />
    </>
  );
}

function OpenQuestion() {
  const { questions, words } = useApp();
  const question = questions.open.value;
  if (question === null) return null;
  return (
    <Dialog
      title={question.title}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button onClick={() => question.answer(false)}>{words.cancel}</Button>
          <Button
            kind={question.isDangerous ? "danger" : "main"}
            onClick={() => question.answer(true)}
          >
            {question.yes ?? words.yes}
          </Button>
        </>
      }
    >
      <p>{question.text}</p>
    </Dialog>
  );
}

function SignInAgain() {
  const { signInAsked, user, words } = useApp();
  const [email] = useState(() => user.value?.email ?? "");
  const answer = signInAsked.value;
  if (answer === null) return null;
  const close = (isSignedIn: boolean) => {
    signInAsked.value = null;
    answer(isSignedIn);
  };
  return (
    <Dialog title={words.login.again} onClose={() => close(false)}>
      <p>{words.login.againText}</p>
      <LoginForm
        email={user.value?.email ?? email}
        onSignedIn={(signedIn) => {
          const isSame = signedIn.id === user.value?.id;
          // Another person must not continue with the former person's unsaved work.
          if (!isSame) location.reload();
          close(isSame);
        }}
      />
    </Dialog>
  );
}

function ProveAgain() {
  const { proofAsked, words } = useApp();
  const answer = proofAsked.value;
  if (answer === null) return null;
  const close = (isProved: boolean) => {
    proofAsked.value = null;
    answer(isProved);
  };
  return (
    <Dialog title={words.proof.title} onClose={() => close(false)}>
      <p>{words.proof.text}</p>
      <ProofForm onProved={() => close(true)} />
    </Dialog>
  );
}

const AGAIN_MS = 5_000;

export function ConnectionNote() {
  const { words, show } = useApp();
  const client = useQueryClient();
  const [sinceMs, setSinceMs] = useState<number | null>(null);
  const isLost = sinceMs !== null;
  useEffect(() => client.getQueryCache().subscribe(() => setSinceMs(oldestOf(client))), [client]);
  useEffect(() => {
    if (!isLost) return;
    const again = () => void client.refetchQueries({ type: "active", predicate: isKept });
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, isLost]);
  if (!isLost) return null;
  return (
    <p class="note warn banner" role="status">
      {words.frame.connectionLost(show.time(new Date(sinceMs)))}
    </p>
  );
}

function oldestOf(client: QueryClient): number | null {
  const kept = client.getQueryCache().findAll({ type: "active", predicate: isKept });
  return kept.length === 0 ? null : Math.min(...kept.map(({ state }) => state.dataUpdatedAt));
}

function isKept({ state }: Query): boolean {
  return state.data !== undefined && isUnreachable(state.error);
}

interface Entry {
  readonly key: string;
  readonly text: string;
  readonly note: string;
  readonly href: string;
}

function entryOf(key: string, href: string, text: string, note = ""): Entry {
  return { key, href, text, note };
}

const PAUSE_MS = 200;

export function Palette({ onClose }: { onClose: () => void }) {
  const { words } = useApp();
  const { route } = useLocation();
  const dialog = useModal();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const found = useEntries(text.trim());
  const { entries } = found;
  const idOf = (index: number) => `${listId}-${index}`;
  const active = Math.min(at, entries.length - 1);
  const search = (typed: string) => {
    setText(typed);
    setAt(0);
  };
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    route(entry.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") go(entries[active]);
    else if (step === 0) return;
    else setAt((active + step + entries.length) % Math.max(1, entries.length));
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={words.palette.open} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        autoFocus
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries[active] ? idOf(active) : undefined}
        aria-label={words.palette.open}
        placeholder={words.palette.hint}
        value={text}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={press}
      />
      <ul role="listbox" id={listId} aria-label={words.palette.open}>
        {entries.map((entry, at) => (
          <Option
            key={entry.key}
            id={idOf(at)}
            entry={entry}
            isActive={at === active}
            onChoose={go}
          />
        ))}
      </ul>
      <Outcome found={found} />
    </dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isActive: boolean;
  onChoose(entry: Entry): void;
}

function Option({ id, entry, isActive, onChoose }: OptionProps) {
  return (
    <li
      id={id}
      class="row spread gap-14"
      role="option"
      aria-selected={isActive}
      onClick={() => onChoose(entry)}
    >
      <span class="clip">{entry.text}</span>
      <small>{entry.note}</small>
    </li>
  );
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}

function Outcome(
  { found: { entries, isSearching, error, again } }: { found: ReturnType<typeof useEntries> },
) {
  const { words } = useApp();
  if (error) return <ErrorNote error={error} onAgain={again} />;
  if (!isSearching && entries.length > 0) return null;
  return (
    <p class="palette-none" role="status">{isSearching ? words.loading : words.palette.none}</p>
  );
}

const SHOWN_OF_KIND = 6;

function usePlaces(): readonly Entry[] {
  const { words, may } = useApp();
  const texts = words.palette.actions;
  const screens = useNavPlaces().map(({ href, label }) => entryOf(href, href, label(words)));
  const owned: readonly string[] = ["workspace", "people", "keys", "webhooks"];
  const settings = Object.entries(words.settings.parts)
    .filter(([part]) => may("owner") || !owned.includes(part))
    .map(([part, text]) => entryOf(part, `/settings/${part}`, text, words.settings.title));
  const actions = [
    ["/imports/new", words.imports.create],
    ["/rules/new", words.rules.newTitle],
    ...Object.entries(words.start.rules).map(([template, { name }]) =>
      [`/rules/new?template=${template}`, `${words.rules.newTitle}: ${name}`] as const
    ),
    ["/competitors", texts.shop],
    ["/links", texts.links],
    ["/settings/people?invite=true", words.settings.people.invite],
  ] as const;
  const allowed = actions.filter(([href]) => may(href.includes("invite") ? "owner" : "manager"))
    .map(([href, text]) => entryOf(`action ${href}`, href, text, words.auditLog.action));
  return [...screens, ...allowed, ...settings];
}

function useNamed(): readonly Entry[] {
  const { words } = useApp();
  const rules = useDocument(get("/api/rules")).data ?? [];
  const shops = useShops() ?? [];
  return [
    ...rules.map(({ id, name }) => entryOf(id, `/rules/${id}`, name, words.fields.rule)),
    ...shops.map(({ id, displayName }) =>
      entryOf(id, `/competitors/${id}`, displayName, words.fields.competitor)
    ),
  ];
}

function useEntries(text: string) {
  const { call } = useApp();
  const places = usePlaces();
  const named = useNamed();
  const asked = useSettled(text, PAUSE_MS);
  const isWanted = asked.length > 1;
  const found = useQuery({
    queryKey: ["products", "palette", asked],
    queryFn: ({ signal }) => call(get("/api/products", where({ q: asked, limit: 8 })), { signal }),
    enabled: isWanted,
  });
  const isSearching = text.length > 1 && (asked !== text || found.isPending);
  const products = isSearching || !isWanted ? [] : found.data?.items ?? [];
  const wanted = text.toLowerCase();
  const fits = (one: Entry) => one.text.toLowerCase().includes(wanted);
  const entries: readonly Entry[] = [
    ...places.filter(fits),
    ...(wanted === "" ? [] : named.filter(fits).slice(0, SHOWN_OF_KIND)),
    ...products.map(({ id, sku, title }) => entryOf(id, `/products/${id}`, title, sku)),
  ];
  const error = isWanted ? found.error : null;
  return { entries, isSearching: isSearching && !error, error, again: () => void found.refetch() };
}

const INBOX_KEYS: ReadonlySet<string> = new Set(["a", "r", "e", "s", "u"]);

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { words, usesKeys } = useApp();
  const { keys, links, review, product: { identity } } = words;
  const ofReview: readonly (readonly [string, string])[] = [
    ["y", identity.isSame],
    ["n", identity.isWrong],
    ["v", review.variant],
    [review.space, review.skip],
  ];
  const rows: readonly (readonly [string, string])[] = [
    [words.palette.key, words.palette.open],
    ["/", keys.search],
    ["j  k", keys.move],
    ["Enter", keys.open],
    ["x", keys.select],
    ["Esc", keys.close],
    ...words.proposals.keysHint.filter(([key]) => INBOX_KEYS.has(key))
      .map(([key, text]) => [key, `${words.proposals.title}: ${text}`] as const),
    ...ofReview.map(([key, text]) => [key, `${links.title}: ${text}`] as const),
    ["?", keys.title],
  ];
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <KeyList rows={rows} />
      <CheckBox isOn={usesKeys.value} onChange={(isOn) => usesKeys.value = isOn}>
        {keys.areOn}
      </CheckBox>
    </Dialog>
  );
}

const NAV_PLACES = PATH_NAMES.flatMap((name) => {
  const nav = NAV[name];
  return nav === undefined ? [] : [{ ...nav, name, href: PATHS[name] }];
});

export function useNavPlaces() {
  const compared = useProductCount({ rankMin: "1" });
  return NAV_PLACES.map((place) =>
    place.name === "products" && compared ? { ...place, href: COMPARED } : place
  );
}

export type Place = ReturnType<typeof useNavPlaces>[number];
