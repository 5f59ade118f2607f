import { useLocation, useRoute } from "preact-iso";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { RemoveButton } from "../../parts/remove_button.tsx";
import { BrakesSection } from "../../parts/brakes_section.tsx";
import { BacktestSection } from "./backtest_section.tsx";
import { CatalogueSection } from "./catalogue_section.tsx";
import { LearningSection } from "./learning_section.tsx";
import { RuleAuditSection } from "./rule_audit_section.tsx";
import { draftOf, type References } from "./rule_draft.ts";
import { RuleEditor } from "./rule_editor.tsx";
import { RuleSwitch } from "./rule_switch.tsx";
import { useReferences } from "./use_references.ts";
import { type OneRule, useStoredRule } from "./use_stored_rule.ts";

export function RuleScreen() {
  const { params: { id = "" } } = useRoute();
  const { words } = useApp();
  const { references, error, again } = useReferences();
  const found = useDocument({
    key: ["rules", id],
    read: (api) => api.GET("/api/rules/{id}", { params: { path: { id } } }),
  });
  if (found.data && references) {
    return <Found key={id} rule={found.data} references={references} />;
  }
  const failure = found.error ?? error;
  return (
    <>
      <PageHead title={words.rules.title} back={{ href: "/rules", text: words.rules.title }} />
      {failure
        ? (
          <ErrorNote
            error={failure}
            onAgain={() => {
              void found.refetch();
              again();
            }}
          />
        )
        : <Loading label={words.loading} />}
    </>
  );
}

interface FoundProps {
  /** As the service has it now; the form keeps the version that it began with. */
  readonly rule: OneRule;
  readonly references: References;
}

function Found({ rule, references }: FoundProps) {
  const { words, show, toasts, may } = useApp();
  const { route } = useLocation();
  const texts = words.rules;
  const params = { path: { id: rule.id } };
  const { form, note } = useStoredRule(rule, references);
  const mayChange = may("manager");
  return (
    <div class="page wide">
      <PageHead title={rule.name} back={{ href: "/rules", text: texts.title }}>
        <RuleSwitch rule={rule} />
        {mayChange && (
          <RemoveButton
            document={rule}
            read={(api) => api.GET("/api/rules/{id}", { params })}
            write={(api) => api.DELETE("/api/rules/{id}", { params })}
            textOf={(one) => JSON.stringify(draftOf(one, show))}
            question={{ title: texts.remove, text: texts.removeText }}
            touches={["proposals"]}
            onDone={() => {
              toasts.tell(texts.removed(rule.name));
              route("/rules");
            }}
          />
        )}
      </PageHead>
      <RuleEditor
        form={form}
        references={references}
        ruleId={rule.id}
        warnings={rule.warnings}
        isReadOnly={!mayChange}
        note={note}
      />
      <BrakesSection key={rule.id} of={{ ruleId: rule.id }} />
      <CatalogueSection form={form} references={references} rule={rule} />
      <BacktestSection ruleId={rule.id} isDirty={form.isDirty} />
      <LearningSection ruleId={rule.id} />
      <RuleAuditSection ruleId={rule.id} />
    </div>
  );
}
