import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useId } from "preact/hooks";
import type { Api, Wire } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useRefresh } from "../../app/queries.ts";
import {
  CheckField,
  type Form,
  SelectField,
  TextField,
  useForm,
} from "../../parts/form/fields.tsx";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import { RemoveButton } from "../../parts/remove_button.tsx";
import type { Competitor } from "./competitor.ts";
import { HealthFacts } from "./competitor_health.tsx";

interface CompetitorPanelProps {
  /** Null for a new one. */
  readonly competitor: Competitor | null;
  onClose(): void;
  /** Called after the shop was deleted. */
  onRemoved?(): void;
}

export function CompetitorPanel({ competitor, onClose, onRemoved }: CompetitorPanelProps) {
  const { words, show } = useApp();
  const texts = words.competitors;
  const { form, formId, note, params, read } = useCompetitorForm(competitor, onClose);
  return (
    <FormDialog
      place="panel"
      title={competitor === null ? texts.newTitle : texts.editTitle}
      form={form}
      formId={formId}
      save={competitor === null ? words.create : words.save}
      isGuarded
      below={note}
      onClose={onClose}
      actions={competitor && (
        <RemoveButton
          document={competitor}
          read={read}
          write={(api) => api.DELETE("/api/competitors/{id}", { params })}
          textOf={textOf}
          question={{
            title: texts.remove,
            text: texts.removeText(show.number(competitor.trackedProducts)),
          }}
          touches={TOUCHED}
          kind="danger"
          onDone={() => {
            onClose();
            onRemoved?.();
          }}
        />
      )}
    >
      <CompetitorFields form={form} isNew={competitor === null} />
      {competitor && <HealthFacts health={competitor.health} />}
    </FormDialog>
  );
}

const TOUCHED = ["matches", "competitors"];

function useCompetitorForm(competitor: Competitor | null, onClose: () => void) {
  const { call, words, toasts } = useApp();
  const formId = useId();
  const refresh = useRefresh(...TOUCHED);
  const form = useForm({
    initial: valuesOf(competitor),
    save: async (values, changed) => {
      const body = { domain: values.domain, ...bodyOf(values) };
      const saved = competitor === null
        ? await call((api) => api.POST("/api/competitors", { body }))
        : await over.save(bodyOf(changed));
      if (saved === null) return false;
      await refresh();
      const { created } = words.competitors;
      toasts.tell(competitor === null ? created(saved.displayName) : words.saved);
      onClose();
      return true;
    },
  });
  const params = { path: { id: competitor?.id ?? "" } };
  const read = (api: Api) => api.GET("/api/competitors/{id}", { params });
  const over = useSaveOver({
    read,
    write: (api, body: Wire<"CompetitorPatch">) =>
      api.PATCH("/api/competitors/{id}", { params, body }),
    resource: `competitor:${competitor?.id}`,
    document: competitor,
    formId,
    textOf,
    onTheirs: (one) => form.reset(valuesOf(one)),
  });
  return { form, formId, note: over.note, params, read };
}

type CompetitorValues = ReturnType<typeof valuesOf>;

interface FieldsProps {
  readonly form: Form<CompetitorValues>;
  readonly isNew: boolean;
}

function CompetitorFields({ form, isNew }: FieldsProps) {
  const texts = useApp().words.competitors;
  return (
    <>
      <TextField
        {...form.text("domain", texts.columns.domain, texts.domainHint)}
        hasFocus={isNew}
        isWide
      />
      <TextField {...form.text("displayName", texts.columns.name, texts.nameHint)} />
      <TextField {...form.text("country", texts.columns.country, texts.countryHint)} />
      <SelectField
        {...form.text("vat", texts.vat)}
        options={[
          { value: "", label: texts.asWorkspace },
          { value: "gross", label: texts.gross },
          { value: "net", label: texts.net },
        ]}
      />
      <TextField {...form.text("groups", texts.groups, texts.groupsHint)} />
      <CheckField {...form.flag("isMarketplace", texts.marketplace, texts.marketplaceHint)} />
      {form.values.isMarketplace && (
        <TextField {...form.text("sellerNames", texts.sellers, texts.sellersHint)} />
      )}
      <CheckField {...form.flag("enabled", texts.enabled, texts.enabledHint)} />
    </>
  );
}

const textOf = (one: Competitor) => JSON.stringify(valuesOf(one));

function valuesOf(competitor: Competitor | null) {
  const vat = competitor?.pricesIncludeVat ?? null;
  return {
    domain: competitor?.domain ?? "",
    displayName: competitor?.displayName ?? "",
    country: competitor?.country ?? "",
    enabled: competitor?.enabled ?? true,
    vat: vat === null ? "" : vat ? "gross" : "net",
    groups: (competitor?.groups ?? []).join("; "),
    isMarketplace: competitor?.isMarketplace ?? false,
    sellerNames: (competitor?.sellerNames ?? []).join("; "),
  };
}

/** Sends changed fields of an existing competitor only: the others may be newer there. */
function bodyOf(sent: Partial<CompetitorValues>) {
  const { vat, country, displayName, domain, groups, sellerNames, ...plain } = sent;
  return {
    ...plain,
    ...(domain !== undefined && { domain: domain.trim() }),
    ...(displayName !== undefined && { displayName: displayName.trim() || null }),
    ...(country !== undefined && { country: country.trim() || null }),
    ...(groups !== undefined && { groups: namesIn(groups) }),
    ...(sellerNames !== undefined && { sellerNames: namesIn(sellerNames) }),
    ...(vat !== undefined && { pricesIncludeVat: vat === "" ? null : vat === "gross" }),
  };
}

/** Names of companies may hold commas. */
function namesIn(text: string): string[] {
  return text.split(/[;\n]/).map((name) => name.trim()).filter((name) => name !== "");
}
