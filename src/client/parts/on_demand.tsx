import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/call.ts";
import { useApp } from "../app/app.ts";
import { ErrorNote, Loading } from "./page.tsx";

/**
 * Loads a module of screens when the first of them is opened. If this fails, because the service
 * was updated or cannot be reached, the person must reload the page.
 */
export function onDemand<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
): (name: Name) => FunctionComponent {
  let loaded: Readonly<Record<Name, FunctionComponent>> | null = null;
  return (name) =>
    function OnDemand() {
      const { words } = useApp();
      const [pages, setPages] = useState(loaded);
      const [error, setError] = useState<unknown>(null);
      useEffect(() => {
        if (pages !== null) return;
        load().then((came) => {
          loaded = came;
          setPages(came);
        }, (cause) => setError(notLoaded(cause)));
      }, []);
      if (error !== null) return <ErrorNote error={error} onAgain={() => location.reload()} />;
      if (pages === null) return <Loading label={words.loading} />;
      const Page: FunctionComponent = pages[name];
      return <Page />;
    };
}

function notLoaded(cause: unknown): ApiError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ApiError({ code: "not_loaded", message, status: 0, requestId: null, cause });
}
