import { href } from "react-router";
import {
  act,
  announce,
  beforeDeleting,
  fieldsOf,
  load,
  nullWhenGone,
  type PageContext,
  type PageRequest,
  redirectOn,
  requireViewer,
  withCode,
} from "#app/lib/page-request.server.ts";
import { type OwnTextKind, placeOf } from "./own-text.ts";

/* Loaders and actions of the pages that edit or delete the user's own answers and replies. */

type OwnTextRequest = PageRequest & { params: { id: string } };

const operations = ({ api }: PageContext, kind: OwnTextKind) => (kind === "answer" ? api.answers : api.replies);
const DELETED = { answer: "answer_deleted", reply: "reply_deleted" } as const;

/** Loads the viewer's own text for the edit form. Returns null if it was deleted before the form was submitted. */
export const loadForEditing = (args: OwnTextRequest, kind: OwnTextKind) =>
  load(args, async (here) => {
    requireViewer(args);
    return nullWhenGone(here, operations(here, kind).own({ id: args.params.id }));
  });

export const loadForDeleting = (args: OwnTextRequest, kind: OwnTextKind) =>
  load(args, async (here) => {
    requireViewer(args);
    return operations(here, kind).own({ id: args.params.id });
  });

/** Saves an edited text and redirects to it. After an error it returns the typed text. */
export async function edit(args: OwnTextRequest, kind: OwnTextKind) {
  const { content = "" } = fieldsOf(args);
  const { id } = args.params;
  const result = await act(args, async (here) => {
    const { own, edit } = operations(here, kind);
    const { consultation_id } = await own({ id }).catch((error: unknown) => {
      throw withCode(error, { gone: "gone_meanwhile" });
    });
    await edit({ id, content });
    announce(here, "changes_saved");
    throw redirectOn(args, placeOf(kind, { id, consultation_id }, here.isDocument));
  });
  return { ...result, data: { ...result.data, content } };
}

export const remove = (args: OwnTextRequest, kind: OwnTextKind) =>
  act(args, async (here) => {
    const { id } = args.params;
    const { own, delete: remove } = operations(here, kind);
    const { consultation_id } = await beforeDeleting(own({ id }), () => remove({ id }));
    await remove({ id });
    announce(here, DELETED[kind]);
    throw redirectOn(args, href("/consulta/:id", { id: consultation_id }));
  });
