import type { ReactNode } from "react";
import { data, href, Link } from "react-router";
import { SignedOutPage } from "#app/accounts/signed-out-page.tsx";
import { useForm } from "#app/components/action-form.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { Category } from "#shared/categories.ts";
import type { NotificationView } from "#shared/notifications.ts";
import { Choices } from "./choices.tsx";
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

type Words = [icon: IconName, title: string, about: string, to: string];

const OF_ACCOUNT: Partial<Record<NotificationView["kind"], Words>> = {
  verified: ["verified", "Hemos verificado tu cuenta", "Puedes responder consultas", "/perfil"],
  rejected: ["clock", "No hemos podido verificar tu matrícula", "Te lo contamos por correo", "/perfil"],
  charged: ["gold", "Hemos recibido un pago de tu Membresía Gold", "El recibo está en tu correo", "/planes"],
  payment_failed: [
    "clock",
    "No hemos podido cobrar tu Membresía Gold",
    "Mira en Planes cómo sigue y revisa tu medio de pago",
    "/planes",
  ],
  membership_ended: [
    "gold",
    "Tu Membresía Gold no se renueva más",
    "Mira en Planes si sigue y hasta cuándo",
    "/planes",
  ],
};

function NotificationItem({ item }: { item: NotificationView }) {
  const { consultation, psychologist, kind } = item;
  const [icon, title, about, to] = OF_ACCOUNT[kind] ?? ["talk", null, null, "/perfil"];
  return (
    <li className={item.is_new ? "notification notification--new" : "notification"}>
      {psychologist ? (
        <Avatar name={psychologist.full_name} src={psychologist.avatar_url} />
      ) : (
        <span className="notification__sign">
          <Icon name={icon} />
        </span>
      )}
      <Link
        className="title-link cover-link"
        to={
          consultation
            ? `${href("/consulta/:id", { id: consultation.id })}?respuesta=${consultation.answer_id}#respuesta-${consultation.answer_id}`
            : to
        }
      >
        {item.is_new && <span className="visually-hidden">Nuevo: </span>}
        {titleOf(item) ?? title}
      </Link>
      <span className="text-muted notification__about">
        {consultation ? `«${consultation.title}»` : about} · <RelativeTime datetime={item.created_at} />
      </span>
    </li>
  );
}

function titleOf({ kind, psychologist, people }: NotificationView): ReactNode {
  if (kind === "answer")
    return (
      <>
        <b>{psychologist?.full_name}</b> ha respondido tu consulta
      </>
    );
  if (kind === "reply_to_consultation") return "Han comentado una respuesta a tu consulta";
  if (kind === "reply") return "Han comentado tu respuesta";
  if (kind === "thanked")
    return people === 1 ? "A una persona le ayudó tu respuesta" : `A ${people} personas les ayudó tu respuesta`;
  return null;
}
