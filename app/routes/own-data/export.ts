import { redirect } from "react-router";
import { formFields, runAction, withReauthentication } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/export.ts";

export const loader = () => redirect("/cuenta");

/** Responds with the file. After an error it redirects to the account page, which shows the error next to the form. */
export async function action(args: Route.ActionArgs) {
  const { current_password } = formFields(args);
  const { signal } = args.request;
  const result = await runAction(args, (ctx) =>
    withReauthentication(ctx, current_password, () => ctx.api.ownData.export({}, { signal })),
  );
  if ("body" in result) return new Response(result.body, { headers: result.headers });
  const { code, fields } = result.data.actionError;
  return redirect(`/cuenta?datos=${fields?.current_password ? "contrasena" : code}#datos`);
}
