/**
 * Screens that come before all others: the set-up, an invitation, a password reset, and a required
 * second factor. The set-up creates the workspace and its owner, and needs a link that the server
 * prints.
 */
import { useLocation } from "preact-iso";
import { get } from "../../api/call.ts";
import { useApp, useDocument, useSignOut } from "../../app/app.ts";
import { readNumber } from "../../formats/decimal.ts";
import { Alone } from "../../parts/alone.tsx";
import { Button } from "../../parts/controls.tsx";
import {
  CheckField,
  DecimalField,
  EmailField,
  FormFrame,
  PasswordField,
  SelectField,
  TextField,
  useForm,
} from "../../parts/form/fields.tsx";
import { CurrencyField, TimeZoneField } from "../../parts/form/saved_form.tsx";
import { useLinkToken } from "../../parts/hooks.ts";
import { FactorSections } from "../../parts/factors/factor_sections.tsx";

export function SetUpScreen() {
  const { words } = useApp();
  const token = useLinkToken();
  const state = useDocument(get("/api/setup"));
  return (
    <Alone title={words.setUp.title}>
      {state.data?.open === false
        ? (
          <p class="note warn">
            {words.setUp.done} <a href="/login">{words.login.title}</a>
          </p>
        )
        : token === null
        ? <p class="note warn">{words.setUp.noToken}</p>
        : <SetUpForm token={token} />}
    </Alone>
  );
}

function SetUpForm({ token }: { token: string }) {
  const { call, words: { setUp: texts, fields }, user, workspace } = useApp();
  const { route } = useLocation();
  const form = useForm({
    initial: SET_UP_START,
    save: async (values) => {
      const body = bodyOf(values, token);
      const done = await call((api) => api.POST("/api/setup", { body }), { mayBeSignedOut: true });
      workspace.value = done.workspace;
      user.value = done.user;
      route("/", true);
    },
  });
  return (
    <FormFrame form={form} submit={texts.finish}>
      <TextField
        {...form.text("workspace", texts.workspace)}
        autoComplete="organization"
        hasFocus
        isWide
      />
      <SelectField {...form.text("locale", fields.locale)} options={texts.locales} isWide />
      <CurrencyField {...form.text("currency", fields.currency)} />
      <TimeZoneField {...form.text("timeZone", fields.timeZone)} />
      <CheckField {...form.flag("pricesIncludeVat", texts.vat, texts.vatHint)} />
      <DecimalField {...form.text("vatRatePct", texts.vatRate)} isWide />
      <CheckField {...form.flag("holds", fields.importHold, texts.holdHint)} />
      {!form.values.holds && <p class="note warn wide">{texts.holdOff}</p>}
      {form.values.holds && (
        <>
          <DecimalField {...form.text("movePct", texts.holdMove)} />
          <DecimalField {...form.text("sharePct", texts.holdShare)} />
        </>
      )}
      <EmailField {...form.text("email", fields.email)} />
      <PasswordField
        {...form.text("password", texts.password, texts.passwordHint)}
        of="new-password"
        isWide
      />
    </FormFrame>
  );
}

function bodyOf({ vatRatePct, holds, movePct, sharePct, ...values }: SetUpValues, token: string) {
  const number = (text: string) => readNumber(text, values.locale);
  return {
    ...values,
    token,
    vatRatePct: number(vatRatePct),
    importHold: holds ? { movePct: number(movePct), sharePct: number(sharePct) } : null,
  };
}

/** Default values. If `holds` is true, large changes stop an import (docs/decisions/imports.md). */
const SET_UP_START = {
  workspace: "",
  currency: "EUR",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
  pricesIncludeVat: true,
  vatRatePct: "19",
  holds: true,
  movePct: "50",
  sharePct: "20",
  email: "",
  password: "",
};

type SetUpValues = typeof SET_UP_START;

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
          // The account exists, so an error in saving the optional name only shows a toast.
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
          <FormFrame form={form} submit={words.invitation.submit}>
            <TextField
              {...form.text("name", words.settings.account.name, words.invitation.nameHint)}
              autoComplete="name"
              hasFocus
              isWide
            />
            <PasswordField
              {...form.text("password", words.setUp.password, words.setUp.passwordHint)}
              of="new-password"
              isWide
            />
          </FormFrame>
        </>
      )}
    </Alone>
  );
}

export function FactorScreen() {
  const { words, lacksFactor } = useApp();
  const signOut = useSignOut();
  return (
    <Alone title={words.factors.required}>
      <p>{words.factors.requiredText}</p>
      <FactorSections
        onDone={() => {
          lacksFactor.value = false;
          // So far, the service has refused all data; the reload requests them again.
          location.reload();
        }}
      />
      <p>
        <Button
          kind="quiet"
          onClick={() => {
            lacksFactor.value = false;
            signOut();
          }}
        >
          {words.signOut}
        </Button>
      </p>
    </Alone>
  );
}
