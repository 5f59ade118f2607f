import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Alone } from "../../parts/alone.tsx";
import { Button } from "../../parts/controls.tsx";
import { LEFT_PAGE } from "../../parts/factors/proof_form.tsx";
import { PATHS } from "../../paths.ts";

/** The identity provider redirects to this page. */
export function ProviderScreen() {
  const { call, words, user } = useApp();
  const { route } = useLocation();
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    const body = { query: location.search };
    // The code in the address works only once, so it must not stay in the history.
    history.replaceState(null, "", PATHS.provider);
    const left = sessionStorage.getItem(LEFT_PAGE) ?? "/";
    sessionStorage.removeItem(LEFT_PAGE);
    call((api) => api.POST("/api/auth/provider/finish", { body }), { mayBeSignedOut: true })
      .then((signedIn) => {
        user.value = signedIn;
        route(left, true);
      })
      .catch((error) => setRefusal(error instanceof Error ? error.message : String(error)));
  }, []);
  return (
    <Alone title={words.login.title}>
      {refusal === null ? <p role="status">{words.login.finishing}</p> : (
        <>
          <p class="note warn" role="alert">{refusal}</p>
          <Button kind="main" onClick={() => route(PATHS.login, true)}>{words.login.back}</Button>
        </>
      )}
    </Alone>
  );
}
