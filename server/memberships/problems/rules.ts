/** Whether it is for the administrator to say whose payment it is. */
export const canAssign = ({ kind, reason }: { kind: string; reason: string | null }): boolean =>
  kind === "unmatched" || (kind === "mismatch" && reason === "owner");
