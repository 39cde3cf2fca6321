import { signInPath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import type { ArmchairObject } from "#app/ui/illustrations.tsx";

interface SignedOutPageProps {
  title: string;
  /** Part of the site that requires a session: "tu perfil". */
  subject: string;
  /** Path to which the sign-in returns. */
  path: string;
  illustration?: ArmchairObject;
}

/** A personal page without a session: a link to the sign-in and back. */
export const SignedOutPage = ({ title, subject, path, illustration }: SignedOutPageProps) => (
  <CenteredPage title={title} illustration={illustration} card>
    <p>{`Debes iniciar sesión para ver ${subject}.`}</p>
    <p>
      <ButtonLink to={signInPath(path)}>Iniciar Sesión</ButtonLink>
    </p>
  </CenteredPage>
);
