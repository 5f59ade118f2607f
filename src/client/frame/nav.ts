import type { IconName } from "../parts/icon.tsx";
import type { Words } from "../words/de.ts";

interface NavEntry {
  /** Also the name of its icon. */
  readonly name: IconName & keyof Words["nav"];
  readonly href: string;
  /** Pressed after `g`. */
  readonly key: string;
}

/** What the navigation shows, from top to bottom. */
export const NAV: readonly NavEntry[] = [
  { name: "overview", href: "/", key: "o" },
  { name: "proposals", href: "/proposals", key: "i" },
  { name: "alerts", href: "/alerts", key: "a" },
  { name: "products", href: "/products", key: "p" },
  { name: "competitors", href: "/competitors", key: "c" },
  { name: "runs", href: "/runs", key: "f" },
  { name: "imports", href: "/imports", key: "m" },
  { name: "rules", href: "/rules", key: "r" },
  { name: "auditLog", href: "/audit-log", key: "l" },
  { name: "settings", href: "/settings", key: "s" },
];
