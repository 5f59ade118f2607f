import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import { useApp } from "../../app/app.ts";
import { SayButtons } from "../../parts/identity/say_of_match.tsx";
import { IdentityNote, type OurSide } from "./identity_note.tsx";

interface KeptIdentityProps {
  readonly match: CompetitorProduct;
  readonly product: OurSide;
  onSaid(): void;
}

/** What the page of a link said when it was read last, and what people say of it. */
export function KeptIdentity({ match, product, onSaid }: KeptIdentityProps) {
  const { words, show, may } = useApp();
  const texts = words.product.identity;
  const { identity } = match;
  if (identity === null) return null;
  const { confirmedBy, rejectedBy, checkedAt } = identity;
  const who = confirmedBy ?? rejectedBy;
  const said = confirmedBy !== null ? texts.confirmedBy : texts.rejectedBy;
  return (
    <section class="wide kept-identity" aria-label={texts.kept}>
      {checkedAt !== null && <p class="hint">{texts.checked(show.dateTime(checkedAt))}</p>}
      <IdentityNote preview={identity} product={product} />
      {who !== null && <p>{said(who.name, show.dateTime(who.at))}</p>}
      {may("manager") && who === null && identity.verdict !== null && identity.verdict !== "same" &&
        (
          <p>
            <SayButtons match={match} of={match.competitor} onDone={onSaid} />
          </p>
        )}
    </section>
  );
}
