import { SignOutForm } from "#app/accounts/sign-in/sign-out-form.tsx";
import { SignUpPanel } from "#app/consultations/sidebar.tsx";

/** The type of an account is fixed, so a psychologist needs a new one. */
export default function NewAccountPanel() {
  return (
    <SignUpPanel>
      <p className="text-muted panel__lead">Para responder hace falta una cuenta profesional, con otro correo.</p>
      <SignOutForm fields={{ after_sign_out: "register_psychologist" }}>
        <button type="submit" className="icon-link">
          Cerrar Sesión y registrarme
        </button>
      </SignOutForm>
    </SignUpPanel>
  );
}
