import { useApp } from "../app/app.ts";
import { Switch } from "./controls.tsx";
import { useTitle } from "./page.tsx";
import type { ComponentChildren } from "preact";

export function Alone({ title, children }: { title: string; children: ComponentChildren }) {
  useTitle(title);
  return (
    <main class="alone">
      <div class="alone-card stack gap-16">
        <p class="brand row">
          <Mark />
          Kurant
        </p>
        <h1>{title}</h1>
        {children}
      </div>
      <LanguageSwitch />
    </main>
  );
}

/** Kurant's logo, with the same drawing as in `icon.svg`. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M6 10h7v7h7v5h6" />
      <circle cx="26" cy="22" r="2.6" />
    </svg>
  );
}

const NAMES = { de: "Deutsch", en: "English" } as const;

export function LanguageSwitch() {
  const { language, words } = useApp();
  return (
    <Switch
      label={words.language}
      options={["de", "en"]}
      value={language.value}
      textOf={(value) => <span lang={value}>{NAMES[value]}</span>}
      onValue={(value) => language.value = value}
    />
  );
}
