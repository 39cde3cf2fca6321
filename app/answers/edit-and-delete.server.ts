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

/* What the pages load and do on which users correct and delete their own answers and replies. */

/** The arguments of such a page's loader or action, with the text's id. */
type OwnTextRequest = PageRequest & { params: { id: string } };

const operations = ({ api }: PageContext, kind: OwnTextKind) => (kind === "answer" ? api.answers : api.replies);
const DELETED = { answer: "answer_deleted", reply: "reply_deleted" } as const;

/** The viewer's own text, to be corrected; null when it is gone by the time the form arrives. */
export const loadForEditing = (args: OwnTextRequest, kind: OwnTextKind) =>
  load(args, async (here) => {
    requireViewer(args);
    return nullWhenGone(here, operations(here, kind).own({ id: args.params.id }));
  });

/** The viewer's own text, to be deleted. */
export const loadForDeleting = (args: OwnTextRequest, kind: OwnTextKind) =>
  load(args, async (here) => {
    requireViewer(args);
    return operations(here, kind).own({ id: args.params.id });
  });

/** Saves a corrected text and leads to it; a refusal brings back what was typed. */
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

/** Deletes the text and leads to its consultation. */
export const remove = (args: OwnTextRequest, kind: OwnTextKind) =>
  act(args, async (here) => {
    const { id } = args.params;
    const { own, delete: remove } = operations(here, kind);
    const { consultation_id } = await beforeDeleting(own({ id }), () => remove({ id }));
    await remove({ id });
    announce(here, DELETED[kind]);
    throw redirectOn(args, href("/consulta/:id", { id: consultation_id }));
  });
