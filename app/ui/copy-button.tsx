import { type ReactNode, useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { CheckIcon } from "./icon.tsx";
import { CopyIcon } from "./more-icons.tsx";
import { useToast } from "./toast.tsx";

interface Copying {
  text: string;
  /** The toast after copying; without it only the button changes. */
  copiedToast?: string;
  /** The toast where the browser refuses: what has not happened, and the way to do without. */
  refused: { title: string; description: string };
}

/** Copies a text. `able` is false on the server, without JavaScript and where the browser has no clipboard, as on plain HTTP. */
function useCopy({ text, copiedToast, refused }: Copying) {
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
      () => toast({ ...refused, tone: "error" }),
    );
  return { able, copy, copied, icon: copied ? <CheckIcon size="s" /> : <CopyIcon size="s" /> };
}

interface CopyButtonProps extends Copying {
  children: ReactNode;
  /** The button's words once the text is copied; without it they stay. */
  copiedLabel?: ReactNode;
  /** What stands there where copying is not possible. */
  fallback?: ReactNode;
}

/** A button that copies a text and says whether it could. */
export function CopyButton({ children, copiedLabel = children, fallback = null, ...copying }: CopyButtonProps) {
  const { able, copy, copied, icon } = useCopy(copying);
  if (!able) return fallback;
  return (
    <Button variant="soft" small icon={icon} onClick={copy}>
      {copied ? copiedLabel : children}
    </Button>
  );
}

/** The same as a round button with an icon only. */
export function CopyIconButton({ label, ...copying }: Copying & { label: string }) {
  const { able, copy, icon } = useCopy(copying);
  if (!able) return null;
  return (
    <IconButton label={label} onClick={copy}>
      {icon}
    </IconButton>
  );
}
