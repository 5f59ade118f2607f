import { useLocation } from "preact-iso";
import { useApp } from "../../app/app.ts";
import { Alone } from "../../parts/alone.tsx";
import { Button } from "../../parts/controls.tsx";
import { FormFrame, TextField, useForm } from "../../parts/form/fields.tsx";
import { useLinkToken } from "../../parts/use_link_token.ts";

/** The page of invitation and reset links. */
export function InvitationScreen() {
  const { call, words, user, toasts } = useApp();
  const { route } = useLocation();
  const token = useLinkToken();
  const form = useForm({
    initial: { name: "", password: "" },
    isGuarded: false,
    save: async ({ name, password }) => {
      const body = { token: token ?? "", password };
      user.value = await call((api) => api.POST("/api/invitations/accept", { body }), {
        mayBeSignedOut: true,
      });
      if (name.trim() !== "") {
        try {
          const body = { name: name.trim() };
          user.value = await call((api) => api.PATCH("/api/auth/me", { body }));
        } catch (error) {
          // The person is already signed in, and can set the name in the settings later.
          toasts.refuse(error);
        }
      }
      route("/", true);
    },
  });
  return (
    <Alone title={words.invitation.title}>
      {token === null ? <p class="note warn">{words.invitation.noToken}</p> : (
        <>
          <p>{words.invitation.text}</p>
          <FormFrame
            form={form}
            actions={
              <Button kind="main" type="submit" isBusy={form.isSaving}>
                {words.invitation.submit}
              </Button>
            }
          >
            <TextField
              {...form.text("name", words.invitation.name, words.invitation.nameHint)}
              autoComplete="name"
              hasFocus
              isWide
            />
            <TextField
              {...form.text("password", words.setUp.password, words.setUp.passwordHint)}
              type="password"
              autoComplete="new-password"
              isWide
            />
          </FormFrame>
        </>
      )}
    </Alone>
  );
}
