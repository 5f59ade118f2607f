import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import type { Wire } from "../../api/wire.ts";

type Recipe = NonNullable<Wire<"ShopRecipeAnswer">["recipe"]>;

const TONES: Readonly<Record<Recipe["status"], Tone>> = {
  active: "good",
  drifting: "bad",
  stale: "warn",
  off: "plain",
};

/** Where the shop shows its prices, and how well that is borne out. */
export function RecipeCard({ competitorId }: { competitorId: string }) {
  const { words, show, may, questions, toasts } = useApp();
  const texts = words.repairs.recipe;
  const params = { path: { id: competitorId } };
  const found = useDocument({
    key: ["competitors", competitorId, "recipe"],
    read: (api) => api.GET("/api/competitors/{id}/recipe", { params }),
  });
  const relearn = useChange({
    run: (call) => call((api) => api.POST("/api/competitors/{id}/recipe/relearn", { params })),
    touches: ["competitors"],
    onDone: () => toasts.tell(texts.relearned),
  });
  const forget = useChange({
    run: (call) => call((api) => api.DELETE("/api/competitors/{id}/recipe", { params })),
    touches: ["competitors"],
  });
  const ask = async () => {
    const isSure = await questions.ask({
      title: texts.forgetTitle,
      text: texts.forgetText,
      yes: texts.forget,
      isDangerous: true,
    });
    if (isSure) forget.mutate(undefined);
  };
  const { data } = found;
  const recipe = data?.recipe ?? null;
  return (
    <Card
      title={texts.title}
      note={recipe && texts.sources[recipe.source]}
      beside={recipe && <Badge tone={TONES[recipe.status]}>{texts.statuses[recipe.status]}</Badge>}
      foot={recipe && may("manager") && (
        <>
          <Button isBusy={relearn.isPending} onClick={() => relearn.mutate(undefined)}>
            {texts.relearn}
          </Button>
          <Button isBusy={forget.isPending} onClick={() => void ask()}>{texts.forget}</Button>
        </>
      )}
    >
      {data
        ? recipe ? <Selectors recipe={recipe} /> : (
          <>
            <p class="soft">{texts.none}</p>
            <p class="soft small">
              {texts.learning(show.number(data.learning.pages), show.number(data.learning.needed))}
            </p>
          </>
        )
        : found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
    </Card>
  );
}

function Selectors({ recipe }: { recipe: Recipe }) {
  const { words, show } = useApp();
  const texts = words.repairs.recipe;
  return (
    <ol class="selectors">
      {recipe.selectors.map(({ selector, statePath, hits, agreements }) => (
        <li key={selector ?? statePath}>
          <code>{selector ?? statePath}</code>
          <small class="soft">{texts.agreed(show.number(agreements), show.number(hits))}</small>
        </li>
      ))}
    </ol>
  );
}
