import { type RefObject, useEffect, useRef, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { useHydrated } from "#app/lib/hydrated.ts";
import type { loader as rootLoader } from "#app/root.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ChevronDownIcon, TalkIcon } from "#app/ui/icon.tsx";
import { EmptyArmchair } from "#app/ui/more-drawings.tsx";
import "./card-preview.css";

type Written = Record<"title" | "content" | "country" | "category" | "author_name", string> & { anonymous: boolean };

const NOTHING: Written = {
  title: "",
  content: "",
  country: "",
  category: "",
  author_name: "",
  anonymous: false,
};

function written(form: HTMLFormElement): Written {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return {
    title: text("title"),
    content: text("content"),
    country: text("country"),
    category: text("category"),
    author_name: text("author_name"),
    anonymous: fields.has("is_anonymous"),
  };
}

/** Returns the current values of a form and updates with every change. */
export function useWritten(form: RefObject<HTMLFormElement | null>): Written {
  const [now, setNow] = useState(NOTHING);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const read = () => setNow(written(element));
    read();
    element.addEventListener("input", read);
    element.addEventListener("change", read);
    return () => {
      element.removeEventListener("input", read);
      element.removeEventListener("change", read);
    };
  }, [form]);
  return now;
}

export interface CardPreviewProps {
  /** The form, including a restored draft. */
  form: RefObject<HTMLFormElement | null>;
}

/**
 * Live preview of the published card. It is open if it fits next to the fields; otherwise it is collapsed. Screen
 * readers do not announce it. The card's colour is known only after publishing.
 */
export function CardPreview({ form }: CardPreviewProps) {
  const viewer = useRouteLoaderData<typeof rootLoader>("root")?.viewer;
  const box = useRef<HTMLDetailsElement>(null);
  const { title, content, country, category, author_name, anonymous } = useWritten(form);
  const hydrated = useHydrated();
  useEffect(() => {
    // The style sheet gives it a column only if there is space.
    if (box.current) box.current.open = getComputedStyle(box.current).gridColumnStart === "2";
  }, []);
  const author = anonymous ? "Anónimo" : author_name || viewer?.full_name || "";
  return (
    <details ref={box} className="card-preview" data-hydrated={hydrated || undefined}>
      <summary>
        <EmptyArmchair />
        Así la verán los demás
        <ChevronDownIcon size="s" />
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
          <p className="byline">
            <Avatar name={author} anonymous={anonymous} size="s" />
            <span>{author}</span>
          </p>
        </div>
        <div className="consultation-card__answers">
          <span className="answer-count answer-count--none">
            <TalkIcon />
            Sin respuestas
          </span>
        </div>
      </div>
    </details>
  );
}
