import { useDocument } from "../../app/queries.ts";
import { useApp } from "../../app/app.ts";
import { Alone } from "../../parts/alone.tsx";
import { LoginForm } from "../../parts/form/login_form.tsx";

export function LoginScreen() {
  const { words, user } = useApp();
  const state = useDocument({ key: ["setup"], read: (api) => api.GET("/api/setup") });
  if (state.data?.open) {
    return (
      <Alone title={words.login.notSetUp}>
        <p>{words.login.notSetUpText}</p>
      </Alone>
    );
  }
  return (
    <Alone title={words.login.title}>
      <LoginForm
        onSignedIn={(signedIn) => {
          user.value = signedIn;
        }}
      />
      <p class="soft">{words.login.forgotten}</p>
    </Alone>
  );
}
