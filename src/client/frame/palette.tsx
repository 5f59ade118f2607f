import { useQuery } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Page } from "../api/page.ts";
import type { Product } from "../pages/products/product.ts";
import { useApp } from "./app.ts";
import { NAV } from "./nav.ts";

interface Entry {
  readonly key: string;
  readonly text: string;
  readonly note: string;
  readonly href: string;
}

const PRODUCTS_SHOWN = 8;

/** Goes anywhere by typing: screens and products (the combobox pattern of the ARIA guide). */
export function Palette({ onClose }: { onClose: () => void }) {
  const { words } = useApp();
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const entries = useEntries(text.trim());
  const active = Math.min(at, entries.length - 1);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
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
        aria-activedescendant={entries[active] ? `${listId}-${active}` : undefined}
        aria-label={words.palette.open}
        placeholder={words.palette.hint}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul role="listbox" id={listId} aria-label={words.palette.open}>
        {entries.map((entry, index) => (
          <li
            key={entry.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => go(entry)}
          >
            <span>{entry.text}</span>
            <small>{entry.note}</small>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="palette-none">{words.palette.none}</p>}
    </dialog>
  );
}

/** Screens whose name has the text in it, then products that the service finds. */
function useEntries(text: string): readonly Entry[] {
  const { call, words } = useApp();
  const found = useQuery({
    queryKey: ["products", "palette", text],
    queryFn: ({ signal }) =>
      call<Page<Product>>("/api/products", { query: { q: text, limit: PRODUCTS_SHOWN }, signal }),
    enabled: text.length > 1,
  });
  const screens = NAV.map(({ name, href, key }) => ({
    key: href,
    href,
    text: words.nav[name],
    note: `g ${key}`,
  }));
  const products = found.data?.items.map(({ id, sku, title }) => ({
    key: id,
    href: `/products/${id}`,
    text: title,
    note: sku,
  }));
  const wanted = text.toLowerCase();
  const fitting = screens.filter((screen) => screen.text.toLowerCase().includes(wanted));
  return [...fitting, ...(text.length > 1 ? products ?? [] : [])];
}
