interface PlainTextProps {
  text: string;
  className?: string;
}

/** Renders no links or markup. CSS shows the line breaks of a paragraph. */
export function PlainText({ text, className = "plain-text" }: PlainTextProps) {
  return (
    <div className={`${className} with-lines`}>
      {text
        .trim()
        .split(/\r?\n[^\S\n]*\n\s*/)
        .map((paragraph, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never change their order
          <p key={at}>{paragraph}</p>
        ))}
    </div>
  );
}
