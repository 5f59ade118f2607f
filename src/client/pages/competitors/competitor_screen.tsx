/**
 * Shows one shop: how well its pages are read, which pages have no price, and why. With a cause of
 * missing prices in the URL, only pages with this cause are listed.
 */
import { pick, sumOf } from "../../../base/collections.ts";
import { Card, DocumentPending, ErrorNote, Loading, Meter, PageHead } from "../../parts/page.tsx";
import { byId, type Call, get, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument, useList } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { Badge, Button, LinkButton, SafeLink, Toggle } from "../../parts/controls.tsx";
import { type Cause, useRetry } from "../../parts/shop/read_again.tsx";
import { type Shop, ShopBadge } from "../../parts/shops.tsx";
import { AffectedPages } from "./affected_pages.tsx";
import { DiscoveryCard } from "./discovery_card.tsx";
import { FetchDaysCard, RecipeCard, RepairCard, ShopFigures } from "./shop_cards.tsx";
import { isTeachable, standingOf, TONES } from "../../parts/shop/shop_check.tsx";
import { TeachDialog } from "./teach_dialog.tsx";
import { useLocation, useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { FormDialog, namesIn, namesText, useSavedForm } from "../../parts/form/saved_form.tsx";
import { CheckField, type Form, SelectField, TextField } from "../../parts/form/fields.tsx";
import { sharePct } from "../../../base/fraction.ts";
import { RemoveButton } from "../../parts/action_button.tsx";
import { useUndoableChange } from "../../parts/undo_queue.ts";

export function CompetitorScreen() {
  const { params: { id = "" } } = useRoute();
  const { words } = useApp();
  const found = useDocument(get("/api/competitors/{id}", byId(id)));
  if (found.data) return <Found key={id} shop={found.data} />;
  return (
    <DocumentPending
      title={words.frame.shopsPlace}
      back={{ href: "/competitors", text: words.frame.shopsPlace }}
      of={found}
    />
  );
}

function Found({ shop }: { shop: Shop }) {
  const [taught, setTaught] = useState<Wire<"RepairGroup"> | null>(null);
  const own = useGroups(shop);
  const { groups, looked, retry, cause, wanted } = own;
  const only = looked.length === 1 ? looked[0]?.cause ?? null : null;
  const teachable = groups.rows.find((group) =>
    isTeachable(group) && (cause === null || group.cause === cause)
  );
  return (
    <div class="page wide">
      <ShopHead shop={shop} own={own} />
      <ShopFigures shop={shop} />
      {groups.error !== null && <ErrorNote error={groups.error} onAgain={groups.again} />}
      <div class="panels wide-left columns gap-12 of-shop">
        <div class="stack gap-12">
          <FetchDaysCard competitorId={shop.id} />
          {groups.error === null && groups.rows.length !== 1 && (
            <CausesCard shop={shop} own={own} onTeach={setTaught} />
          )}
          {!groups.isPending && (
            <AffectedPages group={{ competitorId: shop.id, cause: only }} total={wanted} />
          )}
        </div>
        <div class="stack gap-12">
          <RepairCard
            shop={shop}
            groups={looked}
            retry={retry}
            onRetry={() => retry.start(cause)}
            onTeach={() => setTaught(teachable ?? null)}
          />
          <DiscoveryCard shop={shop} />
          <RecipeCard competitorId={shop.id} />
        </div>
      </div>
      {taught && <TeachDialog group={taught} retry={retry} onClose={() => setTaught(null)} />}
    </div>
  );
}

function useGroups(shop: Shop) {
  const { query, route } = useLocation();
  const groups = useList<Wire<"RepairGroup">, { readonly pages: number }>(
    (page) => get("/api/repairs", where({ ...page, competitorId: shop.id })),
    { limit: 50 },
  );
  const retry = useRetry(shop.id, groups.rows[0]?.retryId ?? null);
  const chosen = groups.rows.find((group) => group.cause === query.cause) ?? null;
  const pages = groups.first?.pages ?? 0;
  const pick = (next: Cause | null) =>
    route(`/competitors/${shop.id}${next === null ? "" : `?cause=${next}`}`, true);
  const cause = chosen?.cause ?? null;
  const looked = chosen ? [chosen] : groups.rows;
  return { groups, looked, retry, cause, wanted: chosen?.pages ?? pages, pick };
}

interface ShopHeadProps {
  readonly shop: Shop;
  readonly own: ReturnType<typeof useGroups>;
}

function ShopHead({ shop, own: { groups } }: ShopHeadProps) {
  const { words, may } = useApp();
  const [isEdited, setEdited] = useState(false);
  const mayChange = may("manager");
  return (
    <>
      <PageHead
        title={shop.displayName}
        back={{ href: "/competitors", text: words.frame.shopsPlace }}
        beside={
          <>
            <ShopBadge id={shop.id} name={shop.displayName} />
            <SafeLink url={`https://${shop.domain}`}>{shop.domain}</SafeLink>
            <State shop={shop} groups={groups.rows} />
          </>
        }
      >
        {mayChange && <ShopSwitch shop={shop} />}
        {mayChange && <Button onClick={() => setEdited(true)}>{words.settings.title}</Button>}
      </PageHead>
      {isEdited && <CompetitorPanel competitor={shop} onClose={() => setEdited(false)} />}
    </>
  );
}

function State({ shop, groups }: { shop: Shop; groups: readonly Wire<"RepairGroup">[] }) {
  const { words, show } = useApp();
  const { state } = standingOf(shop, groups, 0);
  const since = shop.health.downSince ?? groups.map((group) => group.since).sort()[0];
  const text = words.shops.states[state];
  const at = momentText(show, since);
  return (
    <Badge tone={TONES[state]}>
      {since !== undefined && state === "down"
        ? words.overview.data.down(at)
        : since !== undefined && state === "partly"
        ? `${text} ${words.shops.since(at)}`
        : text}
    </Badge>
  );
}

function ShopSwitch({ shop }: { shop: Shop }) {
  const texts = useApp().words.repairs.shop;
  const { id, enabled } = shop;
  const put = (call: Call, wanted: boolean) =>
    call((api) => api.PATCH("/api/competitors/{id}", { ...byId(id), body: { enabled: wanted } }));
  const change = useUndoableChange({
    run: put,
    touches: ["competitors", "repairs", "repair-pages", "matches", "products", "overview"],
    told: (_, wanted) => (wanted ? texts.switchedOn : texts.switchedOff)(shop.displayName),
    undo: (_, wanted) => (call) => put(call, !wanted),
  });
  return (
    <Toggle
      label={texts.fetched(shop.displayName)}
      isOn={enabled}
      isBusy={change.isPending}
      onToggle={() => change.mutate(!enabled)}
    >
      {enabled ? texts.on : texts.off}
    </Toggle>
  );
}

interface CausesCardProps extends ShopHeadProps {
  onTeach(group: Wire<"RepairGroup">): void;
}

function CausesCard({ shop, own, onTeach }: CausesCardProps) {
  const { groups: { rows, isPending }, cause, pick, retry } = own;
  const { words: { repairs: texts, loading }, show, may } = useApp();
  const all = sumOf(rows, ({ pages }) => pages);
  const remedyOf = (group: Wire<"RepairGroup">) => {
    if (!may("manager") || !shop.enabled || retry.isRunning || group.cause === "robots") {
      return null;
    }
    return isTeachable(group)
      ? { text: texts.repair.teach, act: () => onTeach(group) }
      : { text: texts.repair.again, act: () => retry.start(group.cause) };
  };
  return (
    <Card title={texts.shop.causes} note={all > 0 && texts.count(all)}>
      {isPending
        ? <Loading label={loading} />
        : rows.length === 0
        ? <p class="soft">{texts.shop.noCauses}</p>
        : (
          <ul class="causes stack gap-4">
            {rows.map((group) => {
              const remedy = remedyOf(group);
              const name = texts.causes[group.cause];
              return (
                <li key={group.cause}>
                  <button
                    type="button"
                    class="cause choice"
                    aria-pressed={group.cause === cause}
                    onClick={() => pick(group.cause === cause ? null : group.cause)}
                  >
                    <span>{name}</span>
                    <Meter pct={sharePct(group.pages / all, 1)} tone="bad" />
                    <strong>{show.number(group.pages)}</strong>
                  </button>
                  {remedy && (
                    <LinkButton label={`${remedy.text}: ${name}`} onClick={remedy.act}>
                      {remedy.text}
                    </LinkButton>
                  )}
                </li>
              );
            })}
          </ul>
        )}
    </Card>
  );
}

/** Saves only changed fields, to keep other people's changes of other fields. */
function CompetitorPanel({ competitor, onClose }: { competitor: Shop; onClose(): void }) {
  const { words: { competitors: texts, save } } = useApp();
  const { route } = useLocation();
  const params = { path: { id: competitor.id } };
  const { form, dialog } = useSavedForm({
    document: competitor,
    resource: `competitor:${competitor.id}`,
    read: get("/api/competitors/{id}", { params }),
    write: (api, body: Wire<"CompetitorPatch">) =>
      api.PATCH("/api/competitors/{id}", { params, body }),
    valuesOf,
    save: (_values, changed, over) => over(bodyOf(changed)),
    touches: ["matches", "competitors"],
    onClose,
  });
  return (
    <FormDialog
      {...dialog}
      place="panel"
      title={texts.editTitle}
      save={save}
      actions={
        <RemoveButton
          kind="danger"
          ask={(api) => api.DELETE("/api/competitors/{id}", { params })}
          touches={["matches", "competitors"]}
          question={{ title: texts.remove, text: texts.removeText(competitor.trackedProducts) }}
          onDone={() => route("/competitors", true)}
        />
      }
    >
      <CompetitorFields form={form} />
    </FormDialog>
  );
}

type CompetitorValues = ReturnType<typeof valuesOf>;

function CompetitorFields({ form }: { form: Form<CompetitorValues> }) {
  const { words: { competitors: texts, fields, product } } = useApp();
  return (
    <>
      <TextField {...form.text("domain", fields.domain, texts.domainHint)} isWide />
      <TextField {...form.text("displayName", fields.name, texts.nameHint)} />
      <TextField {...form.text("country", fields.country, texts.countryHint)} />
      <SelectField
        {...form.text("vat", texts.vat)}
        options={{ gross: texts.gross, net: texts.net }}
        none={texts.asWorkspace}
      />
      <TextField {...form.text("groups", fields.groups, texts.groupsHint)} />
      <CheckField {...form.flag("isMarketplace", fields.isMarketplace, texts.marketplaceHint)} />
      {form.values.isMarketplace && (
        <>
          <TextField {...form.text("sellerNames", fields.sellerNames, texts.sellersHint)} />
          <TextField {...form.text("ownSellerNames", texts.ownSellers, texts.ownSellersHint)} />
        </>
      )}
      <CheckField {...form.flag("enabled", product.match.enabled, texts.enabledHint)} />
    </>
  );
}

function valuesOf(competitor: Shop) {
  const vat = competitor.pricesIncludeVat;
  return {
    ...pick(competitor, ["domain", "displayName", "enabled", "isMarketplace"]),
    country: competitor.country ?? "",
    vat: vat === null ? "" : vat ? "gross" : "net",
    groups: namesText(competitor.groups),
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
