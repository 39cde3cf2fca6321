import { data, href, Link } from "react-router";
import { SignedOutPage } from "#app/accounts/signed-out-page.tsx";
import { useForm } from "#app/components/action-form.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import type { Category } from "#shared/categories.ts";
import type { NotificationView } from "#shared/notifications.ts";
import { Choices } from "./choices.tsx";
import { NotificationItem } from "./notification-item.tsx";
import "./notifications.css";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => pageMeta("Novedades");

export const handle = { header: { lampOff: true } };

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, viewer }) => {
    const me = viewer();
    if (!me) return data(null, { status: 401 });
    const cursor = args.url.searchParams.get("cursor") || undefined;
    const [list, choices] = await Promise.all([
      redirectOnInvalidCursor(args, api.notifications.list({ cursor })),
      cursor ? null : api.notifications.choices({}),
    ]);
    return data({ list, choices, userType: me.user_type });
  });

/** Reads the form. A browser sends no unticked box, so the form names the shown ones. */
function readChoices(form: FormData) {
  const shown = form.getAll("shown").map((name) => [name, isChecked(form.get(String(name)) as string)]);
  const [endpoint, p256dh, auth] = ["endpoint", "p256dh", "auth"].map((name) => form.get(name) as string);
  return {
    ...Object.fromEntries(shown),
    ...(form.getAll("shown").includes("digest") && {
      digest_categories: form.getAll("digest_categories") as Category[],
    }),
    ...(endpoint && p256dh && auth && { device: { endpoint, p256dh, auth } }),
    ...(form.has("device_off") && { device: null }),
  };
}

export const action = formAction(async ({ api, form, leave }) => {
  await api.notifications.choose(readChoices(form!));
  return leave("/notificaciones#avisos", "choices_saved");
});

export default function Notifications({ loaderData, actionData }: Route.ComponentProps) {
  const form = useForm(actionData, { toast: true });
  if (!loaderData) return <SignedOutPage title="Novedades" subject="tus novedades" path="/notificaciones" />;
  const { list, choices, userType } = loaderData;
  const isNew = list.items.filter((item) => item.is_new);
  const seen = list.items.filter((item) => !item.is_new);
  return (
    <main id="contenido" className="page reading-column notifications">
      <h1 className="title-xl">Novedades</h1>
      {!choices && (
        <Link className="icon-link" to="/notificaciones">
          Volver a las más recientes
        </Link>
      )}
      {list.items.length === 0 ? (
        <EmptyState title="Todo tranquilo por aquí" action={<Link to="/">Leer otras consultas</Link>}>
          Cuando pase algo con lo que escribes, se enciende la lámpara de arriba.
        </EmptyState>
      ) : (
        <>
          <Group title="Nuevas" items={isNew} />
          <Group title={isNew.length ? "Antes" : null} items={seen} />
          <LoadMore to={list.next_cursor && `${href("/notificaciones")}?cursor=${list.next_cursor}`}>
            Ver anteriores
          </LoadMore>
        </>
      )}
      {choices && (
        <Choices
          choices={choices}
          form={form}
          userType={userType}
          offersPush={list.items.some((item) => item.consultation !== null)}
        />
      )}
    </main>
  );
}

function Group({ title, items }: { title: string | null; items: NotificationView[] }) {
  if (items.length === 0) return null;
  return (
    <section>
      {title && <h2 className="title-m">{title}</h2>}
      <ul>
        {items.map((item) => (
          <NotificationItem key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </ul>
    </section>
  );
}
