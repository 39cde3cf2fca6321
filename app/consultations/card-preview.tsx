import { type RefObject, useEffect, useRef, useState } from "react";
import { useAuth } from "#app/lib/auth-context.tsx";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Furniture } from "#app/ui/illustrations.tsx";
import "./card-preview.css";

const TEXTS = ["title", "content", "country", "category", "author_name"] as const;

export type Written = Record<(typeof TEXTS)[number], string> & { anonymous: boolean };

function written(form: HTMLFormElement): Written {
  const fields = new FormData(form);
  const texts = Object.fromEntries(TEXTS.map((name) => [name, String(fields.get(name) ?? "").trim()]));
  return { ...(texts as Record<(typeof TEXTS)[number], string>), anonymous: fields.has("is_anonymous") };
}

/** Returns the current values of a form and updates with every change. Null before hydration. */
export function useWritten(form: RefObject<HTMLFormElement | null>): Written | null {
  const [now, setNow] = useState<Written | null>(null);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const read = () => setNow(written(element));
    read();
    element.addEventListener("input", read);
    return () => element.removeEventListener("input", read);
  }, [form]);
  return now;
}

export type CardPreviewProps = { written: Written | null };

/** Screen readers do not announce it. The card's colour is known only after publishing. */
export function CardPreview({ written }: CardPreviewProps) {
  const { viewer } = useAuth();
  const box = useRef<HTMLDetailsElement>(null);
  const { title, content, country, category, author_name, anonymous = false } = written ?? {};
  const hydrated = useHydrated();
  useEffect(() => {
    // The style sheet gives it a column only if there is space.
    if (box.current) box.current.open = getComputedStyle(box.current).gridColumnStart === "2";
  }, []);
  const author = anonymous ? "Anónimo" : author_name || viewer?.full_name || "";
  return (
    <details ref={box} className="card-preview" data-hydrated={hydrated || undefined}>
      <summary>
        <svg viewBox="0 0 240 212" aria-hidden="true">
          <ellipse cx="120" cy="200" rx="108" ry="9" fill="var(--d-clay-2)" opacity=".45" />
          <Furniture name="armchair-back" />
          <Furniture name="armchair-front" />
        </svg>
        Así la verán los demás
        <Icon name="chevron-down" size="s" className="turns" />
      </summary>
      <div className="consultation-card tint-7">
        <div className="consultation-card__question">
          <p className="meta">
            {category && <span className="category">{category}</span>}
            {country && <span>{country}</span>}
            <span>ahora</span>
          </p>
          <p className="consultation-card__title">{title || "Tu título"}</p>
          <p className="consultation-card__text clamped">{content || "Las primeras líneas de lo que cuentas."}</p>
          <p className="text-muted small byline">
            <Avatar name={author} anonymous={anonymous} size="s" />
            <span>{author}</span>
          </p>
        </div>
        <div className="row row--apart small consultation-card__answers">
          <span className="answer-count answer-count--none">
            <Icon name="talk" />
            Sin respuestas
          </span>
        </div>
      </div>
    </details>
  );
}
