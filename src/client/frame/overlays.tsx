/** Dialogs that can open above every screen. */
import { useState } from "preact/hooks";
import { Button, Dialog } from "../parts/controls.tsx";
import { ProofForm } from "../parts/factors/proof_form.tsx";
import { LoginForm } from "../parts/factors/login_form.tsx";
import { useApp } from "../app/app.ts";

export function Overlays() {
  return (
    <>
      <OpenQuestion />
      <SignInAgain />
      <ProveAgain />
    </>
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
          // Another person must not continue this person's work.
          if (!isSame) location.reload();
          close(isSame);
        }}
      />
    </Dialog>
  );
}

function ProveAgain() {
  const { proofAsked, words } = useApp();
  const answer = proofAsked.value;
  if (answer === null) return null;
  const close = (isProved: boolean) => {
    proofAsked.value = null;
    answer(isProved);
  };
  return (
    <Dialog title={words.proof.title} onClose={() => close(false)}>
      <p>{words.proof.text}</p>
      <ProofForm onProved={() => close(true)} />
    </Dialog>
  );
}
