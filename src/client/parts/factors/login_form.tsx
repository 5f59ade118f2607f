/** Signs in by password, with a second factor if the person has one, or by a passkey alone. */
import type { User } from "../../../accounts/users/user.ts";
import { useApp, useChange } from "../../app/app.ts";
import { askPasskey, hasPasskeys } from "../../app/passkeys.ts";
import { Button } from "../controls.tsx";
import { ProofForm } from "./proof_form.tsx";
import { ErrorNote } from "../page.tsx";
import { FormFrame, TextField, useForm } from "../form/fields.tsx";
import { useState } from "preact/hooks";

interface LoginProps {
  readonly email?: string;
  onSignedIn(user: User): void;
}

export function LoginForm({ email = "", onSignedIn }: LoginProps) {
  const { call, words } = useApp();
  const [awaitsFactor, setAwaitsFactor] = useState(false);
  const form = useForm({
    initial: { email, password: "" },
    isGuarded: false,
    save: async (values) => {
      const { awaits, ...user } = await call(
        (api) => api.POST("/api/auth/login", { body: values }),
        { mayBeSignedOut: true },
      );
      if (awaits) setAwaitsFactor(true);
      else onSignedIn(user);
    },
  });
  if (awaitsFactor) {
    return (
      <>
        <p>{words.proof.secondStep}</p>
        <ProofForm onProved={onSignedIn} />
      </>
    );
  }
  return (
    <>
      <FormFrame
        form={form}
        actions={
          <Button kind="main" type="submit" isBusy={form.isSaving}>{words.login.submit}</Button>
        }
      >
        <TextField
          {...form.text("email", words.login.email)}
          type="email"
          autoComplete="username"
          hasFocus={email === ""}
          isWide
        />
        <TextField
          {...form.text("password", words.login.password)}
          type="password"
          autoComplete="current-password"
          hasFocus={email !== ""}
          isWide
        />
      </FormFrame>
      {hasPasskeys() && <PasskeyLogin onSignedIn={onSignedIn} />}
    </>
  );
}

function PasskeyLogin({ onSignedIn }: LoginProps) {
  const { words } = useApp();
  const signIn = useChange({
    run: async (call) => {
      const options = await call((api) => api.POST("/api/auth/passkey-login/challenge"));
      const passkey = await askPasskey(options);
      if (passkey === null) return null;
      const body = { passkey };
      return await call((api) => api.POST("/api/auth/passkey-login", { body }));
    },
    touches: [],
    showsError: true,
    onDone: (user) => user && onSignedIn(user),
  });
  return (
    <div class="passkey-login">
      <Button isBusy={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        {words.login.passkey}
      </Button>
      {signIn.error && <ErrorNote error={signIn.error} />}
    </div>
  );
}
