import { ForAuthor } from "#app/components/for-author.tsx";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import "./share-control.css";

type ShareControlProps = { publicUrl: string; path: string; title: string; anonymous: boolean; mine: boolean };

/** Warns the author of an anonymous consultation: people who receive the link may guess who wrote it. */
export function ShareControl({ publicUrl, path, title, anonymous, mine }: ShareControlProps) {
  const url = publicUrl + path;
  const canShare = useHydrated() && typeof navigator.share === "function";
  const ways = (
    <div className="share row">
      {/* Loads when it becomes visible. */}
      <img className="share__image" src={`/imagen${path}.png`} width={1200} height={630} alt="" loading="lazy" />
      <a
        className="button button--soft button--small"
        href={`https://wa.me/?text=${encodeURIComponent(`${title}\n${url}`)}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="whats-app" size="s" />
        WhatsApp<span className="visually-hidden"> (se abre en otra pestaña)</span>
      </a>
      <CopyButton
        text={url}
        copiedToast="Enlace copiado"
        actionError={{ title: "No se ha copiado el enlace", description: `Puedes copiarlo a mano: ${url}` }}
        fallback={<span className="faint">{url}</span>}
      >
        Copiar enlace
      </CopyButton>
      {canShare && (
        <Button
          variant="soft"
          small
          icon={<Icon name="share" size="s" />}
          // Closing the share menu rejects the promise. That is not an error.
          onClick={() => void navigator.share({ title, url }).catch(() => {})}
        >
          Más opciones
        </Button>
      )}
    </div>
  );
  return (
    <details className="disclosure">
      <summary className="button button--quiet button--small">
        <Icon name="share" size="s" />
        Compartir
      </summary>
      <div className="above-3">
        {anonymous && (
          <ForAuthor mine={mine} className="stack stack--close">
            <p className="share-warning">
              Tu consulta es anónima, pero quien reciba el enlace de tu parte puede imaginar que la has escrito tú. Ni
              el enlace ni la imagen llevan tu nombre.
            </p>
            <details className="opens-once">
              <summary className="button button--soft button--small">Compartir de todos modos</summary>
              {mine && ways}
            </details>
          </ForAuthor>
        )}
        {!(anonymous && mine) && ways}
      </div>
    </details>
  );
}
