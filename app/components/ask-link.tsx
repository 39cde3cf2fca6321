import { useAuth } from "#app/lib/auth-context.tsx";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

export function AskLink({ small }: { small?: boolean }) {
  const { viewer } = useAuth();
  return (
    <ButtonLink
      to={viewer ? "/nueva-consulta" : signInPath("/nueva-consulta")}
      small={small}
      icon={<Icon name="plus" />}
    >
      Nueva Consulta
    </ButtonLink>
  );
}
