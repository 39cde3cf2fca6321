import { Link } from "react-router";
import { useHelpPath } from "#app/lib/help-path.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

export function Footer({ donationUrl }: { donationUrl: string | null }) {
  return (
    <footer className="text-muted small site-footer page">
      <div className="site-footer__inner">
        <p className="site-footer__note">
          {PRODUCT_NAME} acompaña, no reemplaza una consulta ni atiende urgencias: nadie vigila los mensajes en vivo. Si
          hay peligro ahora, usa <Link to={useHelpPath()}>Necesito ayuda ahora</Link>.
        </p>
        <ul className="site-footer__links">
          <li>
            <Link to="/temas">Temas y países</Link>
          </li>
          <li>
            <Link to="/privacy">Privacidad</Link>
          </li>
          <li>
            <Link to="/terms">Términos de Servicio</Link>
          </li>
          <li>
            <Link to="/contacto">Contacto</Link>
          </li>
          {donationUrl && (
            <li>
              <a href={donationUrl} rel="noopener noreferrer">
                Invítanos un café
              </a>
            </li>
          )}
        </ul>
      </div>
    </footer>
  );
}
