import { type ReactNode, useState } from "react";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Button, IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useToast } from "./toast.tsx";

interface CopyButtonProps {
  text: string;
  copiedToast?: string;
  actionError: { title: string; description: string };
  label?: string;
  children?: ReactNode;
  copiedLabel?: ReactNode;
  /** Rendered on the server, without JavaScript, and without a clipboard API, as on plain HTTP. */
  fallback?: ReactNode;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, copiedToast, actionError, label, children, copiedLabel = children, fallback = null } = props;
  const toast = useToast();
  const able = useHydrated() && navigator.clipboard !== undefined;
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        if (copiedToast) toast({ title: copiedToast });
      },
      () => toast({ ...actionError, tone: "error" }),
    );
  if (!able) return fallback;
  const icon = <Icon name={copied ? "check" : "copy"} size="s" />;
  return label ? (
    <IconButton label={label} onClick={copy}>
      {icon}
    </IconButton>
  ) : (
    <Button variant="soft" small icon={icon} onClick={copy}>
      {copied ? copiedLabel : children}
    </Button>
  );
}
