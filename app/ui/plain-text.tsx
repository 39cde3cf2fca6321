import { Fragment } from "react";

interface PlainTextProps {
  text: string;
  className?: string;
}

/** Renders user text as paragraphs and line breaks, without links or markup. */
export function PlainText({ text, className = "plain-text" }: PlainTextProps) {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(/\n[^\S\n]*\n\s*/)
    .filter((paragraph) => paragraph.trim() !== "");
  return (
    <div className={className}>
      {paragraphs.map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never change their order
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
