import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/use_document.ts";
import { useKeys } from "../../app/use_keys.ts";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Loading } from "../../parts/progress.tsx";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";
import { useMethodNames } from "../../parts/run/use_method_names.ts";
import { SafeLink } from "../../parts/safe_link.tsx";

/** What a person says that the price is. */
export type Choice = { readonly candidateId: string } | { readonly price: string };

interface PageCandidatesProps {
  readonly page: Wire<"RepairPage">;
  readonly chosen: Choice | null;
  readonly isBusy: boolean;
  onChoose(choice: Choice): void;
}

/** The page as it is now: what it calls its article, and each price as it is printed there. */
export function PageCandidates({ page, chosen, isBusy, onChoose }: PageCandidatesProps) {
  const { words, show, usesKeys } = useApp();
  const texts = words.repairs.teach;
  const named = useMethodNames();
  const { url } = page;
  const found = useDocument({
    key: ["previews", url],
    read: (api) => api.POST("/api/competitor-products/preview", { body: { url } }),
  });
  const preview = found.data;
  const candidates = preview?.candidates ?? [];
  useKeys(
    Object.fromEntries(
      candidates.map(({ id }, at) => [
        String(at + 1),
        () => isBusy || onChoose({ candidateId: id }),
      ]),
    ),
    "dialog",
  );
  return (
    <div class="page-sketch">
      <p class="page-address">
        <SafeLink url={url} />
      </p>
      <h3>{preview?.page?.title ?? page.title}</h3>
      {found.isPending && <Loading label={texts.reading} />}
      {found.error && <ErrorNote error={found.error} onAgain={() => void found.refetch()} />}
      {preview && preview.candidates.length === 0 && (
        <p class="note warn">
          {preview.errorCode === null || preview.errorCode === "no_price"
            ? texts.noneFound
            : scrapeErrorText(words, preview.errorCode)}
        </p>
      )}
      {preview && preview.candidates.length > 0 && (
        <ul class="candidates" aria-label={texts.found}>
          {candidates.map(({ id, text, amount, currency, source }, at) => (
            <li key={id}>
              <button
                type="button"
                class="candidate"
                aria-pressed={chosen !== null && "candidateId" in chosen &&
                  chosen.candidateId === id}
                disabled={isBusy}
                onClick={() => onChoose({ candidateId: id })}
              >
                <strong>{show.money(amount, currency)}</strong>
                <span class="soft">
                  {text ?? texts.foundBy(named(source))}
                </span>
                {usesKeys.value && <kbd aria-hidden="true">{at + 1}</kbd>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {usesKeys.value && candidates.length > 0 && (
        <p class="soft small wide-only">{texts.keys(candidates.length)}</p>
      )}
    </div>
  );
}
