import type { Alert } from "../../../messages/alerts/alert.ts";
import { useApp } from "../../app/app.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { alertText } from "../../../engine/wording/alert_text.ts";
import { SeverityBadge } from "../../parts/severity_badge.tsx";

interface AlertPanelProps {
  readonly alert: Alert;
  onClose(): void;
}

/** One alert whole, with the ways to what it speaks of. */
export function AlertPanel({ alert, onClose }: AlertPanelProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.alerts;
  const { productId, ruleId, facts } = alert;
  const { title, body } = alertText({ language: app.language.value, show: app.show }, alert);
  const jobId = facts && "jobId" in facts ? facts.jobId : null;
  return (
    <Dialog
      kind="panel"
      title={texts.detail}
      onClose={onClose}
      actions={productId && (
        <a class="button main" href={`/products/${productId}`}>{texts.product}</a>
      )}
    >
      <h3>{title}</h3>
      <p class="lines">{body}</p>
      <dl class="facts">
        <div>
          <dt>{texts.columns.severity}</dt>
          <dd>
            <SeverityBadge severity={alert.severity} />
          </dd>
        </div>
        <div>
          <dt>{texts.columns.at}</dt>
          <dd>{show.dateTime(alert.createdAt)}</dd>
        </div>
        <div>
          <dt>{texts.source}</dt>
          <dd>
            {ruleId
              ? (
                <a href={`/rules/${ruleId}`}>
                  {facts?.code === "rule_fired" ? facts.ruleName : texts.rule}
                </a>
              )
              : texts.system}
          </dd>
        </div>
        {alert.mail !== null && (
          <div>
            <dt>{texts.columns.mail}</dt>
            <dd>{texts.mails[alert.mail]}</dd>
          </div>
        )}
      </dl>
      <p class="links">
        {facts?.code === "prices_not_arrived" && (
          <a href="/imports/arrivals">{words.priceArrivals.toList}</a>
        )}
        {facts?.code === "domain_failing" && <a href="/competitors/repairs">{words.repairs.open}
        </a>}
        {facts?.code === "recipe_drifting" && (
          <a href={`/competitors/${facts.competitorId}`}>{words.repairs.open}</a>
        )}
        {facts?.code === "discovery_fell_back" && (
          <a href={`/competitors/${facts.competitorId}`}>{facts.competitor}</a>
        )}
        {facts?.code === "other_product" && productId && (
          <a href={`/products/${productId}`}>{facts.sku}</a>
        )}
        {facts?.code === "other_products" && <a href="/competitors/repairs">{words.repairs.open}
        </a>}
        {facts?.code === "source_silent" && (
          <a href={`/imports?source=${facts.sourceId}`}>{words.importSources.toImports}</a>
        )}
        {jobId && <a href={`/imports/${jobId}`}>{texts.toImport}</a>}
        {productId && <a href={`/alerts?productId=${productId}`}>{texts.ofProduct}</a>}
        {ruleId && <a href={`/alerts?ruleId=${ruleId}`}>{texts.ofRule}</a>}
      </p>
    </Dialog>
  );
}
