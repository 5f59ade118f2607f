/**
 * A form without edits immediately shows other people's changes. If another person has changed the
 * rule meanwhile, saving asks which version to keep. A new rule starts from a template, from
 * filters in the URL, or from products selected in the product list.
 */
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation, useRoute } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import type { z } from "zod";
import {
  DocumentPending,
  ErrorNote,
  Figure,
  Figures,
  PageHead,
  Pending,
  Section,
} from "../../parts/page.tsx";
import { type Ask, byId, get, type Wire } from "../../api/call.ts";
import type { SingleRule } from "../../../rules/rule_resource.ts";
import { keyOf, useApp, useDocument, useRefresh } from "../../app/app.ts";
import { BrakesSection } from "../../parts/rule_parts.tsx";
import { Button } from "../../parts/controls.tsx";
import { usePathForm, useSaveOver } from "../../parts/form/saved_form.tsx";
import { RemoveButton } from "../../parts/action_button.tsx";
import { BacktestSection, LearningSection, LeftOut } from "./past_effect.tsx";
import { CatalogueSection } from "./catalogue_section.tsx";
import { beginningOf, RuleSwitch } from "./rules_screen.tsx";
import { bodyOf, draftOf, type References } from "./rule_draft.ts";
import { RuleEditor } from "./rule_editor.tsx";
import { EditedRule, RULE_FORM, useReferences } from "./rule_form.tsx";
import type { RuleOutcome } from "../../../rules/evaluation/rule_outcome.ts";

export function RuleScreen() {
  const { params: { id = "" } } = useRoute();
  const { words } = useApp();
  const { references, error, again } = useReferences();
  const found = useDocument(ruleOf(id));
  if (found.data && references) return <Found key={id} rule={found.data} references={references} />;
  return (
    <DocumentPending
      title={words.rules.title}
      back={{ href: "/rules", text: words.rules.title }}
      of={{
        error: found.error ?? error,
        again: () => {
          void found.refetch();
          again();
        },
      }}
    />
  );
}

const ruleOf = (id: string): Ask<OneRule> => get("/api/rules/{id}", byId(id));

function Found({ rule, references }: { rule: OneRule; references: References }) {
  const { words: { rules: texts }, toasts, may } = useApp();
  const { route } = useLocation();
  const { form, note } = useStoredRule(rule, references);
  const mayChange = may("manager");
  const [isNaming, setNaming] = useState(false);
  return (
    <EditedRule
      rule={{ form, references, ruleId: rule.id, isOn: rule.enabled, isReadOnly: !mayChange }}
    >
      <div class="page wide">
        <PageHead title={rule.name} back={{ href: "/rules", text: texts.title }}>
          <RuleSwitch rule={rule} />
          {mayChange && (
            <Button isPressed={isNaming} onClick={() => setNaming(!isNaming)}>
              {texts.rename}
            </Button>
          )}
          {mayChange && (
            <RemoveButton
              ask={(api) => api.DELETE("/api/rules/{id}", byId(rule.id))}
              question={{ title: texts.remove, text: texts.removeText }}
              touches={["proposals"]}
              onDone={() => {
                toasts.tell(texts.removed(rule.name));
                route("/rules");
              }}
            />
          )}
        </PageHead>
        <RuleEditor warnings={rule.warnings} isNaming={isNaming} note={note} />
        <OutcomeSection ruleId={rule.id} />
        <BrakesSection key={rule.id} of={{ ruleId: rule.id }} />
        <CatalogueSection />
        <BacktestSection ruleId={rule.id} />
        <LearningSection ruleId={rule.id} />
        <p>
          <a href={`/audit-log?resource=rule:${rule.id}`}>{texts.audit}</a>
        </p>
      </div>
    </EditedRule>
  );
}

type OneRule = z.infer<typeof SingleRule>;

function useStoredRule(rule: OneRule, references: References) {
  const { words, show, toasts } = useApp();
  const client = useQueryClient();
  const refresh = useRefresh("rules", "audit-logs", "products");
  const textOf = (one: OneRule) => JSON.stringify(draftOf(one, show));
  const [base, setBase] = useState(textOf(rule));
  const shown = textOf(rule);
  const form = usePathForm({
    initial: draftOf(rule, show),
    save: async (draft) => {
      const saved = await over.save(bodyOf(draft, references, show));
      if (saved === null) return false;
      take(saved);
      client.setQueryData(keyOf(ruleOf(rule.id)), saved);
      toasts.tell(words.saved);
      await refresh();
      return true;
    },
  });
  const over = useSaveOver({
    read: ruleOf(rule.id),
    write: (api, body: Wire<"RulePatch">) =>
      api.PATCH("/api/rules/{id}", { ...byId(rule.id), body }),
    resource: `rule:${rule.id}`,
    document: rule,
    formId: RULE_FORM,
    textOf,
    onTheirs: (one) => {
      // Otherwise, the page would fill the form with the older rule from the cache.
      client.setQueryData(keyOf(ruleOf(rule.id)), one);
      take(one);
    },
  });
  const take = (one: OneRule) => {
    form.reset(draftOf(one, show));
    setBase(textOf(one));
  };
  const isOther = shown !== base;
  useEffect(() => {
    if (!isOther || form.isDirty || form.isSaving) return;
    take(rule);
    over.follow(rule);
  }, [shown, isOther, form.isDirty, form.isSaving]);
  return { form, note: over.note };
}

export function NewRuleScreen() {
  const { words, may } = useApp();
  const { references, error, again } = useReferences();
  return (
    <div class="page wide">
      <PageHead title={words.rules.newTitle} back={{ href: "/rules", text: words.rules.title }} />
      {error || references === null
        ? <Pending of={{ error, again }} />
        : <NewRule references={references} isReadOnly={!may("manager")} />}
    </div>
  );
}

function NewRule({ references, isReadOnly }: { references: References; isReadOnly: boolean }) {
  const { call, words, show, toasts, handedSkus } = useApp();
  const { query, route } = useLocation();
  const refresh = useRefresh("rules");
  const [initial] = useState(() => beginningOf(query, handedSkus.peek(), words));
  useEffect(() => {
    handedSkus.value = [];
  }, []);
  const form = usePathForm({
    initial,
    save: async (draft) => {
      const body = bodyOf(draft, references, show);
      const { id, name } = await call((api) => api.POST("/api/rules", { body }));
      await refresh();
      toasts.tell(words.rules.created(name));
      route(`/rules/${id}`, true);
    },
  });
  return (
    <EditedRule rule={{ form, references, ruleId: null, isOn: false, isReadOnly }}>
      <RuleEditor warnings={[]} isNaming />
      <CatalogueSection />
    </EditedRule>
  );
}

function OutcomeSection({ ruleId }: { ruleId: string }) {
  const { words: { rules: { outcome: texts } }, show } = useApp();
  const { data, error, refetch } = useDocument(get("/api/rules/{id}/outcome", byId(ruleId)));
  if (error) return <ErrorNote error={error} onAgain={() => void refetch()} />;
  if (!data || data.onSince === null) return null;
  const { onSince, offSince, daysLeft, moves, leftOut, isCut } = data;
  const since = show.dateTime(onSince);
  return (
    <Section title={texts.title}>
      <p>
        {offSince === null ? texts.on(since) : texts.off(since, show.dateTime(offSince))}{" "}
        {daysLeft > 0 && offSince === null && texts.daysLeft(daysLeft)}
      </p>
      <OutcomeFigures outcome={data} />
      <p class="soft">
        <LeftOut counts={leftOut} /> {isCut && texts.isCut(moves.total)}
      </p>
      <p class="soft">{texts.note}</p>
    </Section>
  );
}

function OutcomeFigures({ outcome }: { outcome: RuleOutcome }) {
  const { words: { rules: { outcome: texts } }, show } = useApp();
  const { moves, currency, counted, days, before, after } = outcome;
  const back = moves.takenBack > 0 ? texts.takenBack(moves.takenBack) : "";
  const on = counted > 0 ? texts.days(counted, days) : texts.nothing;
  const sides = (of: (side: NonNullable<typeof before>) => string) =>
    before && after ? `${of(before)} → ${of(after)}` : "–";
  return (
    <Figures>
      <Figure
        label={texts.moves}
        value={moves.total}
        note={texts.by(moves.applied, moves.accepted) + back}
      />
      <Figure
        label={texts.sum}
        value={show.moneyChange(moves.cents, currency)}
        note={texts.ways(moves.down, moves.up)}
      />
      <Figure label={texts.units} value={sides(({ units }) => show.number(units))} note={on} />
      <Figure
        label={texts.margin}
        value={sides(({ marginCents }) => show.money(marginCents, currency))}
        note={on}
      />
    </Figures>
  );
}
