import { redirect } from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { pagelessAction } from "#app/lib/form-action.server.ts";
import { refererPath, requireViewer } from "#app/lib/page-request.server.ts";
import { patchingAction } from "#app/lib/paged-list.ts";

export const handle: FailureHandle = { failed: { act: failure("No se pudieron guardar los cambios") } };

export const action = pagelessAction(async ({ api, args, fields, isDocument }) => {
  const { id } = args.params;
  const back = `${refererPath(args) ?? "/"}#respuesta-${id}`;
  if (isDocument) requireViewer(args, back);
  const result = await api.answers.thank({ id, on: fields.on === "1" });
  return isDocument ? redirect(back) : result;
});

export const clientAction = patchingAction<{ thanked: boolean }>((viewer) => ({ viewer }));

export const loader = () => redirect("/");

export const ErrorBoundary = ErrorPage;
