import { useApp } from "../../frame/app.ts";
import { useUnread } from "./use_unread.ts";

const SHOWN_MAX = 99;

/** Beside the name of the alerts in the navigation; nothing while all is read. */
export function UnreadBadge() {
  const { words } = useApp();
  const unread = useUnread();
  if (!unread) return null;
  return (
    <span class="nav-count">
      <span aria-hidden="true">{unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}</span>
      <span class="sr-only">{words.alerts.unreadCount(unread)}</span>
    </span>
  );
}
