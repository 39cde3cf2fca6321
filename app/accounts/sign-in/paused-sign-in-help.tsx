import { Link } from "react-router";
import "./paused-sign-in-help.css";

/** Equal for emails with and without an account. */
export const PausedSignInHelp = () => (
  <>
    <p className="above-3">Si es tu cuenta y no quieres esperar:</p>
    <ul className="paused-sign-in-help">
      <li>abre en este navegador el enlace del correo que te enviamos hoy sobre estos intentos;</li>
      <li>
        <Link to="/auth/recuperar">elige una contraseña nueva</Link>: después puedes entrar aquí enseguida.
      </li>
    </ul>
  </>
);
