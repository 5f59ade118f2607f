import type { Workspace } from "../../../identity/workspace.ts";
import { readDecimal } from "../../formats/decimal.ts";
import { useApp } from "../../frame/app.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { MailTest } from "./mail_test.tsx";

export function WorkspacePart() {
  const { workspace } = useApp();
  const settings = workspace.value;
  return settings && <WorkspaceForm key={settings.id} settings={settings} />;
}

function WorkspaceForm({ settings }: { settings: Workspace }) {
  const { call, words, toasts, workspace, may } = useApp();
  const texts = words.settings.workspace;
  const form = useForm({
    initial: valuesOf(settings),
    save: async (values) => {
      const body = bodyOf(values);
      workspace.value = await call<Workspace>("/api/settings", { method: "PATCH", body });
      toasts.tell(words.saved);
    },
  });
  const isOwner = may("owner");
  return (
    <>
      {!isOwner && <p class="note info">{words.settings.ownersOnly}</p>}
      <FormFrame
        form={form}
        actions={isOwner && (
          <Button kind="main" type="submit" isBusy={form.isSaving} isDisabled={!form.isDirty}>
            {words.save}
          </Button>
        )}
      >
        <h2 class="wide">{texts.general}</h2>
        <TextField {...form.text("name")} label={texts.name} isWide />
        <SelectField
          {...form.text("locale")}
          label={words.setUp.locale}
          options={localeOptions(settings.locale, words.setUp.locales)}
        />
        <TextField {...form.text("timeZone")} label={words.setUp.timeZone} />
        <TextField {...form.text("currency")} label={words.setUp.currency} />
        <h2 class="wide">{texts.prices}</h2>
        <CheckField
          {...form.flag("pricesIncludeVat")}
          label={words.setUp.vat}
          hint={words.setUp.vatHint}
        />
        <TextField {...form.text("vatRatePct")} label={words.setUp.vatRate} inputMode="decimal" />
        <CheckField
          {...form.flag("autoApply")}
          label={texts.autoApply}
          hint={texts.autoApplyHint}
        />
        <h2 class="wide">{texts.imports}</h2>
        <CheckField {...form.flag("holds")} label={words.setUp.hold} hint={words.setUp.holdHint} />
        {form.values.holds && (
          <>
            <TextField {...form.text("movePct")} label={words.setUp.holdMove} inputMode="decimal" />
            <TextField
              {...form.text("sharePct")}
              label={words.setUp.holdShare}
              inputMode="decimal"
            />
          </>
        )}
        <TextField
          {...form.text("importExpectedHours")}
          label={texts.expected}
          hint={texts.expectedHint}
          inputMode="numeric"
        />
      </FormFrame>
      {isOwner && <MailTest />}
    </>
  );
}

/** The usual ones, and the one that is set when it is another. */
function localeOptions(current: string, known: Readonly<Record<string, string>>) {
  const all = current in known ? known : { ...known, [current]: current };
  return Object.entries(all).map(([value, label]) => ({ value, label }));
}

function valuesOf(settings: Workspace) {
  const number = (value: number | null | undefined) => value?.toLocaleString(settings.locale) ?? "";
  return {
    name: settings.name,
    locale: settings.locale,
    timeZone: settings.timeZone,
    currency: settings.currency,
    pricesIncludeVat: settings.pricesIncludeVat,
    vatRatePct: number(settings.vatRatePct),
    autoApply: settings.autoApply,
    holds: settings.importHold !== null,
    movePct: number(settings.importHold?.movePct ?? 50),
    sharePct: number(settings.importHold?.sharePct ?? 20),
    importExpectedHours: number(settings.importExpectedHours),
  };
}

function bodyOf(values: ReturnType<typeof valuesOf>) {
  const { holds, movePct, sharePct, vatRatePct, importExpectedHours, ...plain } = values;
  // What is no number goes as the text it is, so that the service refuses it by name.
  const number = (text: string) => {
    const decimal = readDecimal(text, values.locale);
    return text.trim() === "" ? null : decimal === null ? text : Number(decimal);
  };
  return {
    ...plain,
    vatRatePct: number(vatRatePct),
    importExpectedHours: number(importExpectedHours),
    importHold: holds ? { movePct: number(movePct), sharePct: number(sharePct) } : null,
  };
}
