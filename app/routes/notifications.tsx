import { data, href, Link } from "react-router";
import { SignedOutPage } from "#app/accounts/signed-out-page.tsx";
import { redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { NotificationItem } from "#app/notifications/notification-item.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import type { NotificationView } from "#shared/notifications.ts";
import "#app/notifications/notifications.css";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => pageMeta("Novedades");

/** The page shows the notifications themselves, so the header's lamp is off. */
export const handle = { header: { lampOff: true } };

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, viewer, now }) => {
    if (!viewer()) return data({ list: null }, { status: 401 });
    const cursor = args.url.searchParams.get("cursor") || undefined;
    const list = await redirectOnInvalidCursor(args, api.notifications.list({ cursor }), "cursor");
    return data({ list, further: cursor !== undefined, now: now.toISOString() });
  });

export default function Notifications({ loaderData }: Route.ComponentProps) {
  if (!loaderData.list) return <SignedOutPage title="Novedades" subject="tus novedades" path="/notificaciones" />;
  const { list, further, now } = loaderData;
  const isNew = list.items.filter((item) => item.is_new);
  const seen = list.items.filter((item) => !item.is_new);
  return (
    <main id="contenido" className="page notifications">
      <h1 className="title-xl">Novedades</h1>
      {further && (
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
          <Group title="Nuevas" items={isNew} now={now} />
          <Group title={isNew.length ? "Antes" : null} items={seen} now={now} />
          <LoadMore to={list.next_cursor && `${href("/notificaciones")}?cursor=${list.next_cursor}`}>
            Ver anteriores
          </LoadMore>
        </>
      )}
    </main>
  );
}

function Group({ title, items, now }: { title: string | null; items: NotificationView[]; now: string }) {
  if (items.length === 0) return null;
  return (
    <section>
      {title && <h2 className="title-m">{title}</h2>}
      <ul>
        {items.map((item) => (
          <NotificationItem key={`${item.kind} ${item.id}`} item={item} now={now} />
        ))}
      </ul>
    </section>
  );
}
