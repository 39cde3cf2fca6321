export const PlainText = ({ text, className = "plain-text" }: { text: string; className?: string }) => (
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
