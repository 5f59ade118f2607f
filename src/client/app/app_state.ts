/** State that lives as long as the page: created by `main.tsx`, passed down by the frame. */

import type { User } from "../../accounts/users/user.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import type { Language } from "../../engine/wording/show.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { createToasts, type Toasts } from "./toasts.ts";
import { type Signal, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
export type Role = User["role"];

export interface AppState {
  readonly language: Signal<Language>;
  readonly theme: Signal<Theme>;
  /** Single keys such as `j` act; people who dictate or mistype turn them off (WCAG 2.1.4). */
  readonly usesKeys: Signal<boolean>;
  readonly user: Signal<User | null>;
  readonly workspace: Signal<Workspace | null>;
  /** How many forms hold what is not saved yet. */
  readonly unsaved: Signal<number>;
  /** Each sends what a screen still holds back; called while the session is there to send it with. */
  readonly heldBack: Set<() => Promise<unknown>>;
  /** Set while a person whose session has ended is asked to sign in; called with the outcome. */
  readonly signInAsked: Signal<((isSignedIn: boolean) => void) | null>;
  readonly toasts: Toasts;
  readonly questions: Questions;
}

/** The browser stores language, theme and keys; everything else starts with the page. */
export function createAppState(storage: Storage): AppState {
  return {
    language: remembered(storage, "kurant.language", asLanguage),
    theme: remembered(storage, "kurant.theme", asTheme),
    usesKeys: remembered(storage, "kurant.keys", (text) => text !== "false"),
    user: signal(null),
    workspace: signal(null),
    unsaved: signal(0),
    heldBack: new Set(),
    signInAsked: signal(null),
    toasts: createToasts(),
    questions: createQuestions(),
  };
}

function asLanguage(text: string | null): Language {
  const wanted = text ?? navigator.language;
  return wanted.startsWith("de") ? "de" : "en";
}

function asTheme(text: string | null): Theme {
  return text === "light" || text === "dark" ? text : "system";
}

function remembered<T>(
  storage: Storage,
  name: string,
  parse: (text: string | null) => T,
): Signal<T> {
  const kept = signal(parse(storage.getItem(name)));
  let isFirst = true;
  kept.subscribe((value) => {
    // The first call is the value that was just read, or a default that may still change.
    if (!isFirst) storage.setItem(name, String(value));
    isFirst = false;
  });
  return kept;
}
