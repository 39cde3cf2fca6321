import { Form, href } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { NewAnswersBadge } from "#app/components/new-answers-badge.tsx";
import { ExitIcon, type Icon, icon, UserIcon } from "#app/ui/icon.tsx";
import { MenuAction, MenuLink } from "#app/ui/menu.tsx";
import { IdIcon } from "#app/ui/more-icons.tsx";

const SettingsIcon: Icon = icon(
  "M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
);
const ShieldIcon: Icon = icon(
  "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4",
);

/** Links of the signed-in user in the header's menu. In a separate file, so that visitors do not load it. */
export default function AccountLinks() {
  const { viewer, signingOut } = useAuth();
  if (!viewer) return null;
  return (
    <>
      <MenuLink to="/perfil" icon={<IdIcon />}>
        Mi Perfil
        <NewAnswersBadge count={viewer.new_answers} shown="few words" />
      </MenuLink>
      {viewer.user_type === "psychologist" && (
        <MenuLink to={href("/psicologo/:id", { id: viewer.id })} icon={<UserIcon />}>
          Ver Perfil Público
        </MenuLink>
      )}
      <MenuLink to="/cuenta" icon={<SettingsIcon />}>
        Cuenta y seguridad
      </MenuLink>
      {viewer.is_admin && (
        <MenuLink to="/admin" icon={<ShieldIcon />}>
          Panel de Administración
        </MenuLink>
      )}
      <MenuAction>
        <Form method="post" action="/salir" onSubmit={signingOut}>
          <button type="submit">
            <ExitIcon />
            Cerrar Sesión
          </button>
        </Form>
      </MenuAction>
    </>
  );
}
