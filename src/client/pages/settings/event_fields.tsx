import { useApp } from "../../frame/app.ts";
import { CheckField } from "../../parts/form/fields.tsx";

/** What can be subscribed to, in the order of the service. */
export const EVENT_TYPES = [
  "rule.fired",
  "proposal.created",
  "proposal.decided",
  "price.changed",
  "observation.changed",
  "import.finished",
  "scrape_run.finished",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Of a form: whether each event is wanted. */
export type EventChoice = Record<EventType, boolean>;

export function choiceOf(events: readonly string[]): EventChoice {
  const isWanted = (type: EventType) => events.includes(type);
  return {
    "rule.fired": isWanted("rule.fired"),
    "proposal.created": isWanted("proposal.created"),
    "proposal.decided": isWanted("proposal.decided"),
    "price.changed": isWanted("price.changed"),
    "observation.changed": isWanted("observation.changed"),
    "import.finished": isWanted("import.finished"),
    "scrape_run.finished": isWanted("scrape_run.finished"),
  };
}

export function eventsOf(choice: EventChoice): EventType[] {
  return EVENT_TYPES.filter((type) => choice[type]);
}

interface EventFieldsProps {
  flag(type: EventType): Omit<Parameters<typeof CheckField>[0], "label" | "hint">;
}

export function EventFields({ flag }: EventFieldsProps) {
  const { words } = useApp();
  const texts = words.webhooks;
  return (
    <fieldset class="wide">
      <legend>{texts.eventsLabel}</legend>
      {EVENT_TYPES.map((type) => (
        <CheckField
          key={type}
          {...flag(type)}
          label={texts.events[type] ?? type}
          hint={<code>{type}</code>}
        />
      ))}
    </fieldset>
  );
}
