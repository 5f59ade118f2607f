/** What lies above the screens: messages, questions, and the way back after a lost session. */
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNote } from "../parts/error_note.tsx";
import { Icon } from "../parts/icon.tsx";
import { LoginForm } from "../parts/form/login_form.tsx";
import { useApp } from "../app/app.ts";
import type { Toast } from "../app/toasts.ts";

export function Overlays() {
  return (
    <>
      <OpenQuestion />
      <SignInAgain />
      <ToastList />
    </>
  );
}

function ToastList() {
  const { toasts, words } = useApp();
  return (
    <section class="toasts" aria-label={words.messages} aria-live="polite">
      {toasts.shown.value.map((toast) => (
        <ToastBox
          key={toast.id}
          toast={toast}
          onClose={() => toasts.close(toast.id)}
        />
      ))}
    </section>
  );
}

function ToastBox({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { words } = useApp();
  return (
    <div class={toast.error ? "toast failed" : "toast"}>
      {toast.error ? <ErrorNote error={toast.error} /> : (
        <p>
          <Icon name="check" />
          {toast.text}
        </p>
      )}
      <Button kind="quiet" icon="close" label={words.close} onClick={onClose} />
    </div>
  );
}

function OpenQuestion() {
  const { questions, words } = useApp();
  const question = questions.open.value;
  if (question === null) return null;
  return (
    <Dialog
      title={question.title}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button onClick={() => question.answer(false)}>{words.cancel}</Button>
          <Button
            kind={question.isDangerous ? "danger" : "main"}
            onClick={() => question.answer(true)}
          >
            {question.yes}
          </Button>
        </>
      }
    >
      <p>{question.text}</p>
    </Dialog>
  );
}

/** Opens above whatever was being done; afterwards the call that met the ended session goes on. */
function SignInAgain() {
  const { signInAsked, user, words } = useApp();
  const [email] = useState(() => user.value?.email ?? "");
  const answer = signInAsked.value;
  if (answer === null) return null;
  const close = (isSignedIn: boolean) => {
    signInAsked.value = null;
    answer(isSignedIn);
  };
  return (
    <Dialog title={words.login.again} onClose={() => close(false)}>
      <p>{words.login.againText}</p>
      <LoginForm
        email={user.value?.email ?? email}
        onSignedIn={(signedIn) => {
          const isSame = signedIn.id === user.value?.id;
          // Somebody else must not go on with this person's work.
          if (!isSame) location.reload();
          close(isSame);
        }}
      />
    </Dialog>
  );
}
