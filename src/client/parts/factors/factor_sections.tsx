import { byId, get, type Wire } from "../../api/call.ts";
import { useApp, useDocument, useRefresh } from "../../app/app.ts";
import { hasPasskeys, makePasskey } from "./login_form.tsx";
import { Badge, Button, Dialog } from "../controls.tsx";
import { CopyText } from "../copy_text.tsx";
import { Pending, Section } from "../page.tsx";
import { FormDialog } from "../form/saved_form.tsx";
import { DigitsField, TextField, useForm } from "../form/fields.tsx";
import { type Column, column, SimpleTable } from "../table/table.tsx";
import { useState } from "preact/hooks";
import { encode } from "uqr";
import { ActionButton } from "../action_button.tsx";

type Passkey = Wire<"Passkey">;

export function FactorSections({ onDone }: { onDone?(): void }) {
  const found = useDocument(get("/api/auth/factors"));
  const [codes, setCodes] = useState<readonly string[]>([]);
  const refresh = useRefresh("factors");
  if (!found.data) return <Pending of={found} />;
  const factors = found.data;
  const added = async (fresh: readonly string[]) => {
    if (fresh.length > 0) setCodes(fresh);
    else onDone?.();
    await refresh();
  };
  const seen = () => {
    setCodes([]);
    onDone?.();
  };
  return (
    <>
      <AppSection factors={factors} onAdded={added} />
      <PasskeySection factors={factors} onAdded={added} />
      {(factors.totp !== null || factors.passkeys.length > 0) && (
        <CodesSection left={factors.recoveryCodesLeft} onMade={setCodes} />
      )}
      {codes.length > 0 && <CodesDialog codes={codes} onClose={seen} />}
    </>
  );
}

interface PartProps {
  readonly factors: Wire<"Factors">;
  onAdded(codes: readonly string[]): Promise<void>;
}

function AppSection({ factors: { totp }, onAdded }: PartProps) {
  const { words: { factors: texts, remove }, show } = useApp();
  const [app, setApp] = useState<Wire<"NewAuthenticatorApp"> | null>(null);
  return (
    <Section title={texts.app} note={totp ? texts.since(show.date(totp.createdAt)) : texts.appNote}>
      <p class="row-actions gap-8">
        <Badge tone={totp ? "good" : "plain"}>{totp ? texts.isOn : texts.isOff}</Badge>
        <ActionButton
          ask={(api) =>
            api.POST("/api/auth/factors/totp")}
          touches={[]}
          onDone={setApp}
        >
          {totp ? texts.replaceApp : texts.addApp}
        </ActionButton>
        {totp && (
          <ActionButton
            kind="quiet"
            ask={(api) => api.DELETE("/api/auth/factors/totp")}
            danger={{ title: texts.removeApp, text: texts.removeAppText, yes: remove }}
          >
            {remove}
          </ActionButton>
        )}
      </p>
      {app && (
        <AppDialog
          app={app}
          onClose={() => setApp(null)}
          onAdded={onAdded}
        />
      )}
    </Section>
  );
}

interface AppDialogProps {
  readonly app: Wire<"NewAuthenticatorApp">;
  onAdded(codes: readonly string[]): Promise<void>;
  onClose(): void;
}

function AppDialog({ app, onAdded, onClose }: AppDialogProps) {
  const { call, words: { factors: texts, settings, proof } } = useApp();
  const form = useForm({
    initial: { code: "" },
    save: async (body) => {
      const { recoveryCodes } = await call((api) =>
        api.POST("/api/auth/factors/totp/confirm", { body })
      );
      onClose();
      await onAdded(recoveryCodes);
    },
  });
  const above = (
    <>
      <p>{texts.scan}</p>
      <QrCode text={app.uri} label={texts.qrCode} />
      <CopyText text={app.secret} label={settings.keys.key} />
    </>
  );
  return (
    <FormDialog
      title={texts.addApp}
      save={proof.submit}
      form={form}
      above={above}
      onClose={onClose}
    >
      <DigitsField
        {...form.text("code", proof.fields.code, texts.codeHint)}
        autoComplete="one-time-code"
        isWide
      />
    </FormDialog>
  );
}

/** Dark on light even in the dark scheme, because many cameras need this contrast. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : [])
  );
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}

function PasskeySection({ factors: { passkeys, allowsPasskeys }, onAdded }: PartProps) {
  const texts = useApp().words.factors;
  const [isAdding, setAdding] = useState(false);
  const isPossible = allowsPasskeys && hasPasskeys();
  return (
    <Section
      title={texts.passkeys}
      note={texts.passkeysNote}
      actions={isPossible && (
        <Button icon="plus" onClick={() => setAdding(true)}>{texts.addPasskey}</Button>
      )}
    >
      {!isPossible && <p class="note info">{texts.noPasskeys}</p>}
      {passkeys.length > 0 && (
        <SimpleTable label={texts.passkeys} columns={usePasskeyColumns()} rows={passkeys} />
      )}
      {isAdding && <PasskeyDialog onClose={() => setAdding(false)} onAdded={onAdded} />}
    </Section>
  );
}

function usePasskeyColumns(): readonly Column<Passkey>[] {
  const { words: { factors: texts, actions, fields, sessions, settings }, show } = useApp();
  return [
    column("name", fields.name, 180).cell(({ name }) => name),
    column("since", texts.created, 120).date(({ createdAt }) => createdAt),
    column("used", sessions.lastUsed, 140).cell(({ lastUsedAt }) =>
      lastUsedAt ? show.ago(lastUsedAt) : settings.keys.never
    ),
    column("actions", actions, 200).cell((passkey) => <PasskeyActions passkey={passkey} />),
  ];
}

function PasskeyActions({ passkey: { id, name } }: { readonly passkey: Passkey }) {
  const { words: { factors: texts, remove } } = useApp();
  return (
    <ActionButton
      kind="quiet"
      icon="close"
      label={`${remove}: ${name}`}
      ask={(api) => api.DELETE("/api/auth/passkeys/{id}", byId(id))}
      touches={["factors"]}
      danger={{ title: texts.removePasskey, text: texts.removePasskeyText(name), yes: remove }}
    />
  );
}

function PasskeyDialog(
  { onAdded, onClose }: { onAdded(codes: readonly string[]): Promise<void>; onClose(): void },
) {
  const { call, words: { factors: texts, fields } } = useApp();
  const form = useForm({
    initial: { name: "" },
    save: async ({ name }) => {
      const options = await call((api) => api.POST("/api/auth/passkeys/challenge"));
      const passkey = await makePasskey(options);
      if (passkey === null) return false;
      const body = { name, passkey };
      const { recoveryCodes } = await call((api) => api.POST("/api/auth/passkeys", { body }));
      onClose();
      await onAdded(recoveryCodes);
      return true;
    },
  });
  return (
    <FormDialog title={texts.addPasskey} form={form} onClose={onClose}>
      <TextField {...form.text("name", fields.name, texts.nameHint)} hasFocus isWide />
    </FormDialog>
  );
}

function CodesSection({ left, onMade }: { left: number; onMade(codes: readonly string[]): void }) {
  const texts = useApp().words.factors;
  return (
    <Section title={texts.codes} note={texts.codesNote}>
      <p class="row-actions">
        <span>{texts.codesLeft(left)}</span>
        <ActionButton
          ask={(api) => api.POST("/api/auth/factors/recovery-codes")}
          onDone={({ recoveryCodes }) => onMade(recoveryCodes)}
        >
          {texts.newCodes}
        </ActionButton>
      </p>
    </Section>
  );
}

function CodesDialog({ codes, onClose }: { readonly codes: readonly string[]; onClose(): void }) {
  const texts = useApp().words.factors;
  return (
    <Dialog
      title={texts.codes}
      onClose={onClose}
      actions={<Button kind="main" onClick={onClose}>{texts.codesKept}</Button>}
    >
      <p>{texts.codesText}</p>
      <ul class="stack gap-6">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
