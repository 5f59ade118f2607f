/**
 * Forms in which a person proves their identity. A sign-in needs a passkey, or a password and the
 * person's second factor if there is one. A protected action needs one proof: passkey, code,
 * password, recovery code or identity provider.
 */
import type { User } from "../../../accounts/users/user.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { LinkButton } from "../controls.tsx";
import { Pending } from "../page.tsx";
import { EmailField, FormFrame, PasswordField, TextField, useForm } from "../form/fields.tsx";
import { useState } from "preact/hooks";
import { type Call, get, type Wire } from "../../api/call.ts";
import { ActionButton } from "../action_button.tsx";

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
      <FormFrame form={form} submit={words.login.title}>
        <EmailField {...form.text("email", words.fields.email)} hasFocus={email === ""} />
        <PasswordField
          {...form.text("password", words.login.password)}
          of="current-password"
          hasFocus={email !== ""}
          isWide
        />
      </FormFrame>
      {hasPasskeys() && <PasskeyLogin onSignedIn={onSignedIn} />}
    </>
  );
}

function PasskeyLogin({ onSignedIn }: LoginProps) {
  const signIn = async (call: Call) => {
    const options = await call((api) => api.POST("/api/auth/passkey-login/challenge"));
    const passkey = await askPasskey(options);
    if (passkey === null) return null;
    return await call((api) => api.POST("/api/auth/passkey-login", { body: { passkey } }));
  };
  return (
    <div class="passkey-login">
      <ActionButton run={signIn} showsError onDone={(user) => user && onSignedIn(user)}>
        {useApp().words.login.passkey}
      </ActionButton>
    </div>
  );
}

const TYPED = ["code", "password", "recoveryCode"] as const;
type Typed = (typeof TYPED)[number];

interface ProofProps {
  onProved(user: User): void;
}

export function ProofForm({ onProved }: ProofProps) {
  const found = useDocument(get("/api/auth/prove"));
  if (!found.data) return <Pending of={found} />;
  return <ChosenProof choice={found.data} onProved={onProved} />;
}

function ChosenProof({ choice, onProved }: ProofProps & { readonly choice: Wire<"ProofChoice"> }) {
  const { words } = useApp();
  const offered = TYPED.filter((kind) => choice[kind]);
  const [chosen, setChosen] = useState<Typed | null>(null);
  const kind = chosen ?? offered[0];
  return (
    <div class="proof stack gap-12">
      {choice.passkey && hasPasskeys() && <PasskeyProof onProved={onProved} />}
      {kind && <TypedProof key={kind} kind={kind} onProved={onProved} />}
      {choice.provider !== null && <ProviderProof label={choice.provider} />}
      {offered.filter((other) => other !== kind).map((other) => (
        <p key={other}>
          <LinkButton onClick={() => setChosen(other)}>{words.proof.instead[other]}</LinkButton>
        </p>
      ))}
    </div>
  );
}

export const LEFT_PAGE = "kurant.left";

function ProviderProof({ label }: { readonly label: string }) {
  const { words } = useApp();
  return (
    <>
      <ActionButton
        ask={(api) => api.POST("/api/auth/provider/prove")}
        touches={[]}
        onDone={({ url }) => {
          sessionStorage.setItem(LEFT_PAGE, location.pathname + location.search);
          location.assign(url);
        }}
      >
        {words.proof.provider(label)}
      </ActionButton>
      <p class="soft">{words.proof.providerText}</p>
    </>
  );
}

function PasskeyProof({ onProved }: ProofProps) {
  const prove = async (call: Call) => {
    const passkey = await askPasskey(await call((api) => api.POST("/api/auth/prove/passkey")));
    if (passkey === null) return null;
    return await call((api) => api.POST("/api/auth/prove", { body: { passkey } }));
  };
  return (
    <ActionButton kind="main" run={prove} showsError onDone={(user) => user && onProved(user)}>
      {useApp().words.proof.passkey}
    </ActionButton>
  );
}

function TypedProof({ kind, onProved }: ProofProps & { readonly kind: Typed }) {
  const { call, words } = useApp();
  const form = useForm({
    initial: { [kind]: "" },
    isGuarded: false,
    save: async (body) => onProved(await call((api) => api.POST("/api/auth/prove", { body }))),
  });
  const kinds = {
    code: { inputMode: "numeric", autoComplete: "one-time-code" },
    password: { type: "password", autoComplete: "current-password" },
    recoveryCode: { autoComplete: "off" },
  } as const;
  return (
    <FormFrame form={form} submit={words.proof.submit}>
      <TextField {...form.text(kind, words.proof.fields[kind])} {...kinds[kind]} hasFocus isWide />
    </FormFrame>
  );
}

/** JSON options of WebAuthn, which come from the service. */
type Options = Readonly<Record<string, unknown>>;

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

export async function makePasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(Object(options));
  const made = await navigator.credentials.create({ publicKey }).catch(cancelled);
  if (!(made instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = made.toJSON();
  return "attestationObject" in response ? { ...rest, response } : null;
}

async function askPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(Object(options));
  const answer = await navigator.credentials.get({ publicKey }).catch(cancelled);
  if (!(answer instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = answer.toJSON();
  return "signature" in response ? { ...rest, response } : null;
}

function cancelled(error: unknown): null {
  const names = ["NotAllowedError", "AbortError"];
  if (error instanceof DOMException && names.includes(error.name)) return null;
  throw error;
}
