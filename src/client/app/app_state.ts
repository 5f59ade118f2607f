/** Keeps the state that all screens share while the page is open. */
import type { User } from "../../accounts/users/user.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import type { Language } from "../../base/codes.ts";
import { type Signal, signal } from "@preact/signals";
import { type ApiError, asApiError } from "../api/call.ts";

export type Role = User["role"];

export type AppState = Readonly<ReturnType<typeof createAppState>>;

export function createAppState(storage: Storage) {
  return {
    language: remembered(storage, "kurant.language", asLanguage),
    /** False if the person has switched off commands by single keys such as `j` (WCAG 2.1.4). */
    usesKeys: remembered(storage, "kurant.keys", (text) => text !== "false"),
    user: signal<User | null>(null),
    workspace: signal<Workspace | null>(null),
    unsaved: signal(0),
    /** The sign-out waits until the service has answered these changes. */
    pendingChanges: new Set<Promise<unknown>>(),
    signInAsked: signal<((isSignedIn: boolean) => void) | null>(null),
    proofAsked: signal<((isProved: boolean) => void) | null>(null),
    lacksFactor: signal(false),
    /** Files chosen during the set-up, until the import screen takes them. */
    handedFiles: signal<readonly File[]>([]),
    handedSkus: signal<readonly string[]>([]),
    toasts: createToasts(),
    questions: createQuestions(),
  };
}

function asLanguage(text: string | null): Language {
  const wanted = text ?? navigator.language;
  return wanted.startsWith("de") ? "de" : "en";
}

function remembered<T>(
  storage: Storage,
  name: string,
  parse: (text: string | null) => T,
): Signal<T> {
  const kept = signal(parse(storage.getItem(name)));
  let isFirst = true;
  kept.subscribe((value) => {
    // Do not store the initial value, because it may come from the browser's language.
    if (!isFirst) storage.setItem(name, String(value));
    isFirst = false;
  });
  return kept;
}

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes?: string;
  readonly isDangerous?: boolean;
}

function createQuestions() {
  const open = signal<(Question & { answer(isYes: boolean): void }) | null>(null);
  return {
    open,
    ask: (question: Question) => {
      open.value?.answer(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      open.value = {
        ...question,
        answer: (isYes) => {
          open.value = null;
          resolve(isYes);
        },
      };
      return promise;
    },
  };
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** A toast with an error stays until the person closes it or three newer toasts appear. */
  readonly error: ApiError | null;
  readonly undo: (() => void) | null;
}

export const TOAST_MS = 8_000;
const SHOWN_MAX = 3;

function createToasts() {
  const shown = signal<readonly Toast[]>([]);
  let lastId = 0;
  const close = (id: number) => shown.value = shown.value.filter((toast) => toast.id !== id);
  const add = (toast: Omit<Toast, "id">): number => {
    shown.value = [...shown.value, { ...toast, id: ++lastId }].slice(-SHOWN_MAX);
    return lastId;
  };
  return {
    shown,
    close,
    tell: (text: string, undo?: () => void) => add({ text, error: null, undo: undo ?? null }),
    refuse: (error: unknown) => {
      const refused = asApiError(error);
      add({ text: refused.message, error: refused, undo: null });
    },
  };
}
