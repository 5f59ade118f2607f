/** Dialogs and notes that can appear above every screen, such as a question before an action. */
import { useEffect, useState } from "preact/hooks";
import { Button, Dialog } from "../parts/controls.tsx";
import { LoginForm, ProofForm } from "../parts/factors/login_form.tsx";
import { useApp } from "../app/app.ts";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/preact-query";
import { isUnreachable } from "../api/api_error.ts";

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
            {question.yes ?? words.yes}
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
          // If a different person signs in, this person must not continue the first person's work.
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

const AGAIN_MS = 5_000;

export function ConnectionNote() {
  const { words, show } = useApp();
  const client = useQueryClient();
  const [sinceMs, setSinceMs] = useState<number | null>(null);
  const isLost = sinceMs !== null;
  useEffect(() => client.getQueryCache().subscribe(() => setSinceMs(oldestOf(client))), [client]);
  useEffect(() => {
    if (!isLost) return;
    const again = () => void client.refetchQueries({ type: "active", predicate: isKept });
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, isLost]);
  if (!isLost) return null;
  return (
    <p class="note warn banner" role="status">
      {words.frame.connectionLost(show.time(new Date(sinceMs)))}
    </p>
  );
}

function oldestOf(client: QueryClient): number | null {
  const kept = client.getQueryCache().findAll({ type: "active", predicate: isKept });
  return kept.length === 0 ? null : Math.min(...kept.map(({ state }) => state.dataUpdatedAt));
}

function isKept({ state }: Query): boolean {
  return state.data !== undefined && isUnreachable(state.error);
}
