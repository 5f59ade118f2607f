import type { XmlProfileDocument } from "../../../imports/profiles/import_profile_document.ts";
import { type FilePaths, fittingPath, pathsBelow } from "./file_paths.ts";
import type { ProfileDraft } from "./profile_draft.ts";
import { LINK_NAMES, PRICE_NAMES, PROFILE_FIELDS, type TextName } from "./profile_names.ts";

/**
 * What the form can be filled with by looking at a file: its root, its record, and of each field the
 * first name that the known profile knows and the file has. What somebody has written stays.
 */
export function suggestedDraft(
  draft: ProfileDraft,
  file: FilePaths,
  known: XmlProfileDocument,
): ProfileDraft {
  const filled = { ...draft };
  const fill = (name: TextName, text: string | null | undefined) => {
    if (filled[name] === "" && text) filled[name] = text;
  };
  fill("detect.root", file.root);
  fill("itemPath", file.itemPath);
  const inItem = pathsBelow(file, filled.itemPath);
  for (const name of PROFILE_FIELDS) {
    fill(`fields.${name}.path`, fittingPath(known.fields[name]?.path ?? "", inItem));
  }
  const rows = fittingPath(known.prices?.path ?? "", inItem);
  if (rows !== null && known.prices !== null) {
    filled.hasPrices = true;
    fill("prices.path", rows);
    const inRow = pathsBelow(file, filled["prices.path"]);
    for (const name of PRICE_NAMES) {
      if (name !== "path") fill(`prices.${name}`, fittingPath(known.prices[name] ?? "", inRow));
    }
  }
  const links = fittingPath(known.competitors?.path ?? "", inItem);
  if (links !== null && known.competitors !== null) {
    filled.hasLinks = true;
    fill("competitors.path", links);
    const inLink = pathsBelow(file, filled["competitors.path"]);
    for (const name of LINK_NAMES) {
      if (name !== "path") {
        fill(`competitors.${name}`, fittingPath(known.competitors[name] ?? "", inLink));
      }
    }
  }
  return filled;
}
