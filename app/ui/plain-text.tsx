import { Fragment } from "react";

interface PlainTextProps {
  text: string;
  className?: string;
}

/** What a person typed, as paragraphs (an empty line between them) and line breaks. Nothing else in it means anything: no links, no markup. */
export function PlainText({ text, className = "plain-text" }: PlainTextProps) {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(/\n[^\S\n]*\n\s*/)
    .filter((paragraph) => paragraph.trim() !== "");
  return (
    <div className={className}>
      {paragraphs.map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a rendering never changes its order
        <p key={at}>
          {paragraph
            .trim()
            .split("\n")
            .map((line, lineAt) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Fragment key={lineAt}>
                {lineAt > 0 && <br />}
                {line}
              </Fragment>
            ))}
        </p>
      ))}
    </div>
  );
}
