/** Puts the state of the page, the service and the words together for everything below. */
import { QueryClient, QueryClientProvider } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiError } from "../api/api_error.ts";
import { createCall } from "../api/call.ts";
import { ROLES } from "../../accounts/roles.ts";
import { createShow } from "../../engine/wording/show.ts";
import { wordsOf } from "../words/words.ts";
import { type App, AppContext } from "../app/app.ts";
import type { AppState } from "../app/app_state.ts";

const FRESH_MS = 5_000;
const RETRIES_MAX = 2;

/** Failed requests are repeated automatically; refusals are not. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: "always",
        retry: (times, error) =>
          times < RETRIES_MAX && error instanceof ApiError &&
          (error.code === "offline" || error.status >= 500),
      },
      mutations: { networkMode: "always" },
    },
  });
}

export function Frame({ state, children }: { state: AppState; children: ComponentChildren }) {
  const [client] = useState(createQueryClient);
  const [call] = useState(() => createCall({ signInAgain: () => askToSignIn(state) }));
  const language = state.language.value;
  const workspace = state.workspace.value;
  const role = state.user.value?.role;
  const show = useMemo(() =>
    createShow({
      locale: workspace?.locale ?? (language === "de" ? "de-DE" : "en-GB"),
      timeZone: workspace?.timeZone ?? "Europe/Berlin",
      currency: workspace?.currency ?? "EUR",
      ...(workspace && !workspace.locale.startsWith(language) && { language }),
    }, () => Date.now()), [workspace, language]);
  const app: App = useMemo(() => ({
    ...state,
    call,
    show,
    words: wordsOf(language),
    may: (least) => role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least),
  }), [call, show, language, role]);
  useTheme(state);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <AppContext.Provider value={app}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </AppContext.Provider>
  );
}

/** Several calls that meet an ended session wait for one and the same answer. */
function askToSignIn({ signInAsked, user }: AppState): Promise<boolean> {
  if (user.value === null) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const earlier = signInAsked.value;
  signInAsked.value = (isSignedIn) => {
    earlier?.(isSignedIn);
    resolve(isSignedIn);
  };
  return promise;
}

function useTheme({ theme }: AppState): void {
  const chosen = theme.value;
  useEffect(() => {
    const root = document.documentElement;
    if (chosen === "system") delete root.dataset.theme;
    else root.dataset.theme = chosen;
  }, [chosen]);
}
