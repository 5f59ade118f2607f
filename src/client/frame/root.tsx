/** The whole page: who is signed in decides what stands at an address. */
import type { VNode } from "preact";
import { Route, Router, useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/api_error.ts";
import { EmptyState } from "../parts/empty_state.tsx";
import { ErrorNote } from "../parts/error_note.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Loading } from "../parts/progress.tsx";
import { PATH_NAMES, PATHS } from "../paths.ts";
import { SCREENS } from "../screens.tsx";
import { useApp } from "../app/app.ts";
import { Shell } from "./shell.tsx";

export function Root() {
  const { path, route } = useLocation();
  const { words, user, workspace } = useApp();
  const session = useSession();
  const isOpen = PATH_NAMES.some((name) => SCREENS[name].isOpen && PATHS[name] === path);
  const isLogin = path === PATHS.login;
  useEffect(() => {
    if (isLogin && user.value !== null) route("/", true);
  }, [isLogin, user.value]);
  if (isOpen) return <Screens />;
  if (session.error !== null) {
    return (
      <main class="alone">
        <ErrorNote error={session.error} onAgain={session.again} />
      </main>
    );
  }
  if (session.isPending) return <Loading label={words.loading} />;
  // The address stays: after the sign-in the person is where the link led.
  if (user.value === null) return <SCREENS.login.page />;
  if (workspace.value === null) return <Loading label={words.loading} />;
  return (
    <Shell>
      <Screens />
    </Shell>
  );
}

function Screens() {
  const routes = PATH_NAMES.map((name): VNode => (
    <Route key={name} path={PATHS[name]} component={SCREENS[name].page} />
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

/** Asks once who is signed in, and for the settings of the workspace whenever that changes. */
function useSession() {
  const { call, user, workspace } = useApp();
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(true);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const read = async () => {
      setError(null);
      try {
        user.value = await call((api) => api.GET("/api/auth/me"), { mayBeSignedOut: true });
      } catch (refusal) {
        const isSignedOut = refusal instanceof ApiError && refusal.code === "not_authenticated";
        if (!isSignedOut) setError(refusal);
      }
      setPending(false);
    };
    void read();
  }, [turn]);
  const userId = user.value?.id ?? null;
  useEffect(() => {
    if (userId === null) return;
    call((api) => api.GET("/api/settings")).then((read) => {
      workspace.value = read;
    }, setError);
  }, [userId, turn]);
  return { error, isPending, again: () => setTurn(turn + 1) };
}
