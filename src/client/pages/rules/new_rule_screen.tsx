import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { bodyOf, type References } from "./rule_draft.ts";
import { CatalogueSection } from "./catalogue_section.tsx";
import { RuleEditor } from "./rule_editor.tsx";
import { templateOf } from "./rule_templates.ts";
import { useReferences } from "./use_references.ts";
import { useRuleForm } from "./use_rule_form.ts";

export function NewRuleScreen() {
  const { words, may } = useApp();
  const { references, error, again } = useReferences();
  return (
    <div class="page wide">
      <PageHead
        title={words.rules.newTitle}
        back={{ href: "/rules", text: words.rules.title }}
      />
      {error
        ? <ErrorNote error={error} onAgain={again} />
        : references === null
        ? <Loading label={words.loading} />
        : <NewRule references={references} isReadOnly={!may("manager")} />}
    </div>
  );
}

function NewRule(
  { references, isReadOnly }: { readonly references: References; readonly isReadOnly: boolean },
) {
  const { call, words, show, toasts } = useApp();
  const { query, route } = useLocation();
  const client = useQueryClient();
  const [initial] = useState(() => templateOf(query.template, words));
  const form = useRuleForm({
    initial,
    isNew: true,
    send: async (draft) => {
      const body = bodyOf(draft, references, show);
      const { id, name } = await call((api) => api.POST("/api/rules", { body }));
      await client.invalidateQueries({ queryKey: ["rules"] });
      toasts.tell(words.rules.created(name));
      route(`/rules/${id}`, true);
    },
  });
  return (
    <>
      <RuleEditor
        form={form}
        references={references}
        ruleId={null}
        warnings={[]}
        isReadOnly={isReadOnly}
      />
      <CatalogueSection form={form} references={references} rule={null} />
    </>
  );
}
