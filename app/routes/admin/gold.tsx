import { href, redirect } from "react-router";
import { loadDecision } from "#app/admin/decision-request.server.ts";
import { GoldPage } from "#app/admin/gold/gold-page.tsx";
import { ActionErrorMessage } from "#app/components/action-error-message.tsx";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { formErrorResponse, formFields, runAction, setFlash } from "#app/lib/page-request.server.ts";
import { AppError, type ErrorBody } from "#shared/errors.ts";
import { toIsoDay } from "#shared/time.ts";
import type { Route } from "./+types/gold.ts";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta(loaderData ? `Gold de ${loaderData.gold.full_name}` : "Gold");

/** The URL contains the proposed decision: a last day (`hasta` or `siempre`), or the end of Gold (`terminar`). */
export const loader = (args: Route.LoaderArgs) =>
  loadDecision(args, async ({ api, now }) => {
    const { id } = args.params;
    const asked = args.url.searchParams;
    const lastDay = asked.has("siempre") ? "never" : asked.get("hasta") || undefined;
    const shared = { lastDay, ending: asked.has("terminar"), today: toIsoDay(now) };
    try {
      return { gold: await api.gold.read({ id, last_day: lastDay }), dayError: undefined, ...shared };
    } catch (error) {
      const { data: refused } = error as { data?: ErrorBody };
      const dayError = refused?.code === "invalid_input" ? refused.fields?.last_day : undefined;
      if (!dayError) throw error;
      return { gold: await api.gold.read({ id }), dayError, ...shared };
    }
  });

export async function action(args: Route.ActionArgs) {
  const { id } = args.params;
  const { intent, version = "", last_day = "", reason = "" } = formFields(args);
  const result = await runAction(args, async (ctx) => {
    if (intent === "grant") await ctx.api.gold.grant({ id, version, last_day, reason });
    else if (intent === "end") await ctx.api.gold.end({ id, version, reason });
    else throw new AppError("malformed_request");
    setFlash(ctx, intent === "grant" ? "gold_granted" : "gold_ended");
    throw redirect(href("/admin/psicologo/:id/gold", { id }));
  });
  return formErrorResponse(args, result, { reason });
}

export default function Gold({ loaderData, actionData, params }: Route.ComponentProps) {
  const actionError = useActionErrorToast(actionData);
  const { gold } = loaderData;
  return (
    <GoldPage
      key={gold.version}
      {...loaderData}
      pagePath={href("/admin/psicologo/:id/gold", { id: params.id })}
      refusal={<ActionErrorMessage result={actionData} />}
      reason={actionData && { value: actionData.reason, error: actionError?.fields?.reason }}
    />
  );
}
