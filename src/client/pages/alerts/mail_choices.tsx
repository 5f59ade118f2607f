import type { CauseKind } from "../../../messages/alerts/alert.ts";
import type { MailChoice } from "../../../messages/alerts/mail_choice.ts";
import { useApp } from "../../app/app.ts";
import { useChange, useDocument } from "../../app/queries.ts";
import { Pending } from "../../parts/page.tsx";
import { useMedia } from "../../parts/use_media.ts";

const CHOICES: readonly MailChoice[] = ["now", "daily", "here"];

/** How each kind of cause reaches the person. A choice is saved immediately. */
export function MailChoices() {
  const { words } = useApp();
  const texts = words.causes;
  const isWide = useMedia("(min-width: 1001px)");
  const found = useDocument({
    key: ["alerts", "mail-choices"],
    read: (api) => api.GET("/api/alerts/mail-choices"),
  });
  const choose = useChange({
    ask: (api, body: { readonly kind: CauseKind; readonly choice: MailChoice }) =>
      api.PUT("/api/alerts/mail-choices", { body }),
    touches: ["alerts"],
  });
  const { data } = found;
  // A click shows immediately, before the service answers.
  const clicked = choose.isPending ? choose.variables : undefined;
  return (
    <details class="panel mail-choices" open={isWide}>
      <summary>{texts.mails}</summary>
      {data
        ? (
          <>
            <table>
              <thead>
                <tr>
                  <th scope="col">{texts.cause}</th>
                  {CHOICES.map((choice) => <th key={choice} scope="col">{texts.choices[choice]}
                  </th>)}
                </tr>
              </thead>
              <tbody>
                {data.items.map(({ kind, choice: chosen }) => (
                  <tr key={kind}>
                    <th scope="row">{texts.kinds[kind]}</th>
                    {CHOICES.map((choice) => (
                      <td key={choice}>
                        <input
                          type="radio"
                          name={`mail-${kind}`}
                          aria-label={`${texts.kinds[kind]}: ${texts.choices[choice]}`}
                          checked={choice === (clicked?.kind === kind ? clicked.choice : chosen)}
                          onChange={() => choose.mutate({ kind, choice })}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <p class="soft small">{texts.mailTo(data.email)}</p>
          </>
        )
        : <Pending of={found} />}
    </details>
  );
}
