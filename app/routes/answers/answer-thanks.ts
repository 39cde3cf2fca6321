import { redirect } from "react-router";
import { formFields, getPageContext, refererPath, requireViewer, runAction } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/answer-thanks.ts";

/** Sets or takes back the viewer's thanks for an answer. Without JavaScript it redirects back. */
export async function action(args: Route.ActionArgs) {
  const { isDocument } = getPageContext(args);
  const { id } = args.params;
  const back = `${refererPath(args) ?? "/"}#respuesta-${id}`;
  if (isDocument) requireViewer(args, back);
  const on = formFields(args).on === "1";
  return runAction(args, async ({ api }) => {
    const result = await api.answers.thank({ id, on });
    if (isDocument) throw redirect(back);
    return result;
  });
}

export const loader = () => redirect("/");
