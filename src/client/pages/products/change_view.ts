/** Views are changed and deleted as they were seen: two tabs, or two people, may be at one of them. */
import type { View } from "../../../accounts/views/view.ts";
import type { Wire } from "../../api/wire.ts";
import type { Call } from "../../api/call.ts";
import { saveOver } from "../../api/save_over.ts";

/** What people make of a view, as one text: two that say the same are the same. */
export function viewText({ name, query, columns, isShared }: View): string {
  return JSON.stringify([name, query, columns, isShared]);
}

/** Throws `Overtaken` when the view is another than the one that was seen. */
export async function changeView(
  call: Call,
  seen: View,
  body: Wire<"ViewPatch">,
): Promise<View> {
  const params = { path: { id: seen.id } };
  return await saveOver(call, {
    read: (api) => api.GET("/api/views/{id}", { params }),
    write: (api) => api.PATCH("/api/views/{id}", { params, body }),
    isSeen: (latest) => viewText(latest) === viewText(seen),
  });
}

/** Throws `Overtaken` when the view is another than the one that was seen. */
export async function deleteView(call: Call, seen: View): Promise<unknown> {
  const params = { path: { id: seen.id } };
  return await saveOver(call, {
    read: (api) => api.GET("/api/views/{id}", { params }),
    write: (api) => api.DELETE("/api/views/{id}", { params }),
    isSeen: (latest) => viewText(latest) === viewText(seen),
  });
}
