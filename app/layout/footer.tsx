import { Link } from "react-router";
import { useHelpPath } from "#app/lib/help-path.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

const LINKS = [
  ["/temas", "Temas y países"],
  ["/privacy", "Privacidad"],
  ["/terms", "Términos de Servicio"],
  ["/contacto", "Contacto"],
] as const;

export const Footer = ({ donationUrl }: { donationUrl: string | null }) => (
  <footer className="text-muted small site-footer page">
    <div className="site-footer__inner">
      <p className="site-footer__note">
        {PRODUCT_NAME} acompaña, no reemplaza una consulta ni atiende urgencias: nadie vigila los mensajes en vivo. Si
        hay peligro ahora, usa <Link to={useHelpPath()}>Necesito ayuda ahora</Link>.
      </p>
      <ul className="site-footer__links">
        {LINKS.map(([to, words]) => (
          <li key={to}>
            <Link to={to}>{words}</Link>
          </li>
        ))}
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
