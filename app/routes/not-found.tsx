import { data } from "react-router";
import { DemoMails } from "#app/components/demo-mails.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { AppError, type ErrorBody } from "#shared/errors.ts";
import type { Route } from "./+types/not-found.ts";

export const meta: Route.MetaFunction = () => pageMeta("Correos de la demostración");

/**
 * Responds 404 to all unknown paths, with the error page of `app/routes/layout.tsx`.
 *
 * The demo's mails have no route, because outside the demo their 404 would differ from other unknown paths.
 */
export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, now, publicUrl, sendsMail }) => {
    if (args.params["*"] !== "correo") throw new AppError("not_found");
    return { mails: await api.demo.mails({}), now: now.toISOString(), publicUrl, sendsMail };
  });

export function action(): never {
  throw data<ErrorBody>({ code: "not_found" }, { status: 404 });
}

export default function NotFound({ loaderData }: Route.ComponentProps) {
  return <DemoMails {...loaderData} />;
}
