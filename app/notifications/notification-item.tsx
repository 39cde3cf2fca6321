import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { NotificationView } from "#shared/notifications.ts";

type Words = { icon: IconName; title: string; about: string; to: string };

/** Notifications without a consultation. */
const OF_ACCOUNT: Partial<Record<NotificationView["kind"], Words>> = {
  verified: {
    icon: "verified",
    title: "Hemos verificado tu cuenta",
    about: "Puedes responder consultas",
    to: "/perfil",
  },
  rejected: {
    icon: "clock",
    title: "No hemos podido verificar tu matrícula",
    about: "Te lo contamos por correo",
    to: "/perfil",
  },
  charged: {
    icon: "gold",
    title: "Hemos recibido un pago de tu Membresía Gold",
    about: "El recibo está en tu correo",
    to: "/planes",
  },
  payment_failed: {
    icon: "clock",
    title: "No hemos podido cobrar tu Membresía Gold",
    about: "Mira en Planes cómo sigue y revisa tu medio de pago",
    to: "/planes",
  },
  membership_ended: {
    icon: "gold",
    title: "Tu Membresía Gold no se renueva más",
    about: "Mira en Planes si sigue y hasta cuándo",
    to: "/planes",
  },
};

export function NotificationItem({ item }: { item: NotificationView }) {
  const { consultation, psychologist, kind } = item;
  const account = OF_ACCOUNT[kind];
  return (
    <li className={item.is_new ? "notification notification--new" : "notification"}>
      {psychologist ? (
        <Avatar name={psychologist.full_name} src={psychologist.avatar_url} />
      ) : (
        <span className="notification__sign">
          <Icon name={account?.icon ?? "talk"} />
        </span>
      )}
      <Link
        className="title-link cover-link"
        to={
          consultation
            ? `${href("/consulta/:id", { id: consultation.id })}?respuesta=${consultation.answer_id}#respuesta-${consultation.answer_id}`
            : (account?.to ?? "/perfil")
        }
      >
        {item.is_new && <span className="visually-hidden">Nuevo: </span>}
        {titleOf(item) ?? account?.title}
      </Link>
      <span className="text-muted notification__about">
        {consultation ? `«${consultation.title}»` : account?.about} · <RelativeTime datetime={item.created_at} />
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
