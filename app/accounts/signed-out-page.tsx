import { signInPath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import type { ArmchairObject } from "#app/ui/illustrations.tsx";

type SignedOutPageProps = { title: string; subject: string; path: string; illustration?: ArmchairObject };

export const SignedOutPage = ({ title, subject, path, illustration }: SignedOutPageProps) => (
  <CenteredPage title={title} illustration={illustration} card>
    <p>{`Debes iniciar sesión para ver ${subject}.`}</p>
    <p>
      <ButtonLink to={signInPath(path)}>Iniciar Sesión</ButtonLink>
    </p>
  </CenteredPage>
);
