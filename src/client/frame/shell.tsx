import { sumOf } from "../../base/collections.ts";
import { ConnectionNote, KeyHelp, Palette, type Place, useNavPlaces } from "./overlays.tsx";
import { useApp, useDocument, useLeaveGuard, useSignOut } from "../app/app.ts";
import { useKeys } from "../parts/hooks.ts";
import { Mark } from "../parts/alone.tsx";
import { Button, Dialog, Icon, Menu } from "../parts/controls.tsx";
import { useCauses, useProductCount, useSuggestionCounts } from "../parts/shared_queries.ts";
import { useShopsInNeed } from "../parts/shop/shop_check.tsx";
import { useShops } from "../parts/shops.tsx";
import type { NavGroup } from "../screens.tsx";
import { PATHS } from "../paths.ts";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { type Toast, TOAST_MS } from "../app/app_state.ts";
import { ErrorNote } from "../parts/page.tsx";
import { get } from "../api/call.ts";
import { ActionButton } from "../parts/action_button.tsx";

const COUNTED_MAX = 999;

export function Shell({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const { words } = useApp();
  const [overlay, setOverlay] = useState<"palette" | "keys" | "more" | null>(null);
  useLeaveGuard();
  usePaletteKey(() => setOverlay("palette"));
  useKeys({ "?": () => setOverlay("keys"), "/": focusSearch });
  // `useEffect` would run later, and could close an overlay that the new screen has just opened.
  useLayoutEffect(() => setOverlay(null), [path]);
  const close = () => setOverlay(null);
  return (
    <div class="shell">
      <a class="skip" href="#main">{words.skipToContent}</a>
      <nav class="nav column gap-2" aria-label={words.navigation}>
        <a class="brand row" href="/" title="Kurant">
          <Mark />
          <span class="nav-word">Kurant</span>
        </a>
        <NavGroups />
        <NavFoot />
      </nav>
      <div class="beside-nav column">
        <div class="bar">
          <button
            type="button"
            class="nav-search row fine nowrap soft gap-8"
            onClick={() => setOverlay("palette")}
          >
            <Icon name="search" />
            <span class="clip">{words.palette.open}</span>
            <kbd>{words.palette.key}</kbd>
          </button>
          <ToastSlot />
          <Me onKeys={() => setOverlay("keys")} />
        </div>
        <main id="main" tabIndex={-1}>
          <ConnectionNote />
          <StopBanner />
          {children}
        </main>
      </div>
      <PhoneTabs isMoreOpen={overlay === "more"} onMore={() => setOverlay("more")} />
      {overlay === "palette" && <Palette onClose={close} />}
      {overlay === "keys" && <KeyHelp onClose={close} />}
      {overlay === "more" && (
        <Dialog kind="panel" title={words.frame.more} onClose={close}>
          <nav class="nav-more" aria-label={words.frame.more}>
            <NavGroups />
          </nav>
          <NavFoot />
        </Dialog>
      )}
    </div>
  );
}

const GROUPS = ["work", "data", "control"] as const satisfies readonly NavGroup[];

function NavGroups() {
  const { words } = useApp();
  const places = useNavPlaces();
  const counts = useNavCounts();
  return (
    <>
      {GROUPS.map((group) => (
        <div key={group} class="nav-group">
          {group !== "work" && <h2 class="nav-word">{words.frame.groups[group]}</h2>}
          <ul class="nav-links stack gap-2">
            {places.filter((place) => place.group === group).map((place) => (
              <li key={place.name}>
                <NavLink place={place} counts={counts} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function isAt(path: string, name: Place["name"]): boolean {
  return path === PATHS[name] || path.startsWith(`${PATHS[name]}/`);
}

interface NavLinkProps {
  readonly place: Place;
  readonly counts: NavCounts;
}

function NavLink({ place: { name, icon, href, label }, counts }: NavLinkProps) {
  const { words } = useApp();
  const { path } = useLocation();
  return (
    <a
      class="row gap-10"
      href={href}
      title={label(words)}
      aria-current={isAt(path, name) ? "page" : undefined}
    >
      <Icon name={icon} />
      <span class="nav-word">{label(words)}</span>
      <NavCount of={counts[name]} />
    </a>
  );
}

interface Counted {
  readonly count: number | null | undefined;
  spoken(count: number): string;
}

type NavCounts = Partial<Record<Place["name"], Counted>>;

function useNavCounts() {
  const { alerts, frame } = useApp().words;
  return {
    alerts: { count: useCauses().data?.open, spoken: alerts.openCount },
    proposals: {
      count: useProductCount({ hasProposal: true }),
      spoken: frame.openProposals,
    },
    links: { count: useSuggestionCounts()?.open, spoken: frame.linkSuggestions },
    competitors: { count: useShopsInNeed(), spoken: frame.shopsInNeed },
  } satisfies NavCounts;
}

function NavCount({ of }: { of: Counted | undefined }) {
  if (!of?.count) return null;
  return (
    <span class="nav-count soft small strong end">
      <span aria-hidden="true">{of.count > COUNTED_MAX ? `${COUNTED_MAX}+` : of.count}</span>
      <span class="sr-only">{of.spoken(of.count)}</span>
    </span>
  );
}

function PhoneTabs({ isMoreOpen, onMore }: { isMoreOpen: boolean; onMore: () => void }) {
  const { words } = useApp();
  const { path } = useLocation();
  const places = useNavPlaces();
  const counts = useNavCounts();
  const inMore = [counts.alerts, counts.links, counts.competitors];
  const shown = places.filter(({ group }) => group === "work");
  const isInMore = places.some((place) => !shown.includes(place) && isAt(path, place.name));
  return (
    <nav class="phone-tabs" aria-label={words.frame.tabs}>
      {shown.map((place) => <NavLink key={place.name} place={place} counts={counts} />)}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        aria-current={isInMore ? "page" : undefined}
        onClick={onMore}
      >
        <Icon name="menu" />
        <span class="nav-word">{words.frame.more}</span>
        <NavCount
          of={{
            count: sumOf(inMore, ({ count }) => count ?? 0),
            spoken: () => words.frame.moreWaits,
          }}
        />
      </button>
    </nav>
  );
}

function NavFoot() {
  const { words, workspace } = useApp();
  const products = useProductCount({});
  const shops = useShops();
  return (
    <div class="nav-foot nav-word soft small">
      <strong>{workspace.value?.name}</strong>
      <p>
        {products !== null && <a href="/products">{words.frame.products(products)}</a>}
        {products !== null && shops !== null && " · "}
        {shops !== null && <a href="/competitors">{words.frame.shops(shops.length)}</a>}
      </p>
    </div>
  );
}

function Me({ onKeys }: { onKeys: () => void }) {
  const { words, user } = useApp();
  const signOut = useSignOut();
  const name = user.value?.name ?? user.value?.email ?? "";
  return (
    <div class="me row gap-4">
      <button
        type="button"
        class="key-button"
        aria-label={words.keys.title}
        title={words.keys.title}
        onClick={onKeys}
      >
        <kbd>?</kbd>
      </button>
      <Menu
        label={
          <>
            <span class="avatar" aria-hidden="true">{initialsOf(name)}</span>
            <span class="me-name clip fine">{name}</span>
          </>
        }
      >
        <a class="menu-item row spread gap-12" href="/settings/account">
          {words.settings.parts.account}
        </a>
        <a class="menu-item row spread gap-12" href="/docs" target="_blank" rel="noopener">
          {words.apiDocs}
        </a>
        <button type="button" class="menu-item row spread gap-12" onClick={signOut}>
          {words.signOut}
        </button>
      </Menu>
    </div>
  );
}

function initialsOf(email: string): string {
  const parts = email.replace(/@.*/, "").split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  return parts.slice(0, 2).map((part) => [...part][0] ?? "").join("").toUpperCase();
}

function focusSearch(): void {
  const field = document.querySelector('main input[type="search"]');
  if (field instanceof HTMLInputElement) field.select();
}

function usePaletteKey(open: () => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function StopBanner() {
  const { words: { automation: texts }, show, may } = useApp();
  const found = useDocument(get("/api/settings"), { everyMs: 60_000 });
  const stop = found.data?.automationStop;
  if (!stop) return null;
  return (
    <section class="note bad banner" aria-label={texts.stopped}>
      <strong>{texts.stopped}</strong>
      <p>
        {texts.since(show.dateTime(stop.at), stop.byName, stop.reason)}
        <br />
        {texts.onlyProposed}
      </p>
      {may("manager") && (
        <div class="note-foot row flow gap-14 rows-4">
          <ActionButton
            kind="main"
            ask={(api) => api.POST("/api/automation/resume", { body: {} })}
            touches={["automation", "audit-logs"]}
            toast={texts.resumed}
          >
            {texts.resume}
          </ActionButton>
        </div>
      )}
    </section>
  );
}

function ToastSlot() {
  const { toasts, words } = useApp();
  return (
    <div class="toasts stack gap-4" role="status" aria-label={words.messages}>
      {toasts.shown.value.map((toast) => (
        <ToastBox
          key={toast.id}
          toast={toast}
          onClose={() => toasts.close(toast.id)}
        />
      ))}
    </div>
  );
}

function ToastBox({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { words } = useApp();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || toast.error) return;
    const timer = setTimeout(onClose, TOAST_MS);
    return () => clearTimeout(timer);
  }, [isHeld, toast.id]);
  return (
    <div
      class={`toast spread fine gap-8${toast.error ? " failed" : ""}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {toast.error ? <ErrorNote error={toast.error} /> : (
        <p class="row breaks gap-8">
          <Icon name="check" />
          {toast.text}
        </p>
      )}
      {toast.undo && (
        <Button
          kind="quiet"
          icon="undo"
          onClick={() => {
            onClose();
            toast.undo?.();
          }}
        >
          {words.frame.undo}
        </Button>
      )}
      <Button kind="quiet" icon="close" label={words.close} onClick={onClose} />
    </div>
  );
}
