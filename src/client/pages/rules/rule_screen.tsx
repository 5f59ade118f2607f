import { useLocation, useRoute } from "preact-iso";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { BacktestSection } from "./backtest_section.tsx";
import { LearningSection } from "./learning_section.tsx";
import { RuleAuditSection } from "./rule_audit_section.tsx";
import type { References } from "./rule_draft.ts";
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
  const { words, may } = useApp();
  const { form, note } = useStoredRule(rule, references);
  const mayChange = may("manager");
  return (
    <div class="page wide">
      <PageHead title={rule.name} back={{ href: "/rules", text: words.rules.title }}>
        <RuleSwitch rule={rule} />
        {mayChange && <RemoveButton rule={rule} />}
      </PageHead>
      <RuleEditor
        form={form}
        references={references}
        ruleId={rule.id}
        warnings={rule.warnings}
        isReadOnly={!mayChange}
        note={note}
      />
      <BacktestSection ruleId={rule.id} isDirty={form.isDirty} />
      <LearningSection ruleId={rule.id} />
      <RuleAuditSection ruleId={rule.id} />
    </div>
  );
}

function RemoveButton({ rule }: { rule: OneRule }) {
  const { words, questions, toasts } = useApp();
  const { route } = useLocation();
  const texts = words.rules;
  const remove = useChange({
    run: (call, _: null) =>
      call((api) => api.DELETE("/api/rules/{id}", { params: { path: { id: rule.id } } })),
    touches: ["proposals"],
    onDone: () => {
      toasts.tell(texts.removed(rule.name));
      route("/rules");
    },
  });
  const ask = async () => {
    const isSure = await questions.ask({
      title: texts.remove,
      text: texts.removeText,
      yes: words.remove,
      isDangerous: true,
    });
    if (isSure) remove.mutate(null);
  };
  return <Button isBusy={remove.isPending} onClick={() => void ask()}>{words.remove}</Button>;
}
