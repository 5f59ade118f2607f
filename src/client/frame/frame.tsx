/** Gives all components the page's state, the API, and the texts in the person's language. */
import { QueryClient, QueryClientProvider } from "@tanstack/preact-query";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, createCall, get, isUnreachable } from "../api/call.ts";
import { ROLES } from "../../accounts/roles.ts";
import type { Language } from "../../base/codes.ts";
import { createShow } from "../../engine/wording/show.ts";
import { wordsOf } from "../words/words.ts";
import { type App, AppContext, useApp } from "../app/app.ts";
import type { AppState } from "../app/app_state.ts";
import { Route, Router, useLocation } from "preact-iso";
import { EmptyState, ErrorNote, Loading, PageHead } from "../parts/page.tsx";
import { onDemand } from "../parts/on_demand.tsx";
import { PATH_NAMES, PATHS } from "../paths.ts";
import { OPEN_SCREENS, SCREENS } from "../screens.tsx";
import { Shell } from "./shell.tsx";

const FactorScreen = onDemand(async () => (await import("../account_pages.ts")).ACCOUNT_PAGES)(
  "factors",
);

const RETRIES_MAX = 2;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        networkMode: "always",
        retry: (times, error) => times < RETRIES_MAX && isUnreachable(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}

export function Frame({ state, children }: { state: AppState; children: ComponentChildren }) {
  const [client] = useState(createQueryClient);
  const [call] = useState(() =>
    createCall({
      signInAgain: async () => state.user.value !== null && await askIn(state.signInAsked),
      proveAgain: () => askIn(state.proofAsked),
      onFactorMissing: () => state.lacksFactor.value = true,
    })
  );
  const language = state.language.value;
  const workspace = state.workspace.value;
  const role = state.user.value?.role;
  const show = useMemo(() =>
    createShow({
      locale: localeOf(language, workspace?.locale),
      timeZone: workspace?.timeZone ?? "Europe/Berlin",
      currency: workspace?.currency ?? "EUR",
    }, () => Date.now()), [workspace, language]);
  const words = useMemo(() => wordsOf(language, show.number), [language, show]);
  const app: App = useMemo(() => ({
    ...state,
    call,
    show,
    audience: { language, show },
    words,
    may: (least) => role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least),
  }), [call, show, words, role]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <AppContext.Provider value={app}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </AppContext.Provider>
  );
}

function localeOf(language: Language, ofWorkspace: string | undefined): string {
  if (ofWorkspace?.startsWith(language)) return ofWorkspace;
  return language === "de" ? "de-DE" : "en-GB";
}

function askIn(asked: AppState["signInAsked"]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const earlier = asked.value;
  asked.value = (isDone) => {
    earlier?.(isDone);
    resolve(isDone);
  };
  return promise;
}

export function Root() {
  const { path, route } = useLocation();
  const { words, user, workspace, lacksFactor } = useApp();
  const session = useSession(path === PATHS.provider);
  const isOpen = OPEN_SCREENS.some((name) => PATHS[name] === path);
  const isLogin = path === PATHS.login;
  useEffect(() => {
    if (isLogin && user.value !== null) route("/", true);
  }, [isLogin, user.value]);
  if (isOpen) return <Screens />;
  if (lacksFactor.value) return <FactorScreen />;
  if (session.error !== null) {
    return (
      <main class="alone">
        <ErrorNote error={session.error} onAgain={session.again} />
      </main>
    );
  }
  if (session.isPending) return <Loading label={words.loading} />;
  // The URL stays the same during the sign-in, so that the requested screen appears afterwards.
  if (user.value === null) return <SCREENS.login />;
  if (workspace.value === null) return <Loading label={words.loading} />;
  return (
    <Shell>
      <Screens />
    </Shell>
  );
}

function Screens() {
  const routes = PATH_NAMES.map((name): VNode => (
    <Route key={name} path={PATHS[name]} component={SCREENS[name]} />
  ));
  return <Router>{[...routes, <Route key="none" default component={NotFound} />]}</Router>;
}

function NotFound() {
  const { words } = useApp();
  return (
    <>
      <PageHead title={words.notFound.title} />
      <EmptyState icon="warning" title={words.notFound.title} text={words.notFound.text}>
        <a class="button main" href="/products">{words.notFound.toProducts}</a>
      </EmptyState>
    </>
  );
}

/**
 * If `isBeginning`, an identity provider is signing a person in. No user is requested then, because
 * a late answer for the old session could replace the new user.
 */
function useSession(isBeginning: boolean) {
  const { call, user, workspace } = useApp();
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(true);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (isBeginning) return;
    const read = async () => {
      setError(null);
      try {
        user.value = await call(get("/api/auth/me"), { mayBeSignedOut: true });
      } catch (refusal) {
        const isSignedOut = refusal instanceof ApiError &&
          ["not_authenticated", "second_factor_required"].includes(refusal.code);
        if (!isSignedOut) setError(refusal);
      }
      setPending(false);
    };
    void read();
  }, [attempt, isBeginning]);
  const userId = user.value?.id ?? null;
  useReloadForOthers(userId);
  useEffect(() => {
    if (userId === null) return;
    call(get("/api/settings")).then((read) => {
      workspace.value = read;
    }, setError);
  }, [userId, attempt]);
  return { error, isPending, again: () => setAttempt(attempt + 1) };
}

const PERSON = "kurant.person";

/** All tabs share one session, so a sign-in by another person in another tab reloads this page. */
function useReloadForOthers(userId: string | null): void {
  useEffect(() => {
    if (userId === null) return;
    localStorage.setItem(PERSON, userId);
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === PERSON && newValue !== null && newValue !== userId) location.reload();
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [userId]);
}
