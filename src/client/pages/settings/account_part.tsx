/**
 * Settings of the signed-in person. The browser stores language, theme and key shortcuts; the
 * account stores name, morning mail and password.
 */
import { useApp, useChange, useDocument } from "../../app/app.ts";
import type { Theme } from "../../app/app_state.ts";
import { useSignOut } from "../../app/use_sign_out.ts";
import { LanguageSwitch } from "../../parts/alone.tsx";
import { Button, Switch } from "../../parts/controls.tsx";
import { ErrorNote, Pending, Section } from "../../parts/page.tsx";
import { CheckField, FormFrame, SaveButton, TextField, useForm } from "../../parts/form/fields.tsx";
import { MailOutcome } from "./workspace_part.tsx";
import { get } from "../../api/call.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

export function AccountPart() {
  const { words, theme, usesKeys, user } = useApp();
  const texts = words.settings.account;
  const signOut = useSignOut();
  return (
    <>
      <Section title={texts.appearance}>
        <div class="rows">
          <span>{words.language}</span>
          <LanguageSwitch label={words.language} />
          <span>{texts.theme}</span>
          <Switch
            label={texts.theme}
            options={THEMES}
            value={theme.value}
            textOf={(value) => texts.themes[value]}
            onValue={(value) => {
              theme.value = value;
            }}
          />
        </div>
        <CheckField
          name="uses-keys"
          label={words.keys.areOn}
          isOn={usesKeys.value}
          onChange={(isOn) => {
            usesKeys.value = isOn;
          }}
        />
      </Section>
      <Section title={texts.name} note={user.value?.email}>
        <NameForm />
      </Section>
      <MorningMailSection />
      <Section title={texts.password} note={user.value?.email}>
        <PasswordForm />
      </Section>
      <p>
        <Button onClick={signOut}>{words.signOut}</Button>
      </p>
    </>
  );
}

function NameForm() {
  const { call, words: { settings: { account: texts } }, toasts, user } = useApp();
  const form = useForm({
    initial: { name: user.value?.name ?? "" },
    save: async ({ name }) => {
      const body = { name: name.trim() === "" ? null : name };
      const saved = await call((api) => api.PATCH("/api/auth/me", { body }));
      user.value = saved;
      toasts.tell(texts.nameSaved);
      form.reset({ name: saved.name ?? "" });
    },
  });
  return (
    <FormFrame form={form} actions={<SaveButton isDirty={form.isDirty} isSaving={form.isSaving} />}>
      <TextField {...form.text("name", texts.name, texts.nameHint)} autoComplete="name" />
    </FormFrame>
  );
}

const EMPTY = { currentPassword: "", newPassword: "" };

function PasswordForm() {
  const { call, words, toasts } = useApp();
  const texts = words.settings.account;
  const form = useForm({
    initial: EMPTY,
    save: async (body) => {
      await call((api) => api.POST("/api/auth/password", { body }));
      toasts.tell(texts.changed);
      form.reset(EMPTY);
    },
  });
  return (
    <FormFrame
      form={form}
      actions={<SaveButton isDirty={form.isDirty} isSaving={form.isSaving} label={texts.change} />}
    >
      <TextField
        {...form.text("currentPassword", texts.current)}
        type="password"
        autoComplete="current-password"
      />
      <TextField
        {...form.text("newPassword", texts.new, words.setUp.passwordHint)}
        type="password"
        autoComplete="new-password"
      />
    </FormFrame>
  );
}

function MorningMailSection() {
  const { words } = useApp();
  const texts = words.morningMail;
  const found = useDocument(get("/api/overview/mail"));
  const change = useChange({
    ask: (api, isOn: boolean) => api.PATCH("/api/overview/mail", { body: { isOn } }),
    touches: ["morning mail"],
  });
  const test = useChange({
    ask: (api) => api.POST("/api/overview/mail/test"),
    touches: [],
    showsError: true,
  });
  const { data } = found;
  const actions = (
    <Button isBusy={test.isPending} onClick={() => test.mutate(undefined)}>{texts.test}</Button>
  );
  return (
    <Section title={texts.title} note={data && texts.note(data.time)} actions={actions}>
      {data
        ? (
          <label class="check">
            <input
              type="checkbox"
              checked={data.isOn}
              disabled={change.isPending}
              onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
            />
            {texts.isOn}
          </label>
        )
        : <Pending of={found} />}
      {data?.isOn && !data.isMailOn && <p class="note warn">{words.mail.off}</p>}
      {test.error && <ErrorNote error={test.error} />}
      {test.data && <MailOutcome result={test.data} />}
    </Section>
  );
}
