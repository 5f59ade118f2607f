/** The product's last proposal, if a person rejected it and our price has not changed since. */
import { byId, get, where } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { shortDay } from "../../formats/moment.ts";
import { Button } from "../../parts/controls.tsx";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { Section } from "../../parts/page.tsx";
import type { OneProduct } from "./one_product.tsx";
import type { Doing } from "./use_doing.ts";

export function RejectedProposal(
  { product, doing, mayChange }: { product: OneProduct; doing: Doing; mayChange: boolean },
) {
  const { words, show } = useApp();
  const texts = words.openProposal;
  const newest = { productId: product.id, limit: 1, order: "desc" } as const;
  const found = useDocument(get("/api/proposals", where(newest)));
  const last = found.data?.items[0];
  if (last?.status !== "rejected" || last.currentCents !== product.ourPriceCents) return null;
  const reopen = () => {
    let openId = "";
    void doing.act({
      run: async (call) => {
        const { id } = await call((api) => api.POST("/api/proposals/{id}/reopen", byId(last.id)));
        openId = id;
      },
      done: texts.reopened,
      back: async (call) => {
        const { decisionReason: reason } = last;
        const body = reason === null ? {} : { reason };
        await call((api) => api.POST("/api/proposals/{id}/reject", { ...byId(openId), body }));
        return texts.rejected;
      },
    });
  };
  return (
    <Section isCard title={texts.rejectedTitle}>
      <PriceStep
        currentCents={last.currentCents}
        proposedCents={last.proposedCents}
        currency={last.currency}
      />
      <p>
        {words.proposals.returned.because(
          shortDay(show, last.decidedAt ?? last.createdAt),
          last.decisionReason,
        )} {texts.staysRejected}
      </p>
      {mayChange && <Button isBusy={doing.isBusy} onClick={reopen}>{words.proposals.reopen}
      </Button>}
    </Section>
  );
}
