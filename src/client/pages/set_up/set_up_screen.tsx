/**
 * The screens that a person passes before working (docs/decisions/identity.md): the set-up, an
 * invitation or reset link, and a required second factor. The set-up creates the workspace and its
 * owner, and sends all entries after the last step. The set-up needs the token of the link that the
 * server prints.
 */
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { asApiError, get } from "../../api/call.ts";
import { useApp, useDocument, useSignOut } from "../../app/app.ts";
import { readNumber } from "../../formats/decimal.ts";
import { Alone } from "../../parts/alone.tsx";
import { Button } from "../../parts/controls.tsx";
import {
  CheckField,
  DecimalField,
  EmailField,
  type Form,
  FormFrame,
  PasswordField,
  SelectField,
  TextField,
  useForm,
} from "../../parts/form/fields.tsx";
import { CurrencyField, TimeZoneField } from "../../parts/form/saved_form.tsx";
import { useLinkToken } from "../../parts/hooks.ts";
import { FactorSections } from "../../parts/factors/factor_sections.tsx";

const STEPS = [CompanyStep, PricesStep, AccessStep];
const STEP_OF: Readonly<Record<string, number>> = {
  workspace: 0,
  currency: 0,
  timeZone: 0,
  locale: 0,
  vatRatePct: 1,
  importHold: 1,
};

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
        : <Wizard token={token} />}
    </Alone>
  );
}

function Wizard({ token }: { token: string }) {
  const { call, words, user, workspace } = useApp();
  const { route } = useLocation();
  const [at, setAt] = useState(0);
  const isLast = at === STEPS.length - 1;
  const Step = STEPS[at] ?? CompanyStep;
  const form = useForm({
    initial: SET_UP_START,
    save: async (values) => {
      if (!isLast) return setAt(at + 1);
      try {
        const body = bodyOf(values, token);
        const done = await call((api) => api.POST("/api/setup", { body }), {
          mayBeSignedOut: true,
        });
        workspace.value = done.workspace;
        user.value = done.user;
        route("/", true);
      } catch (error) {
        setAt(stepOf(error) ?? at);
        throw error;
      }
    },
  });
  return (
    <>
      <ol class="steps flow soft gap-6" aria-label={words.setUp.step(at + 1, STEPS.length)}>
        {words.setUp.steps.map((name, index) => (
          <li key={name} aria-current={index === at ? "step" : undefined}>{name}</li>
        ))}
      </ol>
      <FormFrame
        form={form}
        actions={at > 0 && <Button onClick={() => setAt(at - 1)}>{words.back}</Button>}
        submit={isLast ? words.setUp.finish : words.next}
      >
        <Step key={at} form={form} />
      </FormFrame>
    </>
  );
}

function stepOf(error: unknown): number | null {
  const path = asApiError(error).fields[0]?.path ?? "";
  return STEP_OF[path.split(".")[0] ?? ""] ?? null;
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

/** The first values of the form fit most retailers. docs/decisions/imports.md explains `holds`. */
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

interface StepProps {
  readonly form: Form<SetUpValues>;
}

function CompanyStep({ form }: StepProps) {
  const { words: { setUp, fields } } = useApp();
  return (
    <>
      <TextField
        {...form.text("workspace", setUp.workspace)}
        autoComplete="organization"
        hasFocus
        isWide
      />
      <SelectField {...form.text("locale", fields.locale)} options={setUp.locales} isWide />
      <CurrencyField {...form.text("currency", fields.currency)} />
      <TimeZoneField {...form.text("timeZone", fields.timeZone)} />
    </>
  );
}

function PricesStep({ form }: StepProps) {
  const { words: { setUp, fields } } = useApp();
  return (
    <>
      <CheckField {...form.flag("pricesIncludeVat", setUp.vat, setUp.vatHint)} />
      <DecimalField {...form.text("vatRatePct", setUp.vatRate)} isWide />
      <CheckField {...form.flag("holds", fields.importHold, setUp.holdHint)} />
      {!form.values.holds && <p class="note warn wide">{setUp.holdOff}</p>}
      {form.values.holds && (
        <>
          <DecimalField {...form.text("movePct", setUp.holdMove)} />
          <DecimalField {...form.text("sharePct", setUp.holdShare)} />
        </>
      )}
    </>
  );
}

function AccessStep({ form }: StepProps) {
  const { words } = useApp();
  return (
    <>
      <EmailField {...form.text("email", words.fields.email)} hasFocus />
      <PasswordField
        {...form.text("password", words.setUp.password, words.setUp.passwordHint)}
        of="new-password"
        isWide
      />
    </>
  );
}

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
          // If the service refuses the name, the person is signed in without a name.
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
          // The page is loaded again, because the service refused all data before the second
          // factor.
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
