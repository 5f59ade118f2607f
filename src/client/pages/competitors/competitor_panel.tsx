/**
 * The panel with a shop's settings. Only changed fields are saved, so that newer values of the
 * other fields stay. The panel warns if the pause between two requests is too long for the planned
 * fetches.
 */
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { get, type Wire } from "../../api/call.ts";
import { CheckField, type Form, SelectField, TextField } from "../../parts/form/fields.tsx";
import { useSavedForm } from "../../parts/form/use_saved_form.ts";
import { namesIn, namesText } from "../../formats/names.ts";
import { RemoveButton } from "../../parts/remove_button.tsx";
import type { Competitor } from "./competitor.ts";
import { Fact } from "../../parts/page.tsx";
import type { CompetitorHealth } from "../../../shops/competitor_store.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../../parts/controls.tsx";
import { scrapeErrorText } from "../../parts/run/run_state.tsx";

interface CompetitorPanelProps {
  readonly competitor: Competitor;
  onClose(): void;
  onRemoved(): void;
}

export function CompetitorPanel({ competitor, onClose, onRemoved }: CompetitorPanelProps) {
  const { words, show } = useApp();
  const texts = words.competitors;
  const params = { path: { id: competitor.id } };
  const { form, dialog, removal } = useSavedForm({
    document: competitor,
    resource: `competitor:${competitor.id}`,
    read: get("/api/competitors/{id}", { params }),
    write: (api, body: Wire<"CompetitorPatch">) =>
      api.PATCH("/api/competitors/{id}", { params, body }),
    valuesOf,
    save: (_values, changed, over) => over(bodyOf(changed)),
    touches: ["matches", "competitors"],
    toast: () => words.saved,
    onClose,
  });
  return (
    <FormDialog
      {...dialog}
      place="panel"
      title={texts.editTitle}
      save={words.save}
      actions={
        <RemoveButton
          {...removal}
          document={competitor}
          write={(api) => api.DELETE("/api/competitors/{id}", { params })}
          question={{
            title: texts.remove,
            text: texts.removeText(show.number(competitor.trackedProducts)),
          }}
          onDone={() => {
            onClose();
            onRemoved();
          }}
        />
      }
    >
      <CompetitorFields form={form} />
      <HealthFacts health={competitor.health} />
    </FormDialog>
  );
}

type CompetitorValues = ReturnType<typeof valuesOf>;

function CompetitorFields({ form }: { form: Form<CompetitorValues> }) {
  const texts = useApp().words.competitors;
  return (
    <>
      <TextField {...form.text("domain", texts.columns.domain, texts.domainHint)} isWide />
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
        <>
          <TextField {...form.text("sellerNames", texts.sellers, texts.sellersHint)} />
          <TextField {...form.text("ownSellerNames", texts.ownSellers, texts.ownSellersHint)} />
        </>
      )}
      <CheckField {...form.flag("enabled", texts.enabled, texts.enabledHint)} />
    </>
  );
}

function valuesOf(competitor: Competitor) {
  const vat = competitor.pricesIncludeVat;
  return {
    domain: competitor.domain,
    displayName: competitor.displayName,
    country: competitor.country ?? "",
    enabled: competitor.enabled,
    vat: vat === null ? "" : vat ? "gross" : "net",
    groups: competitor.groups.join("; "),
    isMarketplace: competitor.isMarketplace,
    sellerNames: namesText(competitor.sellerNames),
    ownSellerNames: namesText(competitor.ownSellerNames),
  };
}

function bodyOf(sent: Partial<CompetitorValues>) {
  const { vat, country, displayName, domain, groups, sellerNames, ownSellerNames, ...plain } = sent;
  return {
    ...plain,
    ...(domain !== undefined && { domain: domain.trim() }),
    ...(displayName !== undefined && { displayName: displayName.trim() || null }),
    ...(country !== undefined && { country: country.trim() || null }),
    ...(groups !== undefined && { groups: namesIn(groups) }),
    ...(sellerNames !== undefined && { sellerNames: namesIn(sellerNames) }),
    ...(ownSellerNames !== undefined && { ownSellerNames: namesIn(ownSellerNames) }),
    ...(vat !== undefined && { pricesIncludeVat: vat === "" ? null : vat === "gross" }),
  };
}

interface HealthProps {
  readonly health: CompetitorHealth;
}

function HealthBadge({ health: { ok24h, failed24h } }: HealthProps) {
  const { words: { health: texts }, show } = useApp();
  if (ok24h + failed24h === 0) return <span class="soft">{texts.idle}</span>;
  const counts = texts.counts(show.number(ok24h), show.number(failed24h));
  if (failed24h === 0) return <Badge tone="good">{counts}</Badge>;
  return <Badge tone={ok24h === 0 ? "bad" : "warn"}>{counts}</Badge>;
}

function HealthFacts({ health }: HealthProps) {
  const { words, show } = useApp();
  const texts = words.health;
  const { lastError, due, perDayMax } = health;
  return (
    <div class="wide">
      <h3>{texts.title}</h3>
      <dl class="facts framed">
        <Fact label={texts.column}>
          <HealthBadge health={health} />
        </Fact>
        <Fact label={texts.due}>{show.number(due)}</Fact>
        <Fact label={texts.perDayMax}>{show.number(perDayMax)}</Fact>
        {lastError && (
          <Fact label={texts.lastError}>
            {scrapeErrorText(words, lastError.code)} {show.ago(lastError.at)}
            {lastError.message && <small class="exact">{lastError.message}</small>}
          </Fact>
        )}
      </dl>
      {due > perDayMax && <p class="note warn">{texts.stretched}</p>}
    </div>
  );
}
