import { useEffect, useState } from "preact/hooks";
import { useApp, useDocument } from "../../app/app.ts";
import { Alone } from "../../parts/alone.tsx";
import { ActionButton } from "../../parts/action_button.tsx";
import { Button } from "../../parts/controls.tsx";
import { EmailField, FormFrame, useForm } from "../../parts/form/fields.tsx";
import { LEFT_PAGE, LoginForm } from "../../parts/factors/login_form.tsx";
import { get } from "../../api/call.ts";
import { useLocation } from "preact-iso";
import { PATHS } from "../../paths.ts";

export function LoginScreen() {
  const { words, user } = useApp();
  const state = useDocument(get("/api/setup"));
  const ways = useDocument(get("/api/auth/ways"));
  const [hasForgotten, setForgotten] = useState(false);
  if (state.data?.open) {
    return (
      <Alone title={words.login.notSetUp}>
        <p>{words.login.notSetUpText}</p>
      </Alone>
    );
  }
  if (hasForgotten) return <ForgottenPassword onBack={() => setForgotten(false)} />;
  return (
    <Alone title={words.login.title}>
      <LoginForm onSignedIn={(signedIn) => user.value = signedIn} />
      {ways.data?.provider && <ByProvider label={ways.data.provider} />}
      {ways.data?.mail && (
        <p>
          <Button kind="plain" onClick={() => setForgotten(true)}>{words.login.forgot}</Button>
        </p>
      )}
      {ways.data?.mail === false && <p class="soft">{words.login.forgotten}</p>}
    </Alone>
  );
}

function ByProvider({ label }: { readonly label: string }) {
  return (
    <p>
      <ActionButton
        run={(call) =>
          call((api) => api.POST("/api/auth/provider/begin"), { mayBeSignedOut: true })}
        onDone={({ url }) => location.assign(url)}
      >
        {useApp().words.login.byProvider(label)}
      </ActionButton>
    </p>
  );
}

/** The service never reveals whether an e-mail address has an account. */
function ForgottenPassword({ onBack }: { onBack(): void }) {
  const { call, words, language } = useApp();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: "" },
    isGuarded: false,
    save: async ({ email }) => {
      const body = { email, language: language.value };
      await call((api) => api.POST("/api/auth/forgotten", { body }), { mayBeSignedOut: true });
      setSentTo(email.trim());
    },
  });
  const back = <Button kind="plain" onClick={onBack}>{words.login.back}</Button>;
  return (
    <Alone title={words.login.forgot}>
      {sentTo !== null
        ? (
          <>
            <p role="status">{words.login.linkSent(sentTo)}</p>
            <p>{back}</p>
          </>
        )
        : (
          <>
            <p>{words.login.forgotText}</p>
            <FormFrame
              form={form}
              actions={
                <>
                  <Button kind="main" type="submit" isBusy={form.isSaving}>
                    {words.login.sendLink}
                  </Button>
                  {back}
                </>
              }
            >
              <EmailField {...form.text("email", words.fields.email)} hasFocus />
            </FormFrame>
          </>
        )}
    </Alone>
  );
}

/** The identity provider redirects to this page after a sign-in. */
export function ProviderScreen() {
  const { call, words, user } = useApp();
  const { route } = useLocation();
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    const body = { query: location.search };
    // Removes the one-time code in the URL from the browser's history.
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
