/**
 * Only owners can change the workspace's settings. A setting with several fields, such as the two
 * thresholds that stop imports, is saved as a whole.
 */
import { labelIn } from "../../words/label.ts";
import type { Workspace } from "../../../accounts/workspace.ts";
import { decimalText, numberText, readDecimal, readNumber } from "../../formats/decimal.ts";
import {
  CurrencyField,
  namesIn,
  namesText,
  TimeZoneField,
  useSavedForm,
} from "../../parts/form/saved_form.tsx";
import { get, type Wire } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import {
  CheckField,
  DecimalField,
  DigitsField,
  type Form,
  FormFrame,
  SaveButton,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import type { VNode } from "preact";
import type { MailTestResult } from "../../../messages/send_mails.ts";
import { ErrorNote, Section } from "../../parts/page.tsx";

export function WorkspacePart() {
  const { workspace } = useApp();
  const settings = workspace.value;
  return settings && <WorkspaceForm key={settings.id} settings={settings} />;
}

function WorkspaceForm({ settings }: { settings: Workspace }) {
  const { words, workspace, may, show } = useApp();
  const keep = (saved: Workspace) => workspace.value = saved;
  const { form, dialog: { formId, below: note } } = useSavedForm({
    document: settings,
    resource: `workspace:${settings.id}`,
    read: get("/api/settings"),
    write: (api, body: Wire<"WorkspaceSettings">) => api.PATCH("/api/settings", { body }),
    valuesOf: (one) => valuesOf(one ?? settings, show.locale),
    save: (values, changed, over) => over(bodyOf(changed, values, show.locale)),
    touches: [],
    onSaved: keep,
    onTheirs: keep,
    onClose: () => {},
  });
  const isOwner = may("owner");
  return (
    <>
      {!isOwner && <p class="note info">{words.settings.ownersOnly}</p>}
      <FormFrame form={form} id={formId} isLong actions={isOwner && <SaveButton form={form} />}>
        <GeneralFields form={form} locale={settings.locale} />
        <PriceFields form={form} />
        <ImportFields form={form} />
      </FormFrame>
      {note}
      {isOwner && <MailTest />}
    </>
  );
}

interface FieldsProps {
  readonly form: Form<Values>;
}

function GeneralFields({ form, locale }: FieldsProps & { readonly locale: string }) {
  const { words: { settings: { workspace: texts }, fields, setUp } } = useApp();
  return (
    <>
      <h2 class="wide">{texts.general}</h2>
      <TextField {...form.text("name", fields.name)} />
      <CurrencyField {...form.text("currency", fields.currency)} />
      <SelectField
        {...form.text("locale", fields.locale, texts.localeHint)}
        options={{ ...setUp.locales, [locale]: labelIn(setUp.locales, locale) }}
      />
      <TimeZoneField {...form.text("timeZone", fields.timeZone)} />
    </>
  );
}

function PriceFields({ form }: FieldsProps) {
  const { words: { settings: { workspace: texts }, setUp } } = useApp();
  return (
    <>
      <h2 class="wide">{texts.prices}</h2>
      <CheckField {...form.flag("pricesIncludeVat", setUp.vat, setUp.vatHint)} />
      <DecimalField {...form.text("vatRatePct", setUp.vatRate)} />
      <DecimalField
        {...form.text(
          "ownShipping",
          texts.ownShipping(form.values.currency),
          texts.ownShippingHint,
        )}
      />
      <CheckField
        {...form.flag("compareDelivered", texts.compareDelivered, texts.compareDeliveredHint)}
      />
      <TextField {...form.text("ownSellerNames", texts.ownSellers, texts.ownSellersHint)} isWide />
      <CheckField {...form.flag("autoApply", texts.autoApply, texts.autoApplyHint)} />
      {form.values.autoApply && (
        <DigitsField
          {...form.text("budgetPerDay", texts.budget, texts.budgetHint)}
          placeholder={texts.noBudget}
        />
      )}
      <CheckField {...form.flag("holdsPrices", texts.quarantine, texts.quarantineHint)} />
      <DecimalField {...form.text("beyondPct", texts.approvalPct, texts.approvalHint)} />
      {form.values.beyondPct.trim() !== "" && (
        <DigitsField {...form.text("people", texts.approvalPeople)} />
      )}
    </>
  );
}

function ImportFields({ form }: FieldsProps) {
  const { words: { settings: { workspace: texts }, fields, imports, setUp } } = useApp();
  return (
    <>
      <h2 class="wide">{imports.title}</h2>
      <CheckField {...form.flag("holds", fields.importHold, setUp.holdHint)} />
      {!form.values.holds && <p class="note warn wide">{setUp.holdOff}</p>}
      {form.values.holds && (
        <>
          <DecimalField {...form.text("movePct", setUp.holdMove)} />
          <DecimalField {...form.text("sharePct", setUp.holdShare)} />
        </>
      )}
      <DigitsField {...form.text("importExpectedHours", texts.expected, texts.expectedHint)} />
    </>
  );
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf(settings: Workspace, locale: string) {
  const number = (value: number | null | undefined) => numberText(value, locale);
  return {
    name: settings.name,
    locale: settings.locale,
    timeZone: settings.timeZone,
    currency: settings.currency,
    pricesIncludeVat: settings.pricesIncludeVat,
    vatRatePct: number(settings.vatRatePct),
    ownShipping: decimalText(settings.ownShippingCents, settings.currency, locale),
    compareDelivered: settings.compareDelivered,
    ownSellerNames: namesText(settings.ownSellerNames),
    autoApply: settings.autoApply,
    budgetPerDay: number(settings.budgetPerDay),
    holdsPrices: settings.quarantine !== null,
    beyondPct: number(settings.approval?.beyondPct),
    people: number(settings.approval?.people ?? 2),
    holds: settings.importHold !== null,
    movePct: number(settings.importHold?.movePct ?? 50),
    sharePct: number(settings.importHold?.sharePct ?? 20),
    importExpectedHours: number(settings.importExpectedHours),
  };
}

function bodyOf(changed: Partial<Values>, values: Values, locale: string) {
  const {
    holdsPrices,
    holds,
    movePct,
    sharePct,
    vatRatePct,
    budgetPerDay,
    importExpectedHours,
    ownShipping,
    ownSellerNames,
    beyondPct,
    people,
    ...plain
  } = changed;
  const number = (text: string) => readNumber(text, locale);
  const isHoldChanged = [holds, movePct, sharePct].some((value) => value !== undefined);
  return {
    ...plain,
    ...(vatRatePct !== undefined && { vatRatePct: number(vatRatePct) }),
    ...(holdsPrices !== undefined && { quarantine: holdsPrices ? {} : null }),
    ...(budgetPerDay !== undefined && { budgetPerDay: number(budgetPerDay) }),
    ...(importExpectedHours !== undefined && { importExpectedHours: number(importExpectedHours) }),
    ...(ownShipping !== undefined && {
      ownShipping: ownShipping.trim() === ""
        ? null
        : readDecimal(ownShipping, locale) ?? ownShipping,
    }),
    ...(ownSellerNames !== undefined && { ownSellerNames: namesIn(ownSellerNames) }),
    ...((beyondPct !== undefined || people !== undefined) && {
      approval: values.beyondPct.trim() === ""
        ? null
        : { beyondPct: number(values.beyondPct), people: number(values.people) },
    }),
    ...(isHoldChanged && {
      importHold: values.holds
        ? { movePct: number(values.movePct), sharePct: number(values.sharePct) }
        : null,
    }),
  };
}

function MailTest() {
  const { words: { alerts, mail: texts } } = useApp();
  const { button, outcome } = useMailTest("/api/settings/mail-test", texts.send);
  return <Section title={alerts.columns.mail} note={texts.text} actions={button}>{outcome}
  </Section>;
}

export function useMailTest(
  path: "/api/settings/mail-test" | "/api/overview/mail/test",
  text: string,
) {
  const test = useChange({ ask: (api) => api.POST(path), touches: [], showsError: true });
  return {
    button: <Button isBusy={test.isPending} onClick={() => test.mutate(undefined)}>{text}</Button>,
    outcome: (
      <>
        {test.error && <ErrorNote error={test.error} />}
        {test.data && <MailOutcome result={test.data} />}
      </>
    ),
  };
}

function MailOutcome({ result: { status, to, message } }: { result: MailTestResult }) {
  const texts = useApp().words.mail;
  const notes = {
    sent: <p class="note info" role="status">{texts.sent(to ?? "")}</p>,
    off: <p class="note warn" role="status">{texts.off}</p>,
    failed: (
      <div class="note bad" role="alert">
        <strong>{texts.failed}</strong>
        <p>{message}</p>
      </div>
    ),
  } satisfies Record<MailTestResult["status"], VNode>;
  return notes[status];
}
