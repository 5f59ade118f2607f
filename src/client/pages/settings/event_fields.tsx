import {
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from "../../../platform/events/public_events.ts";
import { useApp } from "../../app/app.ts";
import { CheckField } from "../../parts/form/fields.tsx";

interface EventFieldsProps {
  flag(type: PublicEventType): Omit<Parameters<typeof CheckField>[0], "label" | "hint">;
}

export function EventFields({ flag }: EventFieldsProps) {
  const { words } = useApp();
  const texts = words.webhooks;
  return (
    <fieldset class="wide">
      <legend>{texts.eventsLabel}</legend>
      {PUBLIC_EVENT_TYPES.map((type) => (
        <CheckField
          key={type}
          {...flag(type)}
          label={texts.events[type]}
          hint={<code>{type}</code>}
        />
      ))}
    </fieldset>
  );
}
