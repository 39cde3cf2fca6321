import type { ComponentProps, ReactNode } from "react";
import { ButtonLink } from "#app/ui/button.tsx";

interface WayToGoldProps extends Pick<ComponentProps<typeof ButtonLink>, "small" | "wide" | "className"> {
  /** True while the provider confirms a payment: the page offers no second one. */
  pending: boolean;
  children?: ReactNode;
}

/** The way to the plans, or to the state of an unconfirmed payment. */
export const WayToGold = ({ pending, children = "Ver la membresía Gold", ...looks }: WayToGoldProps) => (
  <ButtonLink to="/planes" reloadDocument variant={pending ? "soft" : "primary"} {...looks}>
    {pending ? "Estamos confirmando tu pago" : children}
  </ButtonLink>
);
