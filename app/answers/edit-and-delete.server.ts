import { href } from "react-router";
import {
  deleteEvenIfRemoved,
  formFields,
  nullIfDeleted,
  type PageContext,
  type RouteArgs,
  redirectHidingHistory,
  requireViewer,
  runAction,
  runLoader,
  setFlash,
  withErrorCode,
} from "#app/lib/page-request.server.ts";
import { type OwnTextKind, ownTextPath } from "./own-text.ts";

/* Loaders and actions of the pages that edit or delete the user's own answers and replies. */

type OwnTextRequest = RouteArgs & { params: { id: string } };

const operations = ({ api }: PageContext, kind: OwnTextKind) => (kind === "answer" ? api.answers : api.replies);
const DELETED = { answer: "answer_deleted", reply: "reply_deleted" } as const;

/** Loads the viewer's own text for the edit form. Returns null if it was deleted before the form was submitted. */
export const loadForEditing = (args: OwnTextRequest, kind: OwnTextKind) =>
  runLoader(args, async (ctx) => {
    requireViewer(args);
    return nullIfDeleted(ctx, operations(ctx, kind).own({ id: args.params.id }));
  });

export const loadForDeleting = (args: OwnTextRequest, kind: OwnTextKind) =>
  runLoader(args, async (ctx) => {
    requireViewer(args);
    return operations(ctx, kind).own({ id: args.params.id });
  });

/** Saves an edited text and redirects to it. After an error it returns the typed text. */
export async function edit(args: OwnTextRequest, kind: OwnTextKind) {
  const { content = "" } = formFields(args);
  const { id } = args.params;
  const result = await runAction(args, async (ctx) => {
    const { own, edit } = operations(ctx, kind);
    const { consultation_id } = await own({ id }).catch((error: unknown) => {
      throw withErrorCode(error, { gone: "parent_deleted" });
    });
    await edit({ id, content });
    setFlash(ctx, "changes_saved");
    throw redirectHidingHistory(args, ownTextPath(kind, { id, consultation_id }, ctx.isDocument));
  });
  return { ...result, data: { ...result.data, content } };
}

export const remove = (args: OwnTextRequest, kind: OwnTextKind) =>
  runAction(args, async (ctx) => {
    const { id } = args.params;
    const { own, delete: remove } = operations(ctx, kind);
    const { consultation_id } = await deleteEvenIfRemoved(own({ id }), () => remove({ id }));
    await remove({ id });
    setFlash(ctx, DELETED[kind]);
    throw redirectHidingHistory(args, href("/consulta/:id", { id: consultation_id }));
  });
