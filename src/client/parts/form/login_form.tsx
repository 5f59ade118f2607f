import type { User } from "../../../accounts/users/user.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { FormFrame, TextField, useForm } from "./fields.tsx";

export function LoginForm(
  { email = "", onSignedIn }: { readonly email?: string; onSignedIn(user: User): void },
) {
  const { call, words } = useApp();
  const form = useForm({
    initial: { email, password: "" },
    isGuarded: false,
    save: async (values) => {
      const signedIn = await call((api) => api.POST("/api/auth/login", { body: values }), {
        mayBeSignedOut: true,
      });
      onSignedIn(signedIn);
    },
  });
  return (
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
  );
}
