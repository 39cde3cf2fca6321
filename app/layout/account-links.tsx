import { href } from "react-router";
import { SignOutForm } from "#app/accounts/sign-in/sign-out-form.tsx";
import { NewAnswersBadge } from "#app/components/badges.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { MenuLink } from "#app/ui/menu.tsx";

/** In a separate file, so that visitors do not load it. */
export default function AccountLinks() {
  const { viewer } = useAuth();
  if (!viewer) return null;
  return (
    <>
      <MenuLink to="/perfil" icon={<Icon name="id" />}>
        Mi Perfil
        <NewAnswersBadge count={viewer.new_answers} />
      </MenuLink>
      {viewer.user_type === "psychologist" && (
        <MenuLink to={href("/psicologo/:id", { id: viewer.id })} icon={<Icon name="user" />}>
          Ver Perfil Público
        </MenuLink>
      )}
      <MenuLink to="/cuenta" icon={<Icon name="settings" />}>
        Cuenta y seguridad
      </MenuLink>
      {viewer.is_admin && (
        <MenuLink to="/admin" icon={<Icon name="shield" />}>
          Panel de Administración
        </MenuLink>
      )}
      <li className="menu__sep">
        <SignOutForm>
          <button type="submit">
            <Icon name="exit" />
            Cerrar Sesión
          </button>
        </SignOutForm>
      </li>
    </>
  );
}
