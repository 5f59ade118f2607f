/** What stands around every screen of a person who is signed in. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { useUnread } from "../parts/use_unread.ts";
import { useApp } from "../app/app.ts";
import { HoldBanner } from "./hold_banner.tsx";
import { KeyHelp } from "./key_help.tsx";
import { NAV } from "./nav.ts";
import { Palette } from "./palette.tsx";
import { ToastSlot } from "./toast_slot.tsx";
import { useKeys } from "../app/use_keys.ts";
import { useLeaveGuard } from "../app/use_leave_guard.ts";
import { useSignOut } from "../app/use_sign_out.ts";

/** More unread alerts than these are not counted to the person. */
const UNREAD_SHOWN_MAX = 99;

type Overlay = "palette" | "keys" | null;

export function Shell({ children }: { children: ComponentChildren }) {
  const { words } = useApp();
  const { path, route } = useLocation();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [isNavOpen, setNavOpen] = useState(false);
  useLeaveGuard();
  usePaletteKey(() => setOverlay("palette"));
  useKeys({
    "?": () => setOverlay("keys"),
    "/": focusSearch,
    ...Object.fromEntries(NAV.map(({ key, href }) => [`g ${key}`, () => route(href)])),
  });
  useEffect(() => setNavOpen(false), [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">{words.skipToContent}</a>
      <header class="top">
        <Button
          kind="quiet"
          icon="menu"
          label={words.openNav}
          onClick={() => setNavOpen(!isNavOpen)}
        />
        <Brand />
        <Button
          kind="quiet"
          icon="search"
          label={words.palette.open}
          onClick={() => setOverlay("palette")}
        />
      </header>
      <nav class={isNavOpen ? "nav open" : "nav"} aria-label={words.navigation}>
        <Brand />
        <NavLinks path={path} />
        <NavFoot onKeys={() => setOverlay("keys")} />
      </nav>
      {isNavOpen && <div class="nav-veil" onClick={() => setNavOpen(false)} />}
      <div class="beside-nav">
        <div class="bar">
          <button type="button" class="nav-search" onClick={() => setOverlay("palette")}>
            <Icon name="search" />
            <span>{words.palette.open}</span>
            <kbd>{words.palette.key}</kbd>
          </button>
          <ToastSlot />
        </div>
        <main id="main" tabIndex={-1}>
          <HoldBanner />
          {children}
        </main>
      </div>
      {overlay === "palette" && <Palette onClose={() => setOverlay(null)} />}
      {overlay === "keys" && <KeyHelp onClose={() => setOverlay(null)} />}
    </div>
  );
}

function Brand() {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" />
        <path d="M6 10h7v7h7v5h6" />
        <circle cx="26" cy="22" r="2.6" />
      </svg>
      Kurant
    </a>
  );
}

function NavLinks({ path }: { path: string }) {
  const { words } = useApp();
  return (
    <ul class="nav-links">
      {NAV.map(({ name, icon, href, label }) => (
        <li key={name}>
          <a
            href={href}
            aria-current={path === href || path.startsWith(`${href}/`) ? "page" : undefined}
          >
            <Icon name={icon} />
            {label(words)}
            {name === "alerts" && <UnreadBadge />}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Nothing while all is read. */
function UnreadBadge() {
  const { words } = useApp();
  const unread = useUnread();
  if (!unread) return null;
  const shown = unread > UNREAD_SHOWN_MAX ? `${UNREAD_SHOWN_MAX}+` : unread;
  return (
    <span class="nav-count">
      <span aria-hidden="true">{shown}</span>
      <span class="sr-only">{words.alerts.unreadCount(unread)}</span>
    </span>
  );
}

function NavFoot({ onKeys }: { onKeys: () => void }) {
  const { words, user, workspace } = useApp();
  const signOut = useSignOut();
  return (
    <div class="nav-foot">
      <a href="/docs" target="_blank" rel="noopener">
        <Icon name="docs" />
        {words.apiDocs}
      </a>
      <button type="button" class="nav-button" onClick={onKeys}>
        <kbd>?</kbd>
        {words.keys.title}
      </button>
      <Menu label={user.value?.email ?? ""}>
        <p class="menu-note">{workspace.value?.name}</p>
        <a class="menu-item" href="/settings/account">{words.settings.parts.account}</a>
        <button type="button" class="menu-item" onClick={signOut}>{words.signOut}</button>
      </Menu>
    </div>
  );
}

function focusSearch(): void {
  const field = document.querySelector('main input[type="search"]');
  if (field instanceof HTMLInputElement) field.select();
}

/** Ctrl-K and ⌘-K work wherever the cursor is. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
