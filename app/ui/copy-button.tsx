import { type ReactNode, useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icon.tsx";
import { useToast } from "./toast.tsx";

interface Copying {
  text: string;
  /** Toast after copying. Without it only the button changes. */
  copiedToast?: string;
  /** Toast if the browser rejects copying, with an alternative. */
  actionError: { title: string; description: string };
}

/** Copies a text. `able` is false on the server, without JavaScript, and without a clipboard API, as on plain HTTP. */
function useCopy({ text, copiedToast, actionError }: Copying) {
  const toast = useToast();
  const [able, setAble] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => setAble(navigator.clipboard !== undefined), []);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        if (copiedToast) toast({ title: copiedToast });
      },
      () => toast({ ...actionError, tone: "error" }),
    );
  return { able, copy, copied, icon: copied ? <CheckIcon size="s" /> : <CopyIcon size="s" /> };
}

interface CopyButtonProps extends Copying {
  children: ReactNode;
  /** Button text after copying. Defaults to the usual one. */
  copiedLabel?: ReactNode;
  /** Rendered if copying is not possible. */
  fallback?: ReactNode;
}

/** Button that copies a text and shows the result. */
export function CopyButton({ children, copiedLabel = children, fallback = null, ...copying }: CopyButtonProps) {
  const { able, copy, copied, icon } = useCopy(copying);
  if (!able) return fallback;
  return (
    <Button variant="soft" small icon={icon} onClick={copy}>
      {copied ? copiedLabel : children}
    </Button>
  );
}

export function CopyIconButton({ label, ...copying }: Copying & { label: string }) {
  const { able, copy, icon } = useCopy(copying);
  if (!able) return null;
  return (
    <IconButton label={label} onClick={copy}>
      {icon}
    </IconButton>
  );
}
