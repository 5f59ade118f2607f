/** The whole page: who is signed in decides what stands at an address. */
import type { VNode } from "preact";
import { Route, Router, useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import type { User } from "../../identity/users/user.ts";
import type { Workspace } from "../../identity/workspace.ts";
import { ApiError } from "../api/api_error.ts";
import { LoginScreen } from "../pages/login/login_screen.tsx";
import { NotFoundScreen } from "../pages/not_found/not_found_screen.tsx";
import { ErrorNote } from "../parts/error_note.tsx";
import { Loading } from "../parts/progress.tsx";
import { type PathName, PATHS } from "../paths.ts";
import { OPEN_SCREENS, SCREENS } from "../screens.tsx";
import { useApp } from "./app.ts";
import { Shell } from "./shell.tsx";

export function Root() {
  const { path, route } = useLocation();
  const { words, user, workspace } = useApp();
  const session = useSession();
  const isOpen = [...OPEN_SCREENS].some((name) => PATHS[name] === path);
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
  if (user.value === null) return <LoginScreen />;
  if (workspace.value === null) return <Loading label={words.loading} />;
  return (
    <Shell>
      <Screens />
    </Shell>
  );
}

function Screens() {
  const routes = Object.entries(PATHS).map(([name, path]): VNode => (
    <Route key={path} path={path} component={SCREENS[asName(name)]} />
  ));
  return <Router>{[...routes, <Route key="none" default component={NotFoundScreen} />]}</Router>;
}

const isName = (name: string): name is PathName => name in PATHS;

function asName(name: string): PathName {
  if (isName(name)) return name;
  throw new Error(`There is no address "${name}"`);
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
        user.value = await call<User>("/api/auth/me", { mayBeSignedOut: true });
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
    call<Workspace>("/api/settings").then((read) => {
      workspace.value = read;
    }, setError);
  }, [userId, turn]);
  return { error, isPending, again: () => setTurn(turn + 1) };
}
